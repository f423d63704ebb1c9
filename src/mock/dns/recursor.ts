import { emptyResponse } from './authority.js';
import type { DnsResponse } from './message.js';
import type { Name } from './name.js';
import { ipv4Of, isSoa, negativeTtl, targetOf, type Question, type ZoneRecord } from './record.js';
import type { CachedRecord } from './zone-file.js';

/** A recursive resolver: finds answers by asking authoritative servers from the root down, and remembers them. */
export interface Recursor {
  resolve(question: Question, now: number): DnsResponse;
  /** Forgets everything, and remembers these as if just heard. */
  restart(remembered: readonly CachedRecord[], now: number): void;
}

/** What it asks. */
export interface Upstream {
  readonly roots: readonly string[];
  /** Without recursion. `undefined` where no answer comes. */
  query(address: string, question: Question, now: number): DnsResponse | undefined;
  /** The start of authority that comes with a refusal of the name. */
  soaOf(name: Name): ZoneRecord | undefined;
}

/** The longest that unbound remembers what is there, and what is not, in seconds. */
const POSITIVE_TTL_MAX = 86_400;
const NEGATIVE_TTL_MAX = 3_600;
const CHAIN_MAX = 16;
const REFERRALS_MAX = 16;
/** How deep the search for the address of a name server may go into that of others. */
const DEPTH_MAX = 8;
const ENTRIES_MAX = 10_000;

/** Something remembered: records, or a refusal with the start of authority that says for how long. */
interface CacheEntry {
  rcode: 'NOERROR' | 'NXDOMAIN';
  records: readonly ZoneRecord[];
  soa: ZoneRecord | undefined;
  storedAt: number;
  ttl: number;
}

export function createRecursor(upstream: Upstream): Recursor {
  const cache = new Map<string, CacheEntry>();

  const getCached = (name: Name, type: string, now: number): CacheEntry | undefined => {
    const key = `${name} ${type}`;
    const known = cache.get(key);
    if (known === undefined || now < known.storedAt + known.ttl * 1_000) return known;
    cache.delete(key);
    return undefined;
  };
  const putCached = (name: Name, type: string, known: CacheEntry): CacheEntry => {
    const [oldest] = cache.keys();
    if (cache.size >= ENTRIES_MAX && oldest !== undefined) cache.delete(oldest);
    if (known.ttl > 0) cache.set(`${name} ${type}`, known);
    return known;
  };

  /** From memory, or from whoever is responsible: the records of the type, the CNAME instead of it, or that there is none. */
  const lookup = (question: Question, now: number, depth: number): CacheEntry | undefined => {
    const { name, type } = question;
    const alias = getCached(name, 'CNAME', now);
    // That there is no CNAME says nothing of other types.
    const elsewhere = alias === undefined || alias.records.length === 0 ? undefined : alias;
    const known = getCached(name, type, now) ?? elsewhere ?? getCached(name, 'NXDOMAIN', now);
    if (known !== undefined) return known;
    const reply = queryFromRoot(upstream, question, now, (host) => addressesOf(host, now, depth + 1));
    if (reply === undefined) return undefined;
    const own = reply.answers.filter((record) => record.name === name);
    for (const wanted of [type, 'CNAME']) {
      const records = own.filter((record) => record.type === wanted);
      if (records.length > 0) return putCached(name, wanted, positive(records, now));
    }
    const nothing = negative(reply, now);
    return putCached(name, nothing.rcode === 'NXDOMAIN' ? 'NXDOMAIN' : type, nothing);
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
    // A loop, a chain without an end, or nobody answered.
    return emptyResponse('SERVFAIL');
  };

  const addressesOf = (host: Name, now: number, depth: number): string[] => {
    if (depth > DEPTH_MAX) return [];
    return resolveChain({ name: host, type: 'A' }, now, depth)
      .answers.filter(({ type }) => type === 'A')
      .map(ipv4Of);
  };

  return {
    resolve: (question, now) => resolveChain(question, now, 0),
    restart(remembered, now) {
      cache.clear();
      for (const record of remembered) {
        const { name, type, ttl } = record;
        if (type === 'NXDOMAIN') {
          const soa = upstream.soaOf(name);
          putCached(name, type, { rcode: type, records: [], soa, storedAt: now, ttl });
        } else {
          const others = getCached(name, type, now)?.records ?? [];
          putCached(name, type, positive([...others, record], now));
        }
      }
    },
  };
}

/** Follows referrals from the root to an answer; those that lead round in circles, not for ever. The first server of each zone that has something to say decides. */
function queryFromRoot(
  upstream: Upstream,
  question: Question,
  now: number,
  addressesOf: (host: Name) => string[],
): DnsResponse | undefined {
  let servers: readonly string[] = upstream.roots;
  for (let step = 0; step < REFERRALS_MAX; step += 1) {
    const reply = firstUsableResponse(upstream, servers, question, now);
    if (reply === undefined || reply.authoritative) return reply;
    servers = reply.authority.map(targetOf).flatMap((host) => {
      const given = reply.additional.filter((record) => record.name === host && record.type === 'A');
      return given.length > 0 ? given.map(ipv4Of) : addressesOf(host);
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
    const reply = upstream.query(address, question, now);
    if (reply === undefined || !['NOERROR', 'NXDOMAIN'].includes(reply.rcode)) continue;
    if (reply.authoritative || reply.authority.some(({ type }) => type === 'NS')) return reply;
  }
  return undefined;
}

function positive(records: readonly ZoneRecord[], now: number): CacheEntry {
  const ttl = Math.min(POSITIVE_TTL_MAX, ...records.map((record) => record.ttl));
  return { rcode: 'NOERROR', records, soa: undefined, storedAt: now, ttl };
}

function negative({ rcode, authority }: DnsResponse, now: number): CacheEntry {
  const soa = authority.find(isSoa);
  const ttl = soa === undefined ? 0 : Math.min(NEGATIVE_TTL_MAX, negativeTtl(soa));
  return { rcode: rcode === 'NXDOMAIN' ? rcode : 'NOERROR', records: [], soa, storedAt: now, ttl };
}

function withRemainingTtl(record: ZoneRecord, { storedAt, ttl }: CacheEntry, now: number): ZoneRecord {
  return { ...record, ttl: Math.max(0, ttl - Math.floor((now - storedAt) / 1_000)) };
}
