import { toInt64 } from '../../schema/int64.js';
import { parseDuration } from '../../time/duration.js';
import { toTerminalLine } from '../output/text/terminal-text.js';
import { suggest } from '../../options/suggest.js';
import { UsageError } from '../errors/usage-error.js';

/**
 * Parses one of a fixed set of words.
 *
 * @param name the flag, argument or variable, for error messages.
 * @param hint replaces the suggestion.
 * @throws UsageError with the nearest known word.
 */
export function choice<const T extends string>(
  name: string,
  known: readonly T[],
  word: string,
  hint?: string,
): T {
  const found = known.find((candidate) => candidate === word);
  if (found !== undefined) return found;
  throw new UsageError(
    `${name}: ${quoted(word)} is not one of ${known.join(', ')}`,
    hint ?? choiceHint(name, known, word),
  );
}

function choiceHint(name: string, known: readonly string[], word: string): string {
  const meant = suggest(word, known);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  return `For example: ${name.startsWith('-') ? `${name} ` : ''}${String(known[0])}`;
}

/**
 * Parses a whole number from `minimum` to `maximum`, both included.
 *
 * @param hint default: the limit that is nearer to the text, as an example.
 */
export function wholeNumber(
  name: string,
  minimum: number,
  maximum: number,
  word: string,
  hint = `For example: ${name} ${String(Number(word) > maximum ? maximum : minimum)}`,
): number {
  const value = /^-?\d+$/.test(word) ? Number(word) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  const range = `a whole number from ${String(minimum)} to ${String(maximum)}`;
  throw new UsageError(`${name}: ${quoted(word)} is not ${range}`, hint);
}

/** Parses an int64 without losing digits. */
export function int64(name: string, word: string): bigint {
  const value = toInt64(word);
  if (value !== undefined) return value;
  throw new UsageError(
    `${name}: ${quoted(word)} is not an int64`,
    'Pass decimal digits without leading zeros, such as 7: from -9223372036854775808 to 9223372036854775807.',
  );
}

/** Parses a duration to milliseconds. */
export function durationMs(name: string, word: string): number {
  const value = parseDuration(word);
  if (value !== undefined) return value;
  throw new UsageError(
    `${name}: ${quoted(word)} is not a duration`,
    'Write it as 500ms, 30s, 5m or 2h. A plain number is in seconds.',
  );
}

/** Quotes user input for a message, with control characters escaped, truncated to 60 characters. */
export function quoted(word: string): string {
  return JSON.stringify(toTerminalLine(word.length > 60 ? `${word.slice(0, 60)}…` : word));
}
