import type { Facts } from '../facts/facts.js';
import { reachedServers, serverView } from './server-view.js';

/**
 * Whether every authoritative server that answered has the record right, and at least one did. Only then may resolvers be
 * asked: what they are asked too early, they remember as absent (RFC 2308). A server that is merely behind counts as well,
 * for it is the one that a resolver may happen to ask.
 */
export function recordMatches(facts: Facts): boolean {
  const reached = reachedServers(facts);
  return reached.length > 0 && reached.every((server) => serverView(facts, server) === 'right');
}
