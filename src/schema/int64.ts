/** The smallest value of the format `int64` (interface specification, "Resources and their fields"). */
export const INT64_MIN = -(2n ** 63n);

/** The largest value of the format `int64`. */
export const INT64_MAX = 2n ** 63n - 1n;

const DECIMAL = /^(?:0|-?[1-9]\d{0,18})$/;

/**
 * Converts a value to an int64 without losing a digit.
 *
 * Accepts a bigint, a safe integer and a plain decimal string (`"42"`, `"-7"`). Rejects a number beyond
 * `Number.MAX_SAFE_INTEGER`, because it has lost its last digits. Also rejects a fraction, hexadecimal digits, blanks,
 * and a leading `+` or zero.
 *
 * @returns `undefined` if the value is not an int64.
 */
export function toInt64(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value === 'string') return DECIMAL.test(value) ? withinInt64(BigInt(value)) : undefined;
  return typeof value === 'bigint' ? withinInt64(value) : undefined;
}

function withinInt64(value: bigint): bigint | undefined {
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}
