/** A value with RFC 3339 texts instead of dates. */
export type WithTextTimes<T> = T extends Date
  ? string
  : T extends object
    ? { [Field in keyof T]: WithTextTimes<T[Field]> }
    : T;

/** Replaces the dates in plain data by RFC 3339 texts in UTC, as JSON has them. */
export function withTextTimes<T>(data: T): WithTextTimes<T> {
  return JSON.parse(JSON.stringify(data)) as WithTextTimes<T>;
}
