import type { Facts, ServerFacts } from '../facts/facts.js';
import type { DnsRecord } from '../../dns/dns.js';
import { addressOf, isTargetAddress, ownAddresses, ownRecords } from './own-records.js';
import { isFlattenedByCloudflare } from './proxy.js';

/**
 * How certain it is that addresses come from an ALIAS or ANAME. Such records are not visible in DNS: the server returns
 * addresses, and their origin must be inferred.
 */
export type AliasEvidence =
  /** The authoritative TTL counts down between two queries, which only happens to resolved addresses. */
  | 'proved'
  /** The addresses are the target's; an ALIAS and a copy look the same. */
  | 'consistent'
  /** The target's addresses, with a constant TTL above the target's: probably copied by hand. */
  | 'looks-copied'
  /** An ALIAS with at least one address that the target did not return. It may be one to another host. */
  | 'uncertain'
  /** At least one address is not the target's. */
  | 'mismatch'
  /** The target's addresses are not known. */
  | 'incomparable'
  /** There is no address. */
  | 'none';

/** Seconds. The queries are one second apart, and retries take a few more. A larger drop is an edited record. */
const COUNTED_DOWN_MAX = 15;

/** Returns the evidence that the addresses at these servers come from an ALIAS. */
export function aliasEvidence(facts: Facts, servers: readonly ServerFacts[]): AliasEvidence {
  const addresses = servers.flatMap((server) => ownAddresses(facts, server));
  if (addresses.length === 0) return 'none';
  if (facts.platform.addresses.length === 0) return 'incomparable';
  const isCountingDown = servers.some((server) => countsDown(facts, server));
  const foreign = addresses.filter((record) => !isTargetAddress(facts, addressOf(record)));
  const strangers = foreign.filter((record) => !mayBeTargets(facts, record));
  if (strangers.length > 0) {
    const isOtherAlias = isCountingDown && strangers.length === addresses.length;
    return isOtherAlias && facts.platform.isVarying !== true ? 'uncertain' : 'mismatch';
  }
  if (foreign.length > 0 && !isCountingDown) {
    return servers.some((server) => hasChanged(facts, server)) ? 'consistent' : 'mismatch';
  }
  if (isCountingDown) return 'proved';
  return servers.some((server) => looksCopied(facts, server)) ? 'looks-copied' : 'consistent';
}

/** Whether an address is the target's, or comes from an ALIAS to a target with varying addresses. */
export function isFromTarget(facts: Facts, servers: readonly ServerFacts[], record: DnsRecord): boolean {
  if (isTargetAddress(facts, addressOf(record))) return true;
  return mayBeTargets(facts, record) && servers.some((server) => countsDown(facts, server));
}

/** Whether a target with varying addresses may have returned this one, with at most its own TTL. */
function mayBeTargets({ platform }: Facts, { ttl, data }: DnsRecord): boolean {
  const family = data.type === 'A' ? platform.a : platform.aaaa;
  return (
    platform.isVarying === true &&
    family?.outcome === 'value' &&
    (platform.ttl === undefined || ttl <= platform.ttl)
  );
}

/** Whether the addresses differ between the two queries. */
function hasChanged(facts: Facts, server: ServerFacts): boolean {
  if (server.aRepeated === undefined || !isAuthoritativeTwice(server)) return false;
  const [before, after] = [server.a, server.aRepeated].map((lookup) =>
    ownRecords(facts, lookup).map(addressOf).sort().join(' '),
  );
  return before !== '' && after !== '' && before !== after;
}

function countsDown(facts: Facts, server: ServerFacts): boolean {
  const drop = ttlDrop(facts, server);
  // A cache in front of the server counts down too. A longer TTL than the target's does not come from the target.
  if (hasLongerTtl(facts, server)) return false;
  return drop !== undefined && drop > 0 && drop <= COUNTED_DOWN_MAX && isAuthoritativeTwice(server);
}

/** A constant TTL alone proves nothing: some providers return an ALIAS's addresses with the ALIAS record's TTL. */
function looksCopied(facts: Facts, server: ServerFacts): boolean {
  if (isFlattenedByCloudflare(facts, ownRecords(facts, server.a))) return false;
  const drop = ttlDrop(facts, server);
  return drop !== undefined && drop >= 0 && drop <= COUNTED_DOWN_MAX && hasLongerTtl(facts, server);
}

function hasLongerTtl(facts: Facts, server: ServerFacts): boolean {
  const ttl = ownRecords(facts, server.a)[0]?.ttl;
  const { ttl: targetTtl } = facts.platform;
  return ttl !== undefined && targetTtl !== undefined && ttl > targetTtl;
}

function ttlDrop(facts: Facts, server: ServerFacts): number | undefined {
  const before = ownRecords(facts, server.a)[0];
  const after = server.aRepeated === undefined ? undefined : ownRecords(facts, server.aRepeated)[0];
  return before === undefined || after === undefined ? undefined : before.ttl - after.ttl;
}

/** An intercepting resolver counts down too, but it is not authoritative. */
function isAuthoritativeTwice(server: ServerFacts): boolean {
  return [server.a, server.aRepeated].every(
    (lookup) => lookup?.exchange.kind === 'response' && lookup.exchange.response.authoritative,
  );
}
