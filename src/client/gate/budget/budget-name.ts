import { sha256 } from './sha-256.js';

/**
 * The name under which the budget of a key at an origin is kept where others can see it: a digest, from which neither
 * can be had back.
 */
export function budgetName(origin: string, key: string): string {
  return sha256(`petstore rate budget\n${origin}\n${key}`).slice(0, 32);
}
