import { distinct } from '../views/evidence.js';
import { dateAfter, durationText } from '../verdict/estimate.js';
import { NEGATIVE_CACHE_MAX } from '../views/resolver-view.js';
import type { Facts } from '../facts/facts.js';
import type { Finding, RecordFields, Severity, Todo } from '../finding/finding.js';
import { expectedRecordsOf, recordFields, recordLine, mailNote } from './fixes.js';
import { todoOf } from './todo.js';
import { fieldsKey, type RecordChanges, recordChanges } from '../finding/record-changes.js';
import type { DomainName } from '../name/name.js';
import { isFromWildcard, lookupsOf, ownAddresses, recordsAt, sharedLookups } from '../views/own-records.js';
import { clipped, listed, printable } from '../finding/printable.js';
import type { DnsRecord } from '../resolver/dns.js';
import { aliasesAt, isRightAtDecisiveServers, decisiveServers } from '../views/server-view.js';

/** The steps that give a domain its records, and when they become visible. */
export interface RecordPlan {
  domain: DomainName;
  kind: 'subdomain' | 'apex';
  zone: string;
  decidedBy: 'zone-cut' | 'public-suffix' | 'override';
  /** The records that the domain needs: its own, then a CAA record if one is missing. */
  expected: readonly RecordFields[];
  /** The records that the name has now and that do not stay, with their TTL. If the record is right, that record. */
  current: readonly RecordFields[];
  /** Records to remove: those that the fixes of a report of {@link checkDomain} remove. */
  remove: readonly RecordFields[];
  /** The changes of records, as in a report, and also those that are only recommended. */
  todo: readonly Todo[];
  /** In order. Empty if no change is needed, or if the provider may lack ALIAS: the findings then say what to do. */
  steps: readonly PlanStep[];
  /**
   * The reasons of the steps, and problems that no change of these records fixes, such as `zone.split-providers`. Without
   * findings of severity `block`, the steps are recommended, not required.
   */
  findings: readonly Finding[];
  /** Seconds from the last step until all resolvers have the records, at the latest. Absent if no server responded. */
  visibleInSeconds?: number;
}

/** One step of a record plan. */
export interface PlanStep {
  /** `replace` is one change: a removal on its own would leave the domain without an address. */
  action: 'lower-ttl' | 'change-ttl' | 'replace' | 'remove' | 'add';
  text: string;
  /** The records to add or to keep in this form, with `ttl`, and those to remove, without `ttl`. */
  records: readonly RecordFields[];
  /** Earliest time. Resolvers cache the old record with its long TTL until then. */
  notBefore?: Date;
}

/** Seconds. Old records with a longer TTL get a step that lowers it first. */
const TTL_WORTH_LOWERING = 3600;
const LOWERED_TTL = 300;

/**
 * Plans the records of a domain.
 *
 * @param findings all findings about the facts.
 */
export function recordPlan(facts: Facts, findings: readonly Finding[]): RecordPlan {
  const { domain, zone } = facts;
  const relevant = findings.filter(isRelevant);
  const { remove, add } = changesOf(facts, relevant);
  const existing = existingRecords(facts);
  const old = remove.map((record) => ({ ...record, ttl: existing.get(fieldsKey(record)) ?? 0 }));
  const change = { old, add, isNew: add.some((record) => !existing.has(fieldsKey(record))) };
  const visibleInSeconds = visibleAfter(facts, change);
  return {
    domain,
    kind: zone.kind,
    zone: zone.name,
    decidedBy: zone.decidedBy,
    expected: [...expectedRecordsOf(facts), ...add.filter(({ type }) => type === 'CAA')],
    current: old.length === 0 && isRightAtDecisiveServers(facts) ? rightRecords(facts) : old,
    remove,
    todo: todoOf(facts, relevant),
    steps: stepsOf(facts, change, existing),
    findings: relevant,
    ...(visibleInSeconds !== undefined && { visibleInSeconds }),
  };
}

