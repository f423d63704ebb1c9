/**
 * Formats a time by the local clock: `14:32`, or `2026-11-22 14:32` if it is on another day than `now`.
 *
 * @param timeMs Milliseconds since the epoch, like `now`.
 */
export function localTime(timeMs: number, now: number): string {
  const time = new Date(timeMs);
  const [day, clock] = [dayOf(time), `${two(time.getHours())}:${two(time.getMinutes())}`];
  return day === dayOf(new Date(now)) ? clock : `${day} ${clock}`;
}

/** Replaces the UTC times (ISO 8601) in a text by local times. Rounds up: what ends at a time has not ended before it. */
export function withLocalTimes(text: string, now: number): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (iso) =>
    localTime(fullMinute(Date.parse(iso)), now),
  );
}

/** Rounds up to a full minute. Both times in milliseconds. */
export function fullMinute(timeMs: number): number {
  return Math.ceil(timeMs / 60_000) * 60_000;
}

function dayOf(time: Date): string {
  return `${String(time.getFullYear())}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
