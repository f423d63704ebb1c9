import { distinct, recordText } from '../views/evidence.js';
import { dateAfter, durationText } from '../verdict/estimate.js';
import { NEGATIVE_CACHE_MAX } from '../views/resolver-view.js';
import type { Facts, ServerFacts } from '../facts/facts.js';
import type { RecordFields } from '../finding/finding.js';
import { recordFields, expectedRecordsOf, expectedText } from './fixes.js';
import type { DomainName } from '../name/name.js';
import { ownAddresses, ownRecords, recordsAt, sharedLookups } from '../views/own-records.js';
import { clipped, listed, printable } from '../finding/printable.js';
import type { DnsRecord } from '../resolver/dns.js';
import { aliasesAt, aliasTarget, isRightAtDecisiveServers, decisiveServers } from '../views/server-view.js';
import { isFromWildcard, lookupsOf } from '../views/wildcard.js';

/** The steps that give a domain its records, and when they become visible. */
export interface RecordPlan {
  domain: DomainName;
  kind: 'subdomain' | 'apex';
  zone: string;
  decidedBy: 'zone-cut' | 'public-suffix' | 'override';
  /** The records that the domain needs. */
  expected: readonly RecordFields[];
  /** The records that the name has now and that do not stay, with their TTL. If the record is right, that record. */
  current: readonly RecordFields[];
  /** Records of the name to remove. */
  remove: readonly RecordFields[];
  /** In order. Empty if the records exist already. */
  steps: readonly PlanStep[];
  /** Seconds from the last step until all resolvers have the records, at the latest. Absent if no server responded. */
  visibleInSeconds?: number;
  /**
   * Longest time in seconds for which a visitor may get no address: a resolver that queries between the removal and the
   * new record caches the absence. 0 if no address is removed. Absent if no server responded.
   */
  downtimeMaxSeconds?: number;
}

/** One step of a record plan. */
export interface PlanStep {
  action: 'lower-ttl' | 'remove' | 'add';
  text: string;
  records: readonly RecordFields[];
  /** Earliest time. Resolvers cache the old record with its long TTL until then. */
  notBefore?: Date;
}

/** Seconds. Old records with a longer TTL get a step that lowers it first. */
const TTL_WORTH_LOWERING = 3600;
const LOWERED_TTL = 300;

/** Plans the records of a domain. */
export function recordPlan(facts: Facts): RecordPlan {
  const { domain, zone } = facts;
  const decisive = decisiveServers(facts);
  const isRight = isRightAtDecisiveServers(facts);
  const old = isRight ? [] : distinct(decisive.flatMap((server) => recordsToRemove(facts, server)));
  const current = isRight
    ? distinct(decisive.flatMap((server) => [...aliasesAt(facts, server), ...ownAddresses(facts, server)]))
    : old;
  const visibleInSeconds = visibleAfter(facts, old);
  return {
    domain,
    kind: zone.kind,
    zone: zone.name,
    decidedBy: zone.decidedBy,
    expected: expectedRecordsOf(facts),
    current: current.map((record) => ({ ...printableFields(facts, record), ttl: record.ttl })),
    remove: old.map((record) => printableFields(facts, record)),
    steps: isRight ? [] : stepsOf(facts, old),
    ...(visibleInSeconds !== undefined && { visibleInSeconds, downtimeMaxSeconds: downtimeMax(facts, old) }),
  };
}

/**
 * The records to remove. An apex keeps its other types; a CNAME must be alone. A wildcard's records belong to another
 * name.
 */
function recordsToRemove(facts: Facts, server: ServerFacts): DnsRecord[] {
  if (isFromWildcard(facts, server.server)) return [];
  const aliases = aliasesAt(facts, server).filter(
    (record) => facts.zone.kind === 'apex' || aliasTarget(record) !== facts.target,
  );
  const others =
    facts.zone.kind === 'apex' ? [] : [server.mx, server.txt, server.https, ...sharedLookups(facts)];
  return [
    ...aliases,
    ...ownAddresses(facts, server),
    ...others.flatMap((lookup) => ownRecords(facts, lookup)),
  ];
}

