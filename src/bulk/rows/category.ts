import { INT64_MAX, INT64_MIN, toInt64 } from '../../schema/int64.js';
import { excerpt, valueText } from './excerpt.js';
import type { RowError } from './row.js';

/** A whole number with zeros after the decimal point, as pandas and databases write it. */
const DECIMAL = /^(-?\d{1,19})\.0+$/;
const EXPONENT = /^-?\d+(?:\.\d+)?e[+-]?\d+$/i;
const DIGITS = /^-?\d+$/;
/** The members of an integer in MongoDB's Extended JSON. */
const EXTENDED = ['$numberLong', '$numberInt'] as const;

/**
 * Reads a category without losing a digit: plain digits, `7.0` up to 2^53, and `{"$numberLong": "7"}`.
 *
 * @returns `undefined` if the value is not an int64, or may have been rounded.
 */
export function readCategory(value: unknown): bigint | undefined {
  if (typeof value === 'string') {
    const [, whole] = value.includes('.') ? (DECIMAL.exec(value) ?? []) : [];
    if (whole === undefined) return toInt64(value);
    return Number.isSafeInteger(Number(whole)) ? toInt64(whole) : undefined;
  }
  if (typeof value !== 'object' || value === null) return toInt64(value);
  const members = Object.entries(value);
  const [name, digits] = members[0] ?? [];
  const isInteger = members.length === 1 && EXTENDED.some((each) => each === name);
  return isInteger && typeof digits === 'string' ? toInt64(digits) : undefined;
}

/** How to get the digits that were lost. Proposes no number, because the one in the file may be wrong. */
const EXACT_HINT = 'Let the program that made the file write whole numbers, or text.';

/**
 * Explains why a value is no category.
 *
 * @param text the source text of a JSON value.
 * @returns the message, and what the error also has.
 */
export function explainCategory(
  given: unknown,
  text: string | undefined,
): readonly [message: string, more?: Partial<RowError>] {
  if (given === undefined || given === null || given === '') return ['category is missing'];
  const value = text === undefined ? valueText(given) : excerpt(text);
  const digits = typeof given === 'string' ? given : String(text ?? given);
  if (DECIMAL.test(digits))
    return [
      `category ${value} may be rounded: above 2^53, a number with a decimal point has lost digits`,
      { hint: EXACT_HINT },
    ];
  if (EXPONENT.test(digits))
    return [`category ${value} has an exponent, so digits may be lost`, { hint: EXACT_HINT }];
  const limit = DIGITS.test(digits) ? beyondInt64(digits) : undefined;
  if (limit !== undefined) return [`category ${value} is ${limit}`];
  return [`category ${value} is not a 64-bit integer in plain digits, such as 7`];
}

function beyondInt64(digits: string): string | undefined {
  if (digits.length > 1_000) return 'too long';
  const value = BigInt(digits);
  if (value > INT64_MAX) return `too large: the maximum is ${String(INT64_MAX)}`;
  return value < INT64_MIN ? `too small: the minimum is ${String(INT64_MIN)}` : undefined;
}
