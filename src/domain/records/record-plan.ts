import { distinct, recordText } from '../views/evidence.js';
import { durationText, timeAfter } from '../verdict/estimate.js';
import { NEGATIVE_CACHE_MAX } from '../views/resolver-view.js';
import type { Facts, ServerFacts } from '../facts/facts.js';
import type { RecordFields } from '../finding/finding.js';
import { recordFields, wantedRecords, wantedText } from './fixes.js';
import type { DomainName } from '../name/name.js';
import { ownAddresses, ownRecords, recordsAt, sharedLookups } from '../views/own-records.js';
import { clipped, listed, printable } from '../finding/printable.js';
import type { DnsRecord } from '../resolver/dns.js';
import { aliasesAt, aliasTarget, isRecordRight, judgedServers } from '../views/server-view.js';
import { isFromWildcard, lookupsOf } from '../views/wildcard.js';

/** How a domain gets its records: what to type, what to remove first, and from when it is seen. */
export interface RecordPlan {
  domain: DomainName;
  kind: 'subdomain' | 'apex';
  zone: string;
  decidedBy: 'zone-cut' | 'public-suffix' | 'override';
  /** The records to have. */
  expected: readonly RecordFields[];
  /** Records of the name that stand in the way. */
  remove: readonly RecordFields[];
  /** In order; empty where everything is there already. */
  steps: readonly PlanStep[];
  /** Seconds after the last step until everybody sees it, at the latest; absent where the servers could not be asked. */
  visibleInSeconds?: number;
}

export interface PlanStep {
  action: 'lower-ttl' | 'remove' | 'add';
  text: string;
  records: readonly RecordFields[];
  /** ISO 8601, UTC: doing it earlier leaves some visitors with the old answer for longer. */
  notBefore?: string;
}

/** Seconds. Old records that are remembered for longer are worth a preparation. */
const TTL_WORTH_LOWERING = 3600;
const LOWERED_TTL = 300;

export function recordPlan(facts: Facts): RecordPlan {
  const { domain, zone } = facts;
  const old = isRecordRight(facts)
    ? []
    : distinct(judgedServers(facts).flatMap((server) => inTheWay(facts, server)));
  const visibleInSeconds = visibleAfter(facts, old);
  return {
    domain,
    kind: zone.kind,
    zone: zone.name,
    decidedBy: zone.decidedBy,
    expected: wantedRecords(facts),
    remove: old.map((record) => typedSafely(facts, record)),
    steps: isRecordRight(facts) ? [] : stepsOf(facts, old),
    ...(visibleInSeconds !== undefined && { visibleInSeconds }),
  };
}

/** At an apex other types may stay; beside a CNAME nothing may. What a wildcard answers lies elsewhere. */
function inTheWay(facts: Facts, server: ServerFacts): DnsRecord[] {
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
  const notBefore = isLong ? timeAfter(facts.queriedAt, oldTtl) : undefined;
  const lower: PlanStep = {
    action: 'lower-ttl',
    text: `Lower the TTL of ${textsOf(lasting)} from ${oldTtl} to ${LOWERED_TTL} now, and wait ${durationText(oldTtl)}: until then some visitors remember the old answer.`,
    records: lasting.map((record) => ({ ...typedSafely(facts, record), ttl: LOWERED_TTL })),
  };
  const remove: PlanStep = {
    action: 'remove',
    text: `Remove ${textsOf(old)}.`,
    records: old.map((record) => typedSafely(facts, record)),
    ...(notBefore !== undefined && { notBefore }),
  };
  return [...(isLong ? [lower] : []), remove, addStep(facts, notBefore)];
}

function addStep(facts: Facts, notBefore: string | undefined): PlanStep {
  const { wildcard } = facts.relatedNames;
  const precedence =
    wildcard === undefined ? '' : ` It takes precedence over the wildcard ${wildcard.name}, which may stay.`;
  return {
    action: 'add',
    text: `Add ${wantedText(facts)}.${printable(precedence)}`,
    records: wantedRecords(facts),
    ...(notBefore !== undefined && { notBefore }),
  };
}

/**
 * A new name is seen at once by who has never asked for it; who has, may remember its absence. An old record is seen
 * until its TTL has run out, counted from the last moment that it was served; so is what a wildcard answered.
 */
function visibleAfter(facts: Facts, old: readonly DnsRecord[]): number | undefined {
  const judged = judgedServers(facts);
  if (judged.length === 0) return undefined;
  if (isRecordRight(facts)) return 0;
  if (old.length > 0) {
    const oldTtl = longestTtl(old);
    return oldTtl > TTL_WORTH_LOWERING ? LOWERED_TTL : oldTtl;
  }
  const ofWildcard = judged
    .filter(({ server }) => isFromWildcard(facts, server))
    .flatMap((server) => [
      ...aliasesAt(facts, server),
      ...lookupsOf(server).flatMap((one) => recordsAt(facts, one)),
    ]);
  if (ofWildcard.length > 0) return longestTtl(ofWildcard);
  const negativeTtls = judged.flatMap(({ cname, a, aaaa }) =>
    [cname, a, aaaa].flatMap((one) => one.negativeTtl ?? []),
  );
  return Math.min(Math.max(0, ...negativeTtls), NEGATIVE_CACHE_MAX);
}

function textsOf(records: readonly DnsRecord[]): string {
  return printable(listed(records.map(({ data }) => clipped(recordText(data), 60))));
}

function longestTtl(records: readonly DnsRecord[]): number {
  return Math.max(...records.map(({ ttl }) => ttl));
}

function typedSafely(facts: Facts, record: DnsRecord): RecordFields {
  const { type, name, label, value } = recordFields(facts, record);
  return { type, name: printable(name), label: printable(label), value: printable(value) };
}
