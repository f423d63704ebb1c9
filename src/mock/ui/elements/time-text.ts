const LOCAL_TIME = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });

/** Date and time in the local zone, such as 2026-11-21 14:03:09. */
export function timeText(at: number | string): string {
  return LOCAL_TIME.format(new Date(at));
}

/** Time of day in the local zone, such as 14:03:09. */
export function timeOfDay(at: number | string): string {
  return timeText(at).slice(11);
}

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** The two largest units of a duration, such as "2 min 5 s". Rounds up, so that it is 0 s only at the end. */
export function durationText(ms: number): string {
  let rest = Math.ceil(Math.max(0, ms) / 1_000) * 1_000;
  const index = UNITS.findIndex(([, unitMs]) => rest >= unitMs);
  if (index < 0) return '0 s';
  const parts: string[] = [];
  for (const [name, unitMs] of UNITS.slice(index, index + 2)) {
    const amount = Math.floor(rest / unitMs);
    rest -= amount * unitMs;
    if (amount > 0) parts.push(`${String(amount)} ${name}`);
  }
  return parts.join(' ');
}

/** A whole number with a comma for each thousand. */
export function numberText(value: number): string {
  return value.toLocaleString('en-GB');
}
