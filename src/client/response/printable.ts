/**
 * Makes untrusted text safe to print: control, bidirectional and invisible characters are escaped as `\u{…}`.
 *
 * @param lengthMax longer text is truncated, with an ellipsis.
 */
export function printable(text: string, lengthMax: number): string {
  const shown = text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
  return shown.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
