import { stringifyJson } from '../../../schema/json.js';
import { CONTROL, toUnicodeEscape } from '../../../schema/control-characters.js';
import { escapeHidden } from '../text/terminal-text.js';
import type { Painter } from '../text/color.js';

const UNESCAPED = new RegExp(`[${CONTROL}]`, 'g');
const STRING_WITH_COLON = /("(?:[^"\\]|\\.)*")(:?)/g;

/**
 * Formats one JSON document and a line break: indented for people, compact (one line) for programs, as `gh` does.
 *
 * A bigint becomes a plain integer. Control characters become `\u` escapes, the same value when parsed. On a terminal,
 * bidi and invisible characters do too.
 */
export function toJson(
  value: unknown,
  options: { indent: boolean; isTTY?: boolean; paint?: Painter | undefined },
): string {
  const text = escapeJson(stringifyJson(value, options.indent ? 2 : undefined), options.isTTY);
  const { paint } = options;
  if (paint === undefined) return `${text}\n`;
  return `${text.replace(STRING_WITH_COLON, (whole, key: string, colon: string) =>
    colon === '' ? whole : paint('cyan', key) + colon,
  )}\n`;
}

/** Formats one compact JSON value a line. */
export function toNdjson(values: readonly unknown[], isTTY = false): string {
  return values.map((value) => toJson(value, { indent: false, isTTY })).join('');
}

/**
 * Escapes the control characters that JSON.stringify leaves, and for a terminal the bidi and invisible ones. They can only
 * occur in strings.
 */
export function escapeJson(json: string, isTTY = false): string {
  const text = json.replace(UNESCAPED, toUnicodeEscape);
  return isTTY ? escapeHidden(text, toUnicodeEscape) : text;
}
