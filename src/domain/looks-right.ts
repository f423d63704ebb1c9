import { addressesIn, targetOf } from './classify.js';
import type { Facts, ServerFacts } from './facts.js';
import type { Lookup } from './lookup.js';

/**
 * Whether every authoritative server that answered has the record right, and at least one did. Only then may resolvers be
 * asked: what they are asked too early, they remember as absent (RFC 2308).
 */
export function looksRight(facts: Facts): boolean {
  const isRight = facts.zone.kind === 'apex' ? isRightApex : isRightSubdomain;
  const views = facts.servers.map((server) => isRight(facts, server));
  return views.includes(true) && !views.includes(false);
}

/** @returns undefined where the server could not be asked. */
function isRightSubdomain(facts: Facts, server: ServerFacts): boolean | undefined {
  if (server.cname.outcome === 'could-not-ask') return undefined;
  const [alias, ...others] = server.cname.records.map(targetOf);
  if (alias === undefined) return isCountingDown(server) && hasTargetAddresses(facts, server);
  if (others.length > 0) return false;
  return alias === facts.target || facts.nearby.chain.some(({ to }) => to === facts.target);
}

function isRightApex(facts: Facts, server: ServerFacts): boolean | undefined {
  if (server.cname.records.length > 0) return false;
  if (server.a.outcome === 'could-not-ask' || server.aaaa.outcome === 'could-not-ask') return undefined;
  return hasTargetAddresses(facts, server);
}

function hasTargetAddresses({ platform }: Facts, { a, aaaa }: ServerFacts): boolean {
  const addresses = addressesIn([...a.records, ...aaaa.records]);
  return addresses.length > 0 && addresses.every((address) => platform.addresses.includes(address));
}

/** The mark of an ALIAS: the addresses are looked up, and their TTL runs. */
function isCountingDown({ a, aAgain }: ServerFacts): boolean {
  const [before, after] = [firstTtl(a), firstTtl(aAgain)];
  return before !== undefined && after !== undefined && after < before;
}

function firstTtl(lookup: Lookup | undefined): number | undefined {
  return lookup?.records[0]?.ttl;
}
