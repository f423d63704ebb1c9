import { CONTROL, toUnicodeEscape } from '../../../schema/control-characters.js';
import { escapeHidden } from '../text/terminal-text.js';

/**
 * Formats one YAML document that YAML 1.1 and 1.2 read the same, in block style. A bigint becomes a plain integer.
 *
 * Only words that no reader takes for another type are plain. Every other text is in double quotes with the escapes of
 * JSON: `no`, `=`, `1:20` and `2026-01-02` are values of other types in YAML 1.1, and readers differ about line breaks.
 * On a terminal, invisible characters are escaped as well.
 */
export function toYaml(value: unknown, isTTY = false): string {
  const text = `${linesOf(toJsonValue(value)).join('\n')}\n`;
  return isTTY ? escapeHidden(text, toYamlEscape) : text;
}

function toYamlEscape(character: string): string {
  const code = character.codePointAt(0)?.toString(16) ?? '';
  return character.length === 1 ? toUnicodeEscape(character) : `\\U${code.padStart(8, '0')}`;
}

/**
 * Starts with a letter, and has no `: `, `#` or blank at the end. Numbers, dates, `=`, `<<` and `~` do not start with a
 * letter.
 */
const PLAIN =
  /^\p{L}(?:(?:[\p{L}\p{M}\p{N} ,;.!?()'"@&*+=/$%_-]|:(?! ))*[\p{L}\p{M}\p{N},;.!?()'"@&*+=/$%_-])?$/u;
/** Words that YAML 1.1 reads as a boolean or null, or that some of its readers take for a number (`e5`). */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|e[+-]?\d+)$/i;
/** Only escapes in quotes make them visible. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** Readers reject U+FFFE and U+FFFF, and skip a byte order mark. */
const UNESCAPED = new RegExp(`[${CONTROL}\\ufeff\\ufffe\\uffff]`, 'g');
/** YAML allows 1,024 characters before the colon of a key on one line. */
const KEY_LENGTH_MAX = 1_000;

function linesOf(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item) => indented('- ', linesOf(toJsonValue(item) ?? null)));
  const entries = entriesOf(value);
  return entries.length > 0 ? entries.flatMap(entryLines) : [scalar(value)];
}

function entryLines([key, value]: [string, unknown]): string[] {
  const name = textScalar(key);
  const lines = linesOf(value);
  const isCollection = (Array.isArray(value) && value.length > 0) || entriesOf(value).length > 0;
  const start = name.length > KEY_LENGTH_MAX ? [`? ${name}`, ':'] : [`${name}:`];
  if (isCollection) return [...start, ...lines.map((line) => `  ${line}`)];
  return [...start.slice(0, -1), `${start.at(-1) ?? ''} ${lines[0] ?? ''}`];
}

function entriesOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value)
    .map(([key, member]): [string, unknown] => [key, toJsonValue(member)])
    .filter(([, member]) => member !== undefined);
}

function indented(first: string, lines: readonly string[]): string[] {
  const rest = ' '.repeat(first.length);
  return lines.map((line, index) => (index === 0 ? first : rest) + line);
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return textScalar(value);
  if (typeof value === 'number') return numberScalar(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}';
  return String(value ?? null);
}

function textScalar(text: string): string {
  if (PLAIN.test(text) && !RESERVED.test(text) && !INVISIBLE.test(text)) return text;
  return JSON.stringify(text).replace(UNESCAPED, toUnicodeEscape);
}

/** YAML 1.1 needs a dot in a number with an exponent: `1.0e+21`. */
function numberScalar(number: number): string {
  return JSON.stringify(number).replace(/^(-?\d+)e/, '$1.0e');
}

/** Converts a Date or another value with a `toJSON` method, as JSON.stringify does. */
function toJsonValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value) as unknown) : value;
}
