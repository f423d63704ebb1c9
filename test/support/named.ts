/** The cases of a table by name, for `test.each`: each name, followed by its values. */
export function named<Values extends readonly unknown[]>(
  cases: Readonly<Record<string, Values>>,
): [name: string, ...Values][] {
  return Object.entries(cases).map(([name, values]) => [name, ...values]);
}
