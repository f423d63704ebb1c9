import { stringifyJson } from '../../schema/json.js';
import { CONTROL_AND_BIDI, toUnicodeEscape } from './text/control-characters.js';
import type { Painter } from './text/style.js';

const OBEYED = new RegExp(`[${CONTROL_AND_BIDI}]`, 'g');
const STRING_WITH_COLON = /("(?:[^"\\]|\\.)*")(:?)/g;

/**
 * One JSON document with a line break after it. Indented by two on a terminal, compact elsewhere, as `gh` does: people
 * read the one, programs the other, and `-o json | wc -l` says 1.
 *
 * A bigint is a plain integer. Controls and direction marks are `\u` escapes, so that the text is harmless to a
 * terminal and still parses to the same value.
 */
export function toJson(value: unknown, options: { indent: boolean; paint?: Painter | undefined }): string {
  const text = escapeJson(stringifyJson(value, options.indent ? 2 : undefined));
  const { paint } = options;
  if (paint === undefined) return `${text}\n`;
  return `${text.replace(STRING_WITH_COLON, (whole, key: string, colon: string) =>
    colon === '' ? whole : paint('cyan', key) + colon,
  )}\n`;
}

/** One value a line, each compact JSON. */
export function toNdjson(values: readonly unknown[]): string {
  return values.map((value) => toJson(value, { indent: false })).join('');
}

/**
 * The same JSON, harmless to a terminal: what JSON.stringify leaves as it is although a terminal obeys it stands in
 * strings only, where an escape means the same.
 */
export function escapeJson(json: string): string {
  return json.replace(OBEYED, toUnicodeEscape);
}