function stepsOf(facts: Facts, old: readonly DnsRecord[]): PlanStep[] {
  if (old.length === 0) return [addStep(facts, undefined)];
  const oldTtl = longestTtl(old);
  const lasting = old.filter(({ ttl }) => ttl > TTL_WORTH_LOWERING);
  const isLong = oldTtl > TTL_WORTH_LOWERING;
  const notBefore = isLong ? dateAfter(facts.queriedAt, oldTtl) : undefined;
  const lower: PlanStep = {
    action: 'lower-ttl',
    text: `Lower the TTL of ${textsOf(lasting)} from ${oldTtl} to ${LOWERED_TTL} now, then wait ${durationText(oldTtl)}. Resolvers cache the old record until then.`,
    records: lasting.map((record) => ({ ...printableFields(facts, record), ttl: LOWERED_TTL })),
  };
  const remove: PlanStep = {
    action: 'remove',
    text: `Remove ${textsOf(old)}.`,
    records: old.map((record) => printableFields(facts, record)),
    ...(notBefore !== undefined && { notBefore }),
  };
  return [...(isLong ? [lower] : []), remove, addStep(facts, notBefore)];
}

function addStep(facts: Facts, notBefore: Date | undefined): PlanStep {
  const { wildcard } = facts.relatedNames;
  const precedence =
    wildcard === undefined ? '' : ` It takes precedence over the wildcard ${wildcard.name}, which may stay.`;
  return {
    action: 'add',
    text: `Add ${expectedText(facts)}.${printable(precedence)}`,
    records: expectedRecordsOf(facts),
    ...(notBefore !== undefined && { notBefore }),
  };
}

/**
 * Seconds until all resolvers have the record. Resolvers cache an old record, or a wildcard's, for its TTL. Without
 * one, they may cache the absence of the name.
 */
function visibleAfter(facts: Facts, old: readonly DnsRecord[]): number | undefined {
  const decisive = decisiveServers(facts);
  if (decisive.length === 0) return undefined;
  if (isRightAtDecisiveServers(facts)) return 0;
  if (old.length > 0) {
    const oldTtl = longestTtl(old);
    return oldTtl > TTL_WORTH_LOWERING ? LOWERED_TTL : oldTtl;
  }
  const ofWildcard = decisive
    .filter(({ server }) => isFromWildcard(facts, server))
    .flatMap((server) => [
      ...aliasesAt(facts, server),
      ...lookupsOf(server).flatMap((one) => recordsAt(facts, one)),
    ]);
  if (ofWildcard.length > 0) return longestTtl(ofWildcard);
  return absenceMax(facts);
}

/** Seconds for which resolvers cache the absence of the name, at most. */
function absenceMax(facts: Facts): number {
  const decisive = decisiveServers(facts);
  const negativeTtls = decisive.flatMap((server) =>
    lookupsOf(server).flatMap((one) => one.negativeTtl ?? []),
  );
  // Without a negative response, the SOA record limits it (RFC 2308, section 5).
  const limits =
    negativeTtls.length > 0 ? negativeTtls : decisive.map(({ zoneSoa }) => zoneSoa?.minimum ?? 0);
  return Math.min(Math.max(0, ...limits), NEGATIVE_CACHE_MAX);
}

/** Seconds without an address between the removal and the new record, as resolvers cache it. */
function downtimeMax(facts: Facts, old: readonly DnsRecord[]): number {
  const hasAddress = old.some(({ data }) => ADDRESS_TYPES.has(data.type));
  return hasAddress ? absenceMax(facts) : 0;
}

const ADDRESS_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);

function textsOf(records: readonly DnsRecord[]): string {
  return printable(listed(records.map(({ data }) => clipped(recordText(data), 60))));
}

function longestTtl(records: readonly DnsRecord[]): number {
  return Math.max(...records.map(({ ttl }) => ttl));
}

function printableFields(facts: Facts, record: DnsRecord): RecordFields {
  const { type, name, label, value } = recordFields(facts, record);
  return { type, name: printable(name), label: printable(label), value: printable(value) };
}
