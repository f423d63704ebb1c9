import { toInt64 } from '../../schema/int64.js';
import { parseDuration } from '../text/duration.js';
import { toTerminalLine } from '../output/text/terminal-text.js';
import { suggest } from '../text/suggest.js';
import { UsageError } from '../errors/usage-error.js';

/**
 * Takes one of a fixed set of words.
 *
 * @param what the flag, argument or variable, as the message names it.
 */
export function choice<const T extends string>(what: string, known: readonly T[], word: string): T {
  const found = known.find((candidate) => candidate === word);
  if (found !== undefined) return found;
  const meant = suggest(word, known);
  throw new UsageError(
    `${what}: ${quoted(word)} is not one of ${known.join(', ')}`,
    meant === undefined ? `pass one of ${known.join(', ')}` : `did you mean ${meant}?`,
  );
}

/** Takes a whole number between two bounds, both included. */
export function wholeNumber(what: string, minimum: number, maximum: number, word: string): number {
  const value = /^-?\d+$/.test(word) ? Number(word) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  const range = `a whole number from ${String(minimum)} to ${String(maximum)}`;
  throw new UsageError(
    `${what}: ${quoted(word)} is not ${range}`,
    `such as ${what} ${String(Number(word) > maximum ? maximum : minimum)}`,
  );
}

/** Takes an int64 with every digit. */
export function int64(what: string, word: string): bigint {
  const value = toInt64(word);
  if (value !== undefined) return value;
  throw new UsageError(
    `${what}: ${quoted(word)} is not an int64`,
    'pass plain decimal digits, at most 9223372036854775807',
  );
}

/** Takes a length of time, in milliseconds. */
export function durationMs(what: string, word: string): number {
  const value = parseDuration(word);
  if (value !== undefined) return value;
  throw new UsageError(
    `${what}: ${quoted(word)} is not a length of time`,
    'write it as 500ms, 30s, 5m or 2h; a plain number is seconds',
  );
}

/** A word of the user's, shown so that blanks and an empty one can be seen, and controls as everywhere. Long ones are cut. */
export function quoted(word: string): string {
  return JSON.stringify(toTerminalLine(word.length > 60 ? `${word.slice(0, 60)}…` : word));
}
