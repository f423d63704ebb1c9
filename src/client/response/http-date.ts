const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';
const HTTP_DATES = [
  // IMF-fixdate, RFC 850 and asctime, in that order (RFC 9110, section 5.6.7).
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(
    `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d{2})-${MONTH}-(?<shortYear>\\d{2}) ${TIME} GMT$`,
  ),
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/**
 * Parses an HTTP-date in one of its three forms (RFC 9110, section 5.6.7). `Date.parse` also accepts other text, such
 * as `5, 5`.
 *
 * @param localNow determines the century of a two-digit year.
 * @returns milliseconds since the epoch, or `undefined` if it is invalid.
 */
export function parseHttpDate(value: string, localNow: number): number | undefined {
  for (const format of HTTP_DATES) {
    const parts = format.exec(value)?.groups;
    if (parts !== undefined) return toTime(parts, localNow);
  }
  return undefined;
}

function toTime(parts: Record<string, string | undefined>, localNow: number): number | undefined {
  if (parts.year !== undefined) return timeInYear(Number(parts.year), parts);
  // A time more than 50 years in the future is a past one, of the most recent year with the same digits (RFC 9110, section
  // 5.6.7).
  const latest = new Date(localNow);
  latest.setUTCFullYear(latest.getUTCFullYear() + 50);
  const lastYear = latest.getUTCFullYear();
  const year = lastYear - (lastYear % 100) + Number(parts.shortYear);
  // 29 February exists in one of two years only, so the year is chosen by the day before it is validated.
  const isLater = Date.UTC(year, ...dayAndTime(parts)) > latest.getTime();
  return timeInYear(isLater ? year - 100 : year, parts);
}

function dayAndTime(
  parts: Record<string, string | undefined>,
): [month: number, day: number, hour: number, minute: number, second: number] {
  const month = MONTHS.indexOf(parts.month ?? '');
  return [month, Number(parts.day), Number(parts.hour), Number(parts.minute), Number(parts.second)];
}

/** Returns `undefined` for a time that does not exist, such as 30 February. The second 60 is a leap second. */
function timeInYear(year: number, parts: Record<string, string | undefined>): number | undefined {
  const [month, day, hour, minute, second] = dayAndTime(parts);
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const time = new Date(0);
  time.setUTCFullYear(year, month, day);
  if (time.getUTCMonth() !== month || time.getUTCDate() !== day) return undefined;
  return time.setUTCHours(hour, minute, second);
}
