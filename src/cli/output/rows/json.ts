import { stringifyJson } from '../../../schema/json.js';
import { scanJson } from '../../../schema/json-scanner.js';
import { CONTROL, toUnicodeEscape } from '../../../schema/control-characters.js';
import { escapeHidden } from '../text/terminal-text.js';
import type { Painter } from '../text/color.js';

const UNESCAPED = new RegExp(`[${CONTROL}]`, 'g');

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
  return `${rewriteJson(text, { name: (name) => paint('cyan', name) })}\n`;
}

type Rewrite = (part: string) => string;
const asItIs: Rewrite = (part) => part;

/**
 * Rewrites the parts of a JSON text: the strings and the names, with their quotes, and the text between them. A regular
 * expression that matches a string of several MiB overflows the stack.
 */
export function rewriteJson(
  json: string,
  {
    string = asItIs,
    name = string,
    between = asItIs,
  }: { string?: Rewrite; name?: Rewrite; between?: Rewrite },
): string {
  let rewritten = '';
  let at = 0;
  const copy =
    (rewrite: Rewrite) =>
    (from: number, end: number): void => {
      rewritten += between(json.slice(at, from)) + rewrite(json.slice(from, end));
      at = end;
    };
  scanJson(json, { string: copy(string), name: copy(name) });
  return rewritten + between(json.slice(at));
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
