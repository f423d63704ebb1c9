import { emptyResponse } from './authority.js';
import type { DnsResponse } from './message.js';
import type { Name } from './name.js';
import { ipv4Of, negativeTtl, targetOf, type Question, type ZoneRecord } from './record.js';
import type { CachedRecord } from './zone-file.js';

/** A recursive resolver: queries the authoritative servers from the root down, and caches the results. */
export type Recursor = (question: Question, now: number) => DnsResponse;

/** The authoritative servers that a resolver queries. */
export interface Upstream {
  readonly roots: readonly string[];
  /** Sends a query without RD. Returns `undefined` without a response. */
  query(address: string, question: Question, now: number): DnsResponse | undefined;
  /** The SOA record of a negative response for the name. */
  soaOf(name: Name): ZoneRecord | undefined;
}

/** Maximum cache times, in seconds: the defaults of Unbound. */
const POSITIVE_TTL_MAX = 86_400;
const NEGATIVE_TTL_MAX = 3_600;
const CHAIN_MAX = 16;
const REFERRALS_MAX = 16;
/** Maximum nesting of lookups of name server addresses. */
const DEPTH_MAX = 8;
const ENTRIES_MAX = 10_000;

/** Cached records, or a negative response with its SOA record. */
interface CacheEntry {
  rcode: 'NOERROR' | 'NXDOMAIN';
  records: readonly ZoneRecord[];
  soa: ZoneRecord | undefined;
  storedAt: number;
  ttl: number;
}

/** @param cached records in the cache at the start, as if received at `startedAt`. */
export function createRecursor(
  upstream: Upstream,
  cached: readonly CachedRecord[] = [],
  startedAt = 0,
): Recursor {
  const cache = createCache();
  for (const record of cached) {
    const { name, type, ttl } = record;
    if (type === 'NXDOMAIN') {
      const soa = upstream.soaOf(name);
      cache.put(name, type, { rcode: type, records: [], soa, storedAt: startedAt, ttl });
    } else {
      const others = cache.get(name, type, startedAt)?.records ?? [];
      cache.put(name, type, positive([...others, record], startedAt));
    }
  }

  /** Returns the records of the type, a CNAME instead, or a negative entry: from the cache or from the servers. */
  const lookup = (question: Question, now: number, depth: number): CacheEntry | undefined => {
    const { name, type } = question;
    const alias = cache.get(name, 'CNAME', now);
    // A negative entry for CNAME says nothing about other types.
    const cname = alias === undefined || alias.records.length === 0 ? undefined : alias;
    const cached = cache.get(name, type, now) ?? cname ?? cache.get(name, 'NXDOMAIN', now);
    if (cached !== undefined) return cached;
    const response = queryFromRoot(upstream, question, now, (host) => addressesOf(host, now, depth + 1));
    if (response === undefined) return undefined;
    const own = response.answers.filter((record) => record.name === name);
    for (const wanted of [type, 'CNAME']) {
      const records = own.filter((record) => record.type === wanted);
      if (records.length > 0) return cache.put(name, wanted, positive(records, now));
    }
    const absence = negative(response, now);
    return cache.put(name, absence.rcode === 'NXDOMAIN' ? 'NXDOMAIN' : type, absence);
  };

  const resolveChain = (question: Question, now: number, depth: number): DnsResponse => {
    const answers: ZoneRecord[] = [];
    const seen = new Set<Name>();
    let { name } = question;
    while (!seen.has(name) && seen.size < CHAIN_MAX) {
      seen.add(name);
      const found = lookup({ name, type: question.type }, now, depth);
      if (found === undefined) break;
      answers.push(...found.records.map((record) => withRemainingTtl(record, found, now)));
      const [first] = found.records;
      if (first?.type !== 'CNAME' || question.type === 'CNAME') {
        const authority = found.soa === undefined ? [] : [withRemainingTtl(found.soa, found, now)];
        return { ...emptyResponse(found.rcode), answers, authority };
      }
      name = targetOf(first);
    }
    // A loop, a chain that is too long, or no response.
    return emptyResponse('SERVFAIL');
  };

  const addressesOf = (host: Name, now: number, depth: number): string[] => {
    if (depth > DEPTH_MAX) return [];
    return resolveChain({ name: host, type: 'A' }, now, depth)
      .answers.filter(({ type }) => type === 'A')
      .map(ipv4Of);
  };

  return (question, now) => resolveChain(question, now, 0);
}

function createCache() {
  const entries = new Map<string, CacheEntry>();
  return {
    /** Returns an entry that has not expired. */
    get(name: Name, type: string, now: number): CacheEntry | undefined {
      const key = `${name} ${type}`;
      const entry = entries.get(key);
      if (entry === undefined || now < entry.storedAt + entry.ttl * 1_000) return entry;
      entries.delete(key);
      return undefined;
    },
    /** Returns the entry. Drops the oldest one if there are too many. */
    put(name: Name, type: string, entry: CacheEntry): CacheEntry {
      const [oldest] = entries.keys();
      if (entries.size >= ENTRIES_MAX && oldest !== undefined) entries.delete(oldest);
      if (entry.ttl > 0) entries.set(`${name} ${type}`, entry);
      return entry;
    },
  };
}

/** Follows referrals from the root, with the first usable response of each zone. */
function queryFromRoot(
  upstream: Upstream,
  question: Question,
  now: number,
  addressesOf: (host: Name) => string[],
): DnsResponse | undefined {
  let servers: readonly string[] = upstream.roots;
  for (let step = 0; step < REFERRALS_MAX; step += 1) {
    const response = firstUsableResponse(upstream, servers, question, now);
    if (response === undefined || response.authoritative) return response;
    const hosts = response.authority.filter(({ type }) => type === 'NS').map(targetOf);
    servers = hosts.flatMap((host) => {
      const glue = response.additional.filter((record) => record.name === host && record.type === 'A');
      return glue.length > 0 ? glue.map(ipv4Of) : addressesOf(host);
    });
  }
  return undefined;
}

function firstUsableResponse(
  upstream: Upstream,
  servers: readonly string[],
  question: Question,
  now: number,
): DnsResponse | undefined {
  for (const address of servers) {
    const response = upstream.query(address, question, now);
    if (response === undefined || !['NOERROR', 'NXDOMAIN'].includes(response.rcode)) continue;
    if (response.authoritative || response.authority.some(({ type }) => type === 'NS')) return response;
  }
  return undefined;
}

function positive(records: readonly ZoneRecord[], now: number): CacheEntry {
  const ttl = Math.min(POSITIVE_TTL_MAX, ...records.map((record) => record.ttl));
  return { rcode: 'NOERROR', records, soa: undefined, storedAt: now, ttl };
}

function negative({ rcode, authority }: DnsResponse, now: number): CacheEntry {
  const soa = authority.find(({ type }) => type === 'SOA');
  const ttl = soa === undefined ? 0 : Math.min(NEGATIVE_TTL_MAX, negativeTtl(soa));
  return { rcode: rcode === 'NXDOMAIN' ? rcode : 'NOERROR', records: [], soa, storedAt: now, ttl };
}

function withRemainingTtl(record: ZoneRecord, { storedAt, ttl }: CacheEntry, now: number): ZoneRecord {
  return { ...record, ttl: Math.max(0, ttl - Math.floor((now - storedAt) / 1_000)) };
}
