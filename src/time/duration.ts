const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/;

/**
 * Parses a duration: `500ms`, `30s`, `1.5m`, `2h`. A plain number is seconds.
 *
 * @returns whole milliseconds, or `undefined` if the text is not a duration.
 */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = 's'] = DURATION.exec(text) ?? [];
  if (amount === undefined) return undefined;
  const durationMs = Math.round(Number(amount) * (UNIT_MS[unit] ?? 0));
  return Number.isSafeInteger(durationMs) ? durationMs : undefined;
}

const PARTS = [
  { name: 'day', seconds: 86_400, next: Number.POSITIVE_INFINITY },
  { name: 'h', seconds: 3_600, next: 86_400 },
  { name: 'min', seconds: 60, next: 3_600 },
  { name: 's', seconds: 1, next: 60 },
];

/** Formats a duration, rounded up to whole seconds, with at most two units: `12 s`, `3 min 5 s`, `2 h`, `2 days 1 h`. */
export function describeDuration(durationMs: number): string {
  const total = Math.max(0, Math.ceil(durationMs / 1_000));
  const first = PARTS.findIndex(({ seconds }) => total >= seconds);
  if (first === -1) return '0 s';
  return PARTS.slice(first, first + 2)
    .map(({ name, seconds, next }) => ({ name, count: Math.floor((total % next) / seconds) }))
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${String(count)} ${name}${name === 'day' && count > 1 ? 's' : ''}`)
    .join(' ');
}

/** Formats a time limit: `800 ms`, `1.5 s`, `30 s`. */
export function describeTimeLimit(limitMs: number): string {
  return limitMs < 1_000
    ? `${String(Math.round(limitMs))} ms`
    : `${String(Math.round(limitMs / 100) / 10)} s`;
}

/** Formats a local time of day: `14:05:10`. @param timeMs milliseconds since the epoch. */
export function timeOfDay(timeMs: number): string {
  const date = new Date(timeMs);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/**
 * Formats when to try again: `14:05:10`, or `2026-11-22 14:05:10` if that is not today. Rounded up to a whole second,
 * because a request at the second before is too early.
 *
 * @param timeMs milliseconds since the epoch.
 * @param now the time that today is taken from; without it, the date is always shown.
 */
export function timeOfRetry(timeMs: number, now = Number.NaN): string {
  const time = new Date(Math.ceil(timeMs / 1_000) * 1_000);
  const isToday = time.toDateString() === new Date(now).toDateString();
  return (isToday ? '' : `${time.toLocaleDateString('sv-SE')} `) + timeOfDay(time.getTime());
}

/** Whether the day of an RFC 3339 text exists. `Date` reads 31 February as 3 March, which section 5.7 forbids. */
export function hasValidDay(text: string): boolean {
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(text.slice(8, 10));
}
