import { distinct } from '../gather/views/evidence.js';
import { dateAfter } from '../gather/views/estimate.js';
import { ABSENCE_MAX } from '../gather/facts/classify.js';
import type { Facts } from '../gather/facts/facts.js';
import type { Lookup } from '../gather/facts/lookup.js';
import type { Finding, FindingId, RecordFields, Severity, Todo } from '../report/finding.js';
import { expectedRecordsOf, isTargetDead, recordFields } from './advice.js';
import { permissionsToAdd, serversOfOtherProvider, todoOf } from './plan.js';
import { reservedRange } from '../names/ip-address.js';
import { fieldsKey, recordChanges } from '../report/record-changes.js';
import type { DomainName } from '../names/name.js';
import {
  isFromWildcard,
  lookupsOf,
  ownAddresses,
  recordsAt,
  sharedLookups,
} from '../gather/views/own-records.js';
import { printable } from '../../schema/control-characters.js';
import type { DnsRecord } from '../dns/dns.js';
import { aliasesAt, isRightAtDecisiveServers, decisiveServers } from '../gather/views/server-view.js';

/** The changes that give a domain its records, and when they become visible. */
export interface RecordPlan {
  domain: DomainName;
  kind: 'subdomain' | 'apex';
  zone: string;
  decidedBy: 'zone-cut' | 'public-suffix' | 'override';
  /**
   * The records that the domain needs: its own, then a CAA record if one is missing. Without its own if the target has no
   * address.
   */
  expected: readonly RecordFields[];
  /** The records that the name has now and that do not stay, with their TTL. If the record is right, that record. */
  current: readonly RecordFields[];
  /** Records to remove: those that the fixes of a report of {@link checkDomain} remove. */
  remove: readonly RecordFields[];
  /** The changes of records, as in a report, and also those that are only recommended. */
  todo: readonly Todo[];
  /**
   * Records whose TTL is to be lowered before the change, in this form: resolvers cache the old ones for long. The change
   * follows at `notBefore` or later, if they are lowered at once. Absent if no old record has a long TTL.
   */
  lowerTtl?: { records: readonly RecordFields[]; notBefore: Date };
  /**
   * The reasons of the changes, and problems that no change of these records fixes, such as `zone.split-providers`.
   * Without findings of severity `block`, the changes are recommended, not required.
   */
  findings: readonly Finding[];
  /** Whether visitors get another server until the change is visible: it must run until then. */
  keepsOldServer: boolean;
  /** Seconds from the change until all resolvers have the records, at the latest. Absent if no server responded. */
  visibleInSeconds?: number;
}

/** Seconds. Old records with a longer TTL are lowered first. */
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
  // The parent zone has NS and DS records.
  const { remove, add } = recordChanges(relevant.filter(({ axis }) => axis !== 'zone'));
  const existing = existingRecords(facts);
  const old = remove.map((record) => ({ ...record, ttl: existing.get(fieldsKey(record)) ?? 0 }));
  const isNew = add.some((record) => !existing.has(fieldsKey(record)));
  const switched = switchedRecords(facts, old);
  // Without a new record, nothing is switched: the wrong record goes at once.
  const lasting = isNew ? switched.filter(({ ttl }) => ttl > TTL_WORTH_LOWERING) : [];
  const lowered = Math.max(LOWERED_TTL, facts.provider?.dns?.ttlMin ?? 0);
  const left = switched.map(({ ttl }) => (isNew && ttl > TTL_WORTH_LOWERING ? lowered : ttl));
  const ownDelay =
    left.length > 0
      ? Math.max(...left, ...(isNew ? absentFamilies(facts) : []))
      : visibleAfter(facts, old.length > 0 && !isNew);
  const visibleInSeconds =
    ownDelay === undefined ? undefined : Math.max(ownDelay, ...delaysElsewhere(facts, relevant));
  return {
    domain,
    kind: zone.kind,
    zone: zone.name,
    decidedBy: zone.decidedBy,
    expected: [...(isTargetDead(facts) ? [] : expectedRecordsOf(facts)), ...permissionsToAdd(add)],
    current: old.length === 0 && isRightAtDecisiveServers(facts) ? rightRecords(facts) : old,
    remove,
    todo: todoOf(facts, relevant),
    ...(lasting.length > 0 && {
      lowerTtl: {
        records: lasting.map((record) => ({ ...record, ttl: lowered })),
        notBefore: dateAfter(facts.queriedAt, longestTtl(lasting)),
      },
    }),
    findings: relevant,
    keepsOldServer: switched.some((record) => leadsElsewhere(facts, record, findings)),
    ...(visibleInSeconds !== undefined && { visibleInSeconds }),
  };
}

/** Whether a finding is about the records. CAA counts if it prevents every certificate. */
function isRelevant({ axis, severity }: Finding): boolean {
  if (axis === 'caa') return severity === 'block';
  return (axis === 'zone' || axis === 'record') && PROBLEMS.has(severity);
}

