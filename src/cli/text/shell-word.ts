/** A text as one word of a POSIX shell: as it is where that is safe, else in single quotes. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What a typed word of a shell says, its quotes and backslashes taken away. It may end within a quote. */
export function shellText(typed: string): string {
  return typed.replace(
    /'([^']*)(?:'|$)|"((?:[^"\\]|\\.)*)(?:"|$)|\\(.?)/gs,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\(["$\\`])/g, '$1') ?? escaped ?? '',
  );
}
