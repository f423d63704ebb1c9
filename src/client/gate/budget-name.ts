/**
 * The name under which the budget of a key at an origin is kept where others can see it: a digest, from which neither
 * can be had back.
 */
export function budgetName(origin: string, key: string): string {
  // Loading it takes a one-shot command 2 ms, and most programs keep their budget in memory.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(`petstore rate budget\n${origin}\n${key}`).digest('hex').slice(0, 32);
}
