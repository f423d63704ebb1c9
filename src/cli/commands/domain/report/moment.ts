/**
 * A moment on the wall clock, as short as it can be told apart from `now`: `14:32`, or `2026-11-22 14:32` on another day.
 *
 * @param now milliseconds since the epoch.
 */
export function shownMoment(moment: Date, now: number): string {
  const [day, time] = [dayOf(moment), `${two(moment.getHours())}:${two(moment.getMinutes())}`];
  return day === dayOf(new Date(now)) ? time : `${day} ${time}`;
}

/** Replaces the moments in a text, written as ISO 8601 in UTC, by what the wall clock shows then. */
export function withLocalMoments(text: string, now: number): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (iso) =>
    shownMoment(new Date(iso), now),
  );
}

function dayOf(moment: Date): string {
  return `${String(moment.getFullYear())}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
