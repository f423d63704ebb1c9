/**
 * Caches the last result of a pure function, by its immutable argument. Nearly every rule needs the same views of the
 * facts, and the rules run synchronously. A `WeakMap` would take a tenth of the time of a check.
 */
export function memoizeLast<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let last: { key: Key; value: Value } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) };
    return last.value;
  };
}
