import { createHash } from 'node:crypto';
import type { DnssecFacts, SignedLookups } from '../facts/facts.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import type { DnskeyData, DnsRecord, DsData, RrsigData } from '../../dns/dns.js';
import { TYPE_CODES } from '../../dns/record-data.js';

/** Why validating resolvers reject a zone. */
export type DnssecProblemKind =
  /** The parent has a DS record, and no server signs the zone. */
  | 'not-signed'
  /** No key of the zone matches a DS record. */
  | 'wrong-ds'
  /** A server returns records without a signature. */
  | 'unsigned-records'
  | 'expired'
  | 'not-yet-valid';

/** A problem, with the servers that have it. */
export interface DnssecProblem {
  kind: DnssecProblemKind;
  servers: readonly SignedLookups[];
  /** For `expired` and `not-yet-valid`: when the signatures end or start, in milliseconds since the epoch. */
  time?: number;
}

/**
 * Finds the problems of a signed zone from its records and dates. Does not verify the signatures themselves.
 *
 * @param now Milliseconds since the epoch.
 */
export function dnssecProblems(facts: DnssecFacts, now: number): DnssecProblem[] {
  const signers = facts.ds.records.flatMap(({ data }) => (data.type === 'DS' ? [data] : []));
  const known = facts.servers.filter(({ dnskey, record }) => isKnown(dnskey) && isKnown(record));
  // Resolvers treat a zone whose algorithms they do not know as not signed (RFC 4035, section 5.2).
  if (!signers.some(isSupported) || known.length === 0) return [];
  if (known.every(isUnsigned)) return [{ kind: 'not-signed', servers: known }];
  const found = known.flatMap((server) => {
    const problem = problemAt(server, facts.zone, signers, now / 1000);
    return problem === undefined ? [] : [{ ...problem, server }];
  });
  return [...new Set(found.map(({ kind }) => kind))].map((kind) => {
    const same = found.filter((one) => one.kind === kind);
    const time = same[0]?.time;
    return {
      kind,
      servers: same.map(({ server }) => server),
      ...(time !== undefined && { time: time * 1000 }),
    };
  });
}

/**
 * Whether every server of the zone shows a problem. Without EDNS, a server or a firewall removes signatures, so its
 * responses prove nothing.
 */
export function isProvedAtAll({ servers }: DnssecFacts, problem: DnssecProblem): boolean {
  return problem.servers.length === servers.length && problem.servers.every(hasEdns);
}

function hasEdns({ dnskey, record }: SignedLookups): boolean {
  return [dnskey, record].every(
    ({ exchange }) => exchange.kind === 'response' && exchange.response.withoutEdns !== true,
  );
}

function isUnsigned({ dnskey, record: { exchange } }: SignedLookups): boolean {
  const { answers, authority } = exchange.kind === 'response' ? exchange.response : NO_RECORDS;
  return keysIn(dnskey).length === 0 && ![...answers, ...authority].some(({ data }) => data.type === 'RRSIG');
}

const NO_RECORDS = { answers: [], authority: [] } as const;

function problemAt(
  server: SignedLookups,
  zone: string,
  signers: readonly DsData[],
  now: number,
): { kind: DnssecProblemKind; time?: number } | undefined {
  const { dnskey, record } = server;
  const keys = keysIn(dnskey);
  const trusted = keys.filter((key) => signers.some((ds) => matches(ds, key, zone)));
  if (keys.length === 0) return { kind: 'unsigned-records' };
  if (trusted.length === 0) return { kind: 'wrong-ds' };
  if (!hasEdns(server)) return undefined;
  return (
    signatureProblem(signaturesOf(dnskey, zone, zone, TYPE_CODES.DNSKEY), trusted, now) ??
    recordProblem(record, zone, keys, now)
  );
}

/** The problem of the first signed set: the record or its alias or, for an absence, the SOA record. */
function recordProblem(lookup: Lookup, zone: string, keys: readonly DnskeyData[], now: number) {
  if (lookup.exchange.kind !== 'response') return undefined;
  const { answers, authority } = lookup.exchange.response;
  const own = [...answers, ...authority].find(
    ({ name, data }) =>
      data.type !== 'RRSIG' &&
      data.type in TYPE_CODES &&
      (name.toLowerCase() === lookup.question.name || data.type === 'SOA'),
  );
  // A referral to a zone below has no signed set of this zone.
  if (own === undefined || own.data.type === 'OTHER' || own.data.type === 'NS') return undefined;
  return signatureProblem(
    signaturesOf(lookup, zone, own.name.toLowerCase(), TYPE_CODES[own.data.type]),
    keys,
    now,
  );
}

/** A set of records is valid if one of its signatures is. */
function signatureProblem(
  signatures: readonly RrsigData[],
  keys: readonly DnskeyData[],
  now: number,
): { kind: DnssecProblemKind; time?: number } | undefined {
  const own = signatures.filter(({ keyTag }) => keys.some((key) => key.keyTag === keyTag));
  if (own.length === 0) return { kind: 'unsigned-records' };
  if (own.some(({ inception, expiration }) => inception <= now && now <= expiration)) return undefined;
  const expired = own.filter(({ expiration }) => expiration < now);
  return expired.length > 0
    ? { kind: 'expired', time: Math.max(...expired.map(({ expiration }) => expiration)) }
    : { kind: 'not-yet-valid', time: Math.min(...own.map(({ inception }) => inception)) };
}

function signaturesOf({ exchange }: Lookup, zone: string, owner: string, covered: number): RrsigData[] {
  if (exchange.kind !== 'response') return [];
  const { answers, authority } = exchange.response;
  return [...answers, ...authority].flatMap(({ name, data }: DnsRecord) =>
    data.type === 'RRSIG' && data.covered === covered && name.toLowerCase() === owner && data.signer === zone
      ? [data]
      : [],
  );
}

const ZONE_KEY = 0x0100;
const REVOKED = 0x0080;

/** The keys that may sign the zone. */
function keysIn({ records }: Lookup): DnskeyData[] {
  return records.flatMap(({ data }) =>
    data.type === 'DNSKEY' && (data.flags & ZONE_KEY) !== 0 && (data.flags & REVOKED) === 0 ? [data] : [],
  );
}

/** Algorithms and digests that resolvers must or may support (RFC 8624, section 3). */
const ALGORITHMS: ReadonlySet<number> = new Set([5, 7, 8, 10, 13, 14, 15, 16]);
const DIGESTS: ReadonlyMap<number, string> = new Map([
  [1, 'sha1'],
  [2, 'sha256'],
  [4, 'sha384'],
]);

function isSupported({ algorithm, digestType }: DsData): boolean {
  return ALGORITHMS.has(algorithm) && DIGESTS.has(digestType);
}

/**
 * Whether a DS record is the digest of a key (RFC 4034, section 5.1.4). A digest that can't be computed may be the right
 * one.
 */
function matches({ keyTag, algorithm, digestType, digest }: DsData, key: DnskeyData, zone: string): boolean {
  if (keyTag !== key.keyTag || algorithm !== key.algorithm) return false;
  const hash = DIGESTS.get(digestType);
  if (hash === undefined) return true;
  const owner = Buffer.concat(
    [...zone.split('.'), ''].map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
  );
  return createHash(hash).update(owner).update(Buffer.from(key.rdata, 'hex')).digest('hex') === digest;
}
