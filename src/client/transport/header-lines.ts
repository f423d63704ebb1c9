/**
 * Joins the values of a repeated header with `, ` (RFC 9110, section 5.3). Cookies may contain commas, so a line break
 * separates them (RFC 6265, section 3).
 */
export function joinValues(name: string, values: readonly string[]): string {
  return values.join(name === 'set-cookie' ? '\n' : ', ');
}

/** Returns the name and the value of each header line. A response has one line for each cookie. */
export function headerLines(headers: Readonly<Record<string, string>>): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const values = name === 'set-cookie' ? value.split('\n') : [value];
    return values.map((each): [string, string] => [name, each]);
  });
}
