/**
 * Quotes a text as one word that bash, dash, zsh and fish read alike. Safe texts stay unquoted.
 *
 * In fish, a backslash in single quotes escapes a backslash and a quote. So these two are outside of the quotes. zsh expands
 * a word that begins with `=`, and fish expands `%self`.
 */
export function shellWord(text: string): string {
  if (/^[\w@+:,./-][\w@%+=:,./-]*$/.test(text)) return text;
  return `'${text.replace(/'|\\(?=['\\]|$)/g, `'\\$&'`)}'`;
}

/** Removes the quotes and backslashes of a typed shell word. The last quote may still be open. */
export function shellText(typed: string): string {
  return typed.replace(
    /'([^']*)(?:'|$)|"((?:[^"\\]|\\.)*)(?:"|$)|\\(.?)/gs,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\(["$\\`])/g, '$1') ?? escaped ?? '',
  );
}
