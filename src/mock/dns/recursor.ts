import { replyOf } from './authority.js';
import type { Reply } from './message.js';
import type { Name } from './name.js';
import { ipv4Of, isSoa, negativeTtl, targetOf, type Question, type ZoneRecord } from './record.js';
import type { RememberedRecord } from './zone-file.js';

/** A recursive resolver: finds answers by asking authoritative servers from the root down, and remembers them. */
export interface Recursor {
  resolve(question: Question, now: number): Reply;
  /** Forgets everything, and remembers these as if just heard. */
  restart(remembered: readonly RememberedRecord[], now: number): void;
}

/** What it asks. */
export interface Upstream {
  readonly roots: readonly string[];
  /** Without recursion. `undefined` where no answer comes. */
  ask(address: string, question: Question, now: number): Reply | undefined;
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
interface Memory {
  rcode: 'NOERROR' | 'NXDOMAIN';
  records: readonly ZoneRecord[];
  soa: ZoneRecord | undefined;
  storedAt: number;
  ttl: number;
}

export function createRecursor(upstream: Upstream): Recursor {
  const memory = new Map<string, Memory>();

  const recall = (name: Name, type: string, now: number): Memory | undefined => {
    const key = `${name} ${type}`;
    const known = memory.get(key);
    if (known === undefined || now < known.storedAt + known.ttl * 1_000) return known;
    memory.delete(key);
    return undefined;
  };
  const remember = (name: Name, type: string, known: Memory): Memory => {
    const [oldest] = memory.keys();
    if (memory.size >= ENTRIES_MAX && oldest !== undefined) memory.delete(oldest);
    if (known.ttl > 0) memory.set(`${name} ${type}`, known);
    return known;
  };

  /** From memory, or from whoever is responsible: the records of the type, the CNAME instead of it, or that there is none. */
  const find = (question: Question, now: number, depth: number): Memory | undefined => {
    const { name, type } = question;
    const alias = recall(name, 'CNAME', now);
    // That there is no CNAME says nothing of other types.
    const elsewhere = alias === undefined || alias.records.length === 0 ? undefined : alias;
    const known = recall(name, type, now) ?? elsewhere ?? recall(name, 'NXDOMAIN', now);
    if (known !== undefined) return known;
    const reply = descend(upstream, question, now, (host) => addressesOf(host, now, depth + 1));
    if (reply === undefined) return undefined;
    const own = reply.answers.filter((record) => record.name === name);
    for (const wanted of [type, 'CNAME']) {
      const records = own.filter((record) => record.type === wanted);
      if (records.length > 0) return remember(name, wanted, positive(records, now));
    }
    const nothing = negative(reply, now);
    return remember(name, nothing.rcode === 'NXDOMAIN' ? 'NXDOMAIN' : type, nothing);
  };

  const follow = (question: Question, now: number, depth: number): Reply => {
    const answers: ZoneRecord[] = [];
    const seen = new Set<Name>();
    let { name } = question;
    while (!seen.has(name) && seen.size < CHAIN_MAX) {
      seen.add(name);
      const found = find({ name, type: question.type }, now, depth);
      if (found === undefined) break;
      answers.push(...found.records.map((record) => aged(record, found, now)));
      const [first] = found.records;
      if (first?.type !== 'CNAME' || question.type === 'CNAME') {
        const authority = found.soa === undefined ? [] : [aged(found.soa, found, now)];
        return { ...replyOf(found.rcode), answers, authority };
      }
      name = targetOf(first);
    }
    // A loop, a chain without an end, or nobody answered.
    return replyOf('SERVFAIL');
  };

  const addressesOf = (host: Name, now: number, depth: number): string[] => {
    if (depth > DEPTH_MAX) return [];
    return follow({ name: host, type: 'A' }, now, depth)
      .answers.filter(({ type }) => type === 'A')
      .map(ipv4Of);
  };

  return {
    resolve: (question, now) => follow(question, now, 0),
    restart(remembered, now) {
      memory.clear();
      for (const record of remembered) {
        const { name, type, ttl } = record;
        if (type === 'NXDOMAIN') {
          const soa = upstream.soaOf(name);
          remember(name, type, { rcode: type, records: [], soa, storedAt: now, ttl });
        } else {
          const others = recall(name, type, now)?.records ?? [];
          remember(name, type, positive([...others, record], now));
        }
      }
    },
  };
}

/** Follows referrals from the root to an answer; those that lead round in circles, not for ever. The first server of each zone that has something to say decides. */
function descend(
  upstream: Upstream,
  question: Question,
  now: number,
  addressesOf: (host: Name) => string[],
): Reply | undefined {
  let servers: readonly string[] = upstream.roots;
  for (let step = 0; step < REFERRALS_MAX; step += 1) {
    const reply = firstUseful(upstream, servers, question, now);
    if (reply === undefined || reply.authoritative) return reply;
    servers = reply.authority.map(targetOf).flatMap((host) => {
      const given = reply.additional.filter((record) => record.name === host && record.type === 'A');
      return given.length > 0 ? given.map(ipv4Of) : addressesOf(host);
    });
  }
  return undefined;
}

function firstUseful(
  upstream: Upstream,
  servers: readonly string[],
  question: Question,
  now: number,
): Reply | undefined {
  for (const address of servers) {
    const reply = upstream.ask(address, question, now);
    if (reply === undefined || !['NOERROR', 'NXDOMAIN'].includes(reply.rcode)) continue;
    if (reply.authoritative || reply.authority.some(({ type }) => type === 'NS')) return reply;
  }
  return undefined;
}

function positive(records: readonly ZoneRecord[], now: number): Memory {
  const ttl = Math.min(POSITIVE_TTL_MAX, ...records.map((record) => record.ttl));
  return { rcode: 'NOERROR', records, soa: undefined, storedAt: now, ttl };
}

function negative({ rcode, authority }: Reply, now: number): Memory {
  const soa = authority.find(isSoa);
  const ttl = soa === undefined ? 0 : Math.min(NEGATIVE_TTL_MAX, negativeTtl(soa));
  return { rcode: rcode === 'NXDOMAIN' ? rcode : 'NOERROR', records: [], soa, storedAt: now, ttl };
}

function aged(record: ZoneRecord, { storedAt, ttl }: Memory, now: number): ZoneRecord {
  return { ...record, ttl: Math.max(0, ttl - Math.floor((now - storedAt) / 1_000)) };
}
