/** A value with RFC 3339 texts instead of dates. */
export type WithTextTimes<T> = T extends Date
  ? string
  : T extends object
    ? { [Field in keyof T]: WithTextTimes<T[Field]> }
    : T;

/** Replaces the dates in a value by RFC 3339 texts in UTC, as JSON has them. */
export function withTextTimes<T>(value: T): WithTextTimes<T> {
  // The type follows the same rule.
  return replaceDates(value) as WithTextTimes<T>;
}

function replaceDates(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(replaceDates);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaceDates(member)]));
}