const PROBLEMS: ReadonlySet<Severity> = new Set<Severity>(['block', 'unknown', 'warn']);

/** A record that exists, with its TTL. */
type ExistingRecord = RecordFields & { ttl: number };

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
    ...own
      .flatMap(lookupsOf)
      .flatMap((lookup) => [...lookup.chain, ...lookup.records, ...(lookup.nextToAlias ?? [])]),
    ...others.flatMap((lookup) => lookup?.records ?? []),
  ];
  return new Map(records.map((record) => [fieldsKey(printableFields(facts, record)), record.ttl]));
}

/** The old records that visitors look up and that the new record replaces. Visitors look up no MX, TXT or CAA record. */
function switchedRecords({ domain }: Facts, old: readonly ExistingRecord[]): ExistingRecord[] {
  return old.filter(
    ({ type, name }) => ADDRESS_LOOKUP_TYPES.has(type) && name.toLowerCase() === domain.ascii,
  );
}

const ADDRESS_LOOKUP_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'DNAME', 'HTTPS', 'NS']);

/** Whether an old record leads to a server of another service. */
function leadsElsewhere(
  { target, platform }: Facts,
  { type, value }: RecordFields,
  findings: readonly Finding[],
): boolean {
  if (type !== 'A' && type !== 'AAAA') {
    return type === 'CNAME' && value !== target && !findings.some(({ id }) => LEADS_NOWHERE.has(id));
  }
  return reservedRange(value) === undefined && !platform.addresses.includes(value.toLowerCase());
}

/** The CNAME of these leads to no server. */
const LEADS_NOWHERE: ReadonlySet<FindingId> = new Set<FindingId>([
  'record.dangling',
  'record.doubled-label',
  'record.loop',
  'record.missing-dot',
  'record.typo-target',
]);

/** Seconds that resolvers keep a DS record to remove, and what another provider has in place of the record. */
function delaysElsewhere(facts: Facts, findings: readonly Finding[]): number[] {
  const changesDs = findings.some(({ axis, fix }) => axis === 'zone' && fix?.remove.some(isDs) === true);
  const ds = changesDs ? facts.dnssec.flatMap((signed) => signed.ds.records) : [];
  const lookups = serversOfOtherProvider(facts, findings).flatMap(({ a, aaaa }) => [a, aaaa]);
  const seen = lookups.flatMap((lookup) => [...lookup.chain, ...lookup.records]);
  const absences = lookups.flatMap(({ negativeTtl }) => negativeTtl ?? []);
  return [...[...ds, ...seen].map(({ ttl }) => ttl), ...absences];
}

function isDs({ type }: RecordFields): boolean {
  return type === 'DS';
}

/**
 * Seconds until all resolvers have a new record of the name, if no old record is replaced. They cache what the name has, such
 * as a wildcard's record or the addresses of a proxy, otherwise its absence.
 *
 * @param isThere Whether visitors see the right record already, next to others.
 */
function visibleAfter(facts: Facts, isThere: boolean): number | undefined {
  const decisive = decisiveServers(facts);
  if (decisive.length === 0) return undefined;
  if (isThere || isRightAtDecisiveServers(facts)) return 0;
  const seen = decisive.flatMap((server) => [
    ...aliasesAt(facts, server),
    ...[server.a, server.aaaa].flatMap((lookup) => recordsAt(facts, lookup)),
  ]);
  return seen.length > 0 ? Math.max(longestTtl(seen), ...absentFamilies(facts)) : negativeTtlAtMost(facts);
}

/** Seconds that resolvers keep the absence of addresses of one family, next to those of the other, which the target has. */
function absentFamilies(facts: Facts): number[] {
  const absent = (['a', 'aaaa'] as const).flatMap((family) =>
    facts.platform[family]?.outcome === 'value'
      ? decisiveServers(facts)
          .map((server) => server[family])
          .filter(({ outcome, chain }) => outcome === 'nodata' && chain.length === 0)
      : [],
  );
  return absent.map(({ negativeTtl }) => Math.min(negativeTtl ?? ABSENCE_MAX, ABSENCE_MAX));
}

/** The longest time that a resolver may cache an absence: the negative TTL of the zone. */
function negativeTtlAtMost({ servers }: Facts): number {
  const known = servers.flatMap(({ soa, zoneSoa }) =>
    zoneSoa === undefined ? [] : [Math.min(zoneSoa.minimum, ...soaTtls(soa))],
  );
  return known.length === 0 ? ABSENCE_MAX : Math.min(Math.max(...known), ABSENCE_MAX);
}

function soaTtls({ records }: Lookup): number[] {
  return records.flatMap(({ ttl, data }) => (data.type === 'SOA' ? [ttl] : []));
}

function longestTtl(records: readonly { ttl: number }[]): number {
  return Math.max(0, ...records.map(({ ttl }) => ttl));
}

function printableFields(facts: Facts, record: DnsRecord): RecordFields {
  const { type, name, label, value } = recordFields(facts, record);
  return { type, name: printable(name), label: printable(label), value: printable(value) };
}
