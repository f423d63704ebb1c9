const LOCAL_TIME = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });

/** Date and time in the local zone, such as 2026-11-21 14:03:09. */
export function timeText(at: number | string): string {
  return LOCAL_TIME.format(new Date(at));
}

/** A whole number with a comma for each thousand. */
export function numberText(value: number): string {
  return value.toLocaleString('en-GB');
}
