/**
 * Copies data so that safe integers are numbers and objects have no prototype. The library also reads inherited
 * properties, so that `constructor` would be a field of every object.
 */
export function toQueryValue(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toQueryValue);
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, member] of Object.entries(value)) copy[key] = toQueryValue(member);
  return copy;
}
