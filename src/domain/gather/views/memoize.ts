import type { Facts } from '../facts/facts.js';

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

/** Caches the results of a pure function for each server or resolver of the last facts. */
export function memoizeEach<Item, Value>(
  itemsOf: (facts: Facts) => readonly Item[],
  make: (facts: Facts, item: Item) => Value,
): (facts: Facts, item: Item) => Value {
  const known = memoizeLast(
    (facts: Facts) => new Map(itemsOf(facts).map((item) => [item, make(facts, item)])),
  );
  return (facts, item) => known(facts).get(item) ?? make(facts, item);
}