/** The records that fix the findings. If no server responded, the record is unknown and may have to be added. */
function changesOf(facts: Facts, findings: readonly Finding[]): RecordChanges {
  const changes = recordChanges(findings);
  const isKnown = changes.add.length + changes.remove.length > 0 || decisiveServers(facts).length > 0;
  return isKnown ? changes : { remove: [], add: expectedRecordsOf(facts) };
}

/** Whether a finding is about the records. CAA counts if it prevents every certificate. */
function isRelevant({ axis, severity }: Finding): boolean {
  if (axis === 'caa') return severity === 'block';
  return (axis === 'zone' || axis === 'record') && PROBLEMS.has(severity);
}

const PROBLEMS: ReadonlySet<Severity> = new Set<Severity>(['block', 'unknown', 'warn']);

/** A record that exists, with its TTL. */
type ExistingRecord = RecordFields & { ttl: number };

interface Change {
  /** The records to remove. */
  old: readonly ExistingRecord[];
  add: readonly RecordFields[];
  /** Whether a record to add does not exist yet. */
  isNew: boolean;
}

function rightRecords(facts: Facts): RecordFields[] {
  const decisive = decisiveServers(facts);
  const records = decisive.flatMap((server) => [...aliasesAt(facts, server), ...ownAddresses(facts, server)]);
  return distinct(records).map((record) => ({ ...printableFields(facts, record), ttl: record.ttl }));
}

/** The TTLs of all records that were seen, by {@link fieldsKey}. A wildcard's belong to another name. */
function existingRecords(facts: Facts): Map<string, number> {
  const { doubled } = facts.relatedNames;
  const decisive = decisiveServers(facts);
  const own = decisive.some(({ server }) => isFromWildcard(facts, server)) ? [] : decisive;
  const others = [...sharedLookups(facts), ...facts.caa.steps.map(({ lookup }) => lookup), doubled];
  const records = [
    ...own.flatMap(lookupsOf).flatMap((lookup) => [...lookup.chain, ...lookup.records]),
    ...others.flatMap((lookup) => lookup?.records ?? []),
  ];
  return new Map(records.map((record) => [fieldsKey(printableFields(facts, record)), record.ttl]));
}

function stepsOf(facts: Facts, change: Change, existing: ReadonlyMap<string, number>): PlanStep[] {
  const { old, add, isNew } = change;
  const added = add.filter((record) => !existing.has(fieldsKey(record)));
  const kept = add.filter((record) => hasOtherTtl(record, existing));
  const lasting = switchedRecords(facts, old).filter(({ ttl }) => ttl > TTL_WORTH_LOWERING);
  const oldTtl = longestTtl(lasting);
  // Without a new record, nothing is switched: the wrong record goes at once.
  const isLong = isNew && lasting.length > 0;
  const notBefore = isLong ? { notBefore: dateAfter(facts.queriedAt, oldTtl) } : {};
  return [
    ...(isLong ? [lowerStep(facts, lasting, oldTtl)] : []),
    ...(old.length + added.length > 0 ? [changeStep(facts, old, added, notBefore)] : []),
    ...(isNew || kept.length === 0 ? [] : [ttlStep(kept)]),
  ];
}

function hasOtherTtl(record: RecordFields, existing: ReadonlyMap<string, number>): boolean {
  const ttl = existing.get(fieldsKey(record));
  return ttl !== undefined && ttl !== record.ttl;
}

function lowerStep(facts: Facts, lasting: readonly ExistingRecord[], oldTtl: number): PlanStep {
  return {
    action: 'lower-ttl',
    text: `Lower the TTL of ${textsOf(facts, lasting)} from ${oldTtl} to ${LOWERED_TTL} now, then wait ${durationText(oldTtl)}. Resolvers cache the old record until then.`,
    records: lasting.map((record) => ({ ...record, ttl: LOWERED_TTL })),
  };
}

