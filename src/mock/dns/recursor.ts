import { emptyResponse } from './authority.js';
import type { DnsResponse } from './dns-message.js';
import type { Name } from './name.js';
import { negativeTtl, targetOf, type Question, type ZoneRecord } from './record.js';
import type { CachedRecord } from './zone-file.js';

/** A recursive resolver: queries the authoritative servers, and caches the results. */
export type Recursor = (question: Question, now: number) => DnsResponse;

/** The authoritative servers that a resolver queries. */
export interface Upstream {
  /** The addresses of the name servers of the closest zone that contains a name. */
  serversOf(name: Name): readonly string[];
  /** Sends a query without RD. Returns `undefined` without a response. */
  query(address: string, question: Question, now: number): DnsResponse | undefined;
  /** The SOA record of a negative response for the name. */
  soaOf(name: Name): ZoneRecord | undefined;
}

/** Maximum cache times, in seconds: the defaults of Unbound. */
const POSITIVE_TTL_MAX = 86_400;
const NEGATIVE_TTL_MAX = 3_600;
const CHAIN_MAX = 16;
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
  const lookup = (question: Question, now: number): CacheEntry | undefined => {
    const { name, type } = question;
    const alias = cache.get(name, 'CNAME', now);
    // A negative entry for CNAME says nothing about other types.
    const cname = alias === undefined || alias.records.length === 0 ? undefined : alias;
    const cached = cache.get(name, type, now) ?? cname ?? cache.get(name, 'NXDOMAIN', now);
    if (cached !== undefined) return cached;
    const response = queryServers(upstream, question, now);
    if (response === undefined) return undefined;
    const own = response.answers.filter((record) => record.name === name);
    for (const wanted of [type, 'CNAME']) {
      const records = own.filter((record) => record.type === wanted);
      if (records.length > 0) return cache.put(name, wanted, positive(records, now));
    }
    const absence = negative(response, now);
    return cache.put(name, absence.rcode === 'NXDOMAIN' ? 'NXDOMAIN' : type, absence);
  };

  return (question, now) => {
    const answers: ZoneRecord[] = [];
    const seen = new Set<Name>();
    let { name } = question;
    while (!seen.has(name) && seen.size < CHAIN_MAX) {
      seen.add(name);
      const found = lookup({ name, type: question.type }, now);
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

/**
 * Returns the first usable response of the zone's servers. They are known, so a resolver of the mock follows no referrals from
 * the root. A DS record belongs to the parent zone (RFC 4035, section 3.1.4).
 */
function queryServers(upstream: Upstream, question: Question, now: number): DnsResponse | undefined {
  const { name, type } = question;
  for (const address of upstream.serversOf(type === 'DS' ? name.replace(/^[^.]*\.?/, '') : name)) {
    const response = upstream.query(address, question, now);
    if (response?.authoritative === true && /^(?:NOERROR|NXDOMAIN)$/.test(response.rcode)) return response;
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
