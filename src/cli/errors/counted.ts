/** Formats a count with its noun: `1 pet`, `2 pets`. For nouns with a regular plural. */
export function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
