/**
 * The path of a field for messages: `redirects[0].status`. Names with other characters are quoted, so that they can't
 * break the line.
 *
 * @param parent the path of the enclosing field; empty at the top level.
 */
export function fieldPath(parent: string, name: string): string {
  const word = /^[\w$@-]+$/.test(name) ? name : JSON.stringify(name);
  return parent === '' ? word : `${parent}.${word}`;
}