function changeStep(
  facts: Facts,
  old: readonly ExistingRecord[],
  added: readonly RecordFields[],
  notBefore: { notBefore?: Date },
): PlanStep {
  const { wildcard } = facts.relatedNames;
  const isBehind =
    wildcard !== undefined && added.some(({ name }) => name.toLowerCase() === facts.domain.ascii);
  const notes = [
    isBehind ? ` It takes precedence over the wildcard ${printable(wildcard.name)}, which may stay.` : '',
    added.some(({ type }) => type === 'CAA') ? ' Keep the other CAA records.' : '',
  ];
  const [removed, wanted] = [textsOf(facts, old), listed(added.map(recordLine))];
  const change =
    old.length === 0
      ? `Add ${wanted}.`
      : added.length === 0
        ? `Remove ${removed}.`
        : `Replace ${removed} with ${wanted}.`;
  return {
    action: old.length === 0 ? 'add' : added.length === 0 ? 'remove' : 'replace',
    text: mailNote(facts, old) + change + notes.join(''),
    records: [...old.map(({ type, name, label, value }) => ({ type, name, label, value })), ...added],
    ...notBefore,
  };
}

function ttlStep(records: readonly RecordFields[]): PlanStep {
  const texts = records.map(({ type, label, ttl }) => `${type} ${label} to ${String(ttl)}`);
  return { action: 'change-ttl', text: `Set the TTL of ${listed(texts)}.`, records };
}

/** The old records that visitors look up and that the new record replaces. Visitors look up no MX, TXT or CAA record. */
function switchedRecords({ domain }: Facts, old: readonly ExistingRecord[]): ExistingRecord[] {
  return old.filter(
    ({ type, name }) => ADDRESS_LOOKUP_TYPES.has(type) && name.toLowerCase() === domain.ascii,
  );
}

const ADDRESS_LOOKUP_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'DNAME', 'HTTPS', 'NS']);

/**
 * Seconds until all resolvers have the record. Resolvers cache an old record, or a wildcard's, for its TTL. Without
 * one, they may cache the absence of the name.
 */
function visibleAfter(facts: Facts, { old, isNew }: Change): number | undefined {
  const decisive = decisiveServers(facts);
  if (decisive.length === 0) return undefined;
  const switched = switchedRecords(facts, old);
  if (switched.length > 0) return isNew ? switchTtl(longestTtl(switched)) : longestTtl(switched);
  // Visitors see the record already, next to the others.
  if (old.length > 0 && !isNew) return 0;
  if (isRightAtDecisiveServers(facts)) return 0;
  const ofWildcard = decisive
    .filter(({ server }) => isFromWildcard(facts, server))
    .flatMap((server) => [
      ...aliasesAt(facts, server),
      ...lookupsOf(server).flatMap((one) => recordsAt(facts, one)),
    ]);
  if (ofWildcard.length > 0) return longestTtl(ofWildcard);
  return absenceMax(facts);
}

/** The TTL of an old record at the time of the switch. */
function switchTtl(oldTtl: number): number {
  return oldTtl > TTL_WORTH_LOWERING ? LOWERED_TTL : oldTtl;
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

/** Records in words, with the name if it is not that of the domain. */
function textsOf({ domain }: Facts, records: readonly RecordFields[]): string {
  return listed(
    records.map(({ type, label, name, value }) => {
      const other = name.toLowerCase() === domain.ascii ? '' : ` ${label} ->`;
      return `${type}${other} ${clipped(value, 60)}`;
    }),
  );
}

function longestTtl(records: readonly { ttl: number }[]): number {
  return Math.max(0, ...records.map(({ ttl }) => ttl));
}

function printableFields(facts: Facts, record: DnsRecord): RecordFields {
  const { type, name, label, value } = recordFields(facts, record);
  return { type, name: printable(name), label: printable(label), value: printable(value) };
}
