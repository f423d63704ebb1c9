import { stringifyJson } from '../../schema/json.js';
import type { Painter } from './style.js';

/** What JSON.stringify leaves as it is although a terminal obeys it. Inside JSON it stands in strings only. */
const CONTROL_AND_BIDI = /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const STRING_WITH_COLON = /("(?:[^"\\]|\\.)*")(:?)/g;

/**
 * One JSON document with a line break after it. Indented by two on a terminal, compact elsewhere, as `gh` does: people
 * read the one, programs the other, and `-o json | wc -l` says 1.
 *
 * A bigint is a plain integer. Controls and direction marks are `\u` escapes, so that the text is harmless to a
 * terminal and still parses to the same value.
 */
export function toJson(value: unknown, options: { indent: boolean; paint?: Painter | undefined }): string {
  const text = escapeControls(stringifyJson(value, options.indent ? 2 : undefined));
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

function escapeControls(json: string): string {
  return json.replace(
    CONTROL_AND_BIDI,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
