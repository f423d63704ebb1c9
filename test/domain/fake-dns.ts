import type {
  DnsClient,
  DnsExchange,
  DnsQuestion,
  DnsRecord,
  DnsResponse,
  DnsServer,
  RecordData,
  SoaData,
} from '../../src/domain/dns/dns.js';

/** Lines of a zone: `name [TTL] TYPE data`; names relative to the zone, or absolute with a final dot; `@` for the zone. */
export type ZoneText = Readonly<Record<string, readonly string[]>>;

/** How a server fails. */
export type Fault = 'silent' | 'unreachable' | 'REFUSED' | 'SERVFAIL' | 'lame';

/** Simulated name servers. */
export interface World {
  /** Zones by name. An SOA is added if the lines have none. */
  zones: ZoneText;
  /** Which zones each address serves. */
  servers: Readonly<Record<string, readonly string[]>>;
  /** Addresses of resolvers. They resolve all zones, except for `cached`. */
  resolvers?: readonly string[];
  faults?: Readonly<Record<string, Fault>>;
  /** Other copies of zones, by `ADDRESS ZONE`. */
  copies?: Readonly<Record<string, readonly string[]>>;
  /** Cached records of all resolvers, by `TYPE NAME`: lines as in a zone; empty for NXDOMAIN. */
  cached?: Readonly<Record<string, readonly string[]>>;
  /** Response codes of single queries, by `ADDRESS TYPE NAME`. */
  rcodes?: Readonly<Record<string, string>>;
  /** Replaces responses: called for each `ADDRESS TYPE NAME`. `undefined` keeps the response. */
  replace?: (query: string) => DnsExchange | undefined;
  /** Milliseconds, for TTLs that count down. */
  now?: () => number;
}

/** A client of these servers, with a log of its queries. */
export interface FakeDns extends DnsClient {
  /** `ADDRESS TYPE NAME`, with `+rd` in front if recursion is desired. */
  readonly queries: string[];
  /** The world may change between two checks. */
  world: World;
}

export function fakeDns(world: World): FakeDns {
  const queries: string[] = [];
  return {
    queries,
    world,
    // A turn of the event loop, so that concurrent queries overlap.
    async query(server, question, { recursive, signal }) {
      queries.push(`${recursive ? '+rd ' : ''}${server.address} ${question.type} ${question.name}`);
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted === true) return failure('aborted', 'stopped');
      const replaced = this.world.replace?.(`${server.address} ${question.type} ${question.name}`);
      if (replaced === undefined) return exchangeFor(this.world, server, question, recursive);
      return recursive ? fromCache(this.world, replaced) : replaced;
    },
    close() {
      queries.push('closed');
    },
  };
}

function exchangeFor(
  world: World,
  server: DnsServer,
  question: DnsQuestion,
  recursive: boolean,
): DnsExchange {
  const { address } = server;
  const fault = world.faults?.[address];
  if (fault === 'silent') return failure('timeout', 'no response within 2 s');
  if (fault === 'unreachable') return failure('unreachable', 'connection refused');
  const rcode = world.rcodes?.[`${address} ${question.type} ${question.name}`];
  if (rcode !== undefined) return respond({ rcode });
  if (fault === 'REFUSED' || fault === 'SERVFAIL') return respond({ rcode: fault });
  if (fault === 'lame') return respond({});
  if (world.resolvers?.includes(address) === true) {
    return recursive ? resolve(world, question) : respond({ rcode: 'REFUSED' });
  }
  const served = world.servers[address];
  if (served === undefined) return failure('timeout', 'no response within 2 s');
  const zone = deepest(served, question.name);
  if (zone === undefined) return respond({ rcode: 'REFUSED' });
  return fromZone(world, served, zone, question, world.copies?.[`${address} ${zone}`]);
}

/** What a resolver has had in its cache since the start. */
function fromCache(world: World, exchange: DnsExchange): DnsExchange {
  if (exchange.kind === 'failure') return exchange;
  const { response } = exchange;
  const answers = cachedFor(world, response.answers);
  return { ...exchange, response: { ...response, answers, authority: cachedFor(world, response.authority) } };
}

function cachedFor(world: World, records: readonly DnsRecord[]): DnsRecord[] {
  const elapsed = Math.floor((world.now?.() ?? 0) / 1000);
  return records.map((record) => ({ ...record, ttl: Math.max(0, record.ttl - elapsed) }));
}

/** RFC 1034, section 4.3.2. */
function fromZone(
  world: World,
  served: readonly string[],
  zone: string,
  question: DnsQuestion,
  copy: readonly string[] | undefined,
): DnsExchange {
  const records = readZone(zone, copy ?? world.zones[zone] ?? []);
  const referral = referralFor(records, zone, question.name);
  if (referral !== undefined) return respond(referral);
  const answers: DnsRecord[] = [];
  const soa = records.filter(({ data }) => data.type === 'SOA');
  let at = question.name;
  for (;;) {
    const own = ownersOf(records, zone, at);
    const wanted = own.filter(({ data }) => data.type === question.type);
    const alias = own.find(({ data }) => data.type === 'CNAME');
    if (wanted.length > 0) return respond({ authoritative: true, answers: [...answers, ...wanted] });
    if (alias?.data.type === 'CNAME') {
      const seen = answers.some(({ name }) => name === at);
      if (seen) return respond({ authoritative: true, answers });
      answers.push(...own.filter(({ data }) => data.type === 'CNAME'));
      at = alias.data.target;
      const beyond = referralFor(records, zone, at);
      if (deepest(served, at) === zone && beyond === undefined) continue;
      return respond({ authoritative: true, answers, ...beyond });
    }
    const synthesised = synthesise(world, own, question, at);
    if (synthesised !== undefined) return synthesised;
    const exists = own.length > 0 || records.some(({ name }) => name.endsWith(`.${at}`));
    return respond({ authoritative: true, rcode: exists ? 'NOERROR' : 'NXDOMAIN', answers, authority: soa });
  }
}

/** Expands an ALIAS as PowerDNS does: the target's addresses under its own name, with a TTL that counts down. */
function synthesise(
  world: World,
  own: readonly DnsRecord[],
  question: DnsQuestion,
  name: string,
): DnsExchange | undefined {
  const alias = own.find(({ data }) => data.type === 'DNAME');
  if (alias?.data.type !== 'DNAME' || (question.type !== 'A' && question.type !== 'AAAA')) return undefined;
  const looked = resolve(world, { name: alias.data.target, type: question.type });
  const found =
    looked.kind === 'response'
      ? looked.response.answers.filter(({ data }) => data.type === question.type)
      : [];
  const elapsed = Math.floor((world.now?.() ?? 0) / 1000);
  const answers = found.map(({ ttl, data }) => ({ name, ttl: ttl - (elapsed % ttl), data }));
  return answers.length === 0 ? undefined : respond({ authoritative: true, answers });
}

function resolve(world: World, question: DnsQuestion, depth = 0): DnsExchange {
  const memory = world.cached?.[`${question.type} ${question.name}`];
  const flags = { recursionAvailable: true };
  if (memory !== undefined) {
    const records = cachedFor(world, readZone(question.name, memory));
    const answers = records.filter(({ data }) => data.type !== 'SOA');
    const name = deepest(Object.keys(world.zones), question.name) ?? question.name;
    const authority = records.filter(({ data }) => data.type === 'SOA').map((soa) => ({ ...soa, name }));
    return respond({ ...flags, rcode: answers.length > 0 ? 'NOERROR' : 'NXDOMAIN', answers, authority });
  }
  const zone = deepest(Object.keys(world.zones), question.name);
  if (zone === undefined) return respond({ ...flags, rcode: 'NXDOMAIN' });
  const exchange = fromZone(world, [zone], zone, question, undefined);
  if (exchange.kind === 'failure') return exchange;
  const { answers, authority, rcode } = exchange.response;
  // A delegation to a zone without servers.
  if (!exchange.response.authoritative) return respond({ ...flags, rcode: 'SERVFAIL' });
  const last = answers.at(-1);
  if (last?.data.type !== 'CNAME' || question.type === 'CNAME' || rcode === 'NXDOMAIN') {
    return respond({ ...flags, rcode, answers, authority });
  }
  if (depth > 8) return respond({ ...flags, rcode: 'SERVFAIL' });
  const rest = resolve(world, { name: last.data.target, type: question.type }, depth + 1);
  if (rest.kind === 'failure' || rest.response.rcode === 'SERVFAIL') return rest;
  return respond({ ...rest.response, authoritative: false, answers: [...answers, ...rest.response.answers] });
}

/** The referral to a zone below, if the name is in one. */
function referralFor(
  records: readonly DnsRecord[],
  zone: string,
  name: string,
): Pick<DnsResponse, 'authority' | 'additional'> | undefined {
  const cut = records.find(
    ({ name: owner, data }) => data.type === 'NS' && owner !== zone && isWithin(name, owner),
  )?.name;
  if (cut === undefined) return undefined;
  const authority = records.filter(
    ({ name: owner, data }) => (data.type === 'NS' || data.type === 'DS') && owner === cut,
  );
  const hosts = authority.flatMap(({ data }) => (data.type === 'NS' ? [data.target] : []));
  const additional = records.filter(({ name: owner, data }) => data.type === 'A' && hosts.includes(owner));
  return { authority, additional };
}

function ownersOf(records: readonly DnsRecord[], zone: string, at: string): DnsRecord[] {
  const own = records.filter(({ name }) => name === at);
  if (own.length > 0 || at === zone || records.some(({ name }) => name.endsWith(`.${at}`))) return own;
  // The wildcard is below the closest encloser (RFC 4592, section 3.3.1).
  const exists = (above: string): boolean =>
    above === zone || records.some(({ name }) => name === above || name.endsWith(`.${above}`));
  let encloser = at;
  do encloser = encloser.slice(encloser.indexOf('.') + 1);
  while (!exists(encloser));
  return records.filter(({ name }) => name === `*.${encloser}`).map((record) => ({ ...record, name: at }));
}

function deepest(zones: readonly string[], name: string): string | undefined {
  return zones.filter((zone) => isWithin(name, zone)).sort((one, other) => other.length - one.length)[0];
}

function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** Reads a zone's lines. */
export function readZone(zone: string, lines: readonly string[]): DnsRecord[] {
  const records = lines.map((line) => readLine(zone, line));
  if (records.some(({ data }) => data.type === 'SOA')) return records;
  return [...records, readLine(zone, '@ 900 SOA ns1 1')];
}

function readLine(zone: string, line: string): DnsRecord {
  const [, owner = '', ttl = '3600', type = '', rest = ''] =
    /^(\S+)\s+(?:(\d+)\s+)?([A-Z]+)\s+(.*)$/.exec(line) ?? [];
  const absolute = (name: string): string =>
    name === '@' ? zone : name.endsWith('.') ? name.slice(0, -1) : `${name}.${zone}`;
  return { name: absolute(owner), ttl: Number(ttl), data: readData(type, rest.split(' '), absolute) };
}

function readData(type: string, words: readonly string[], absolute: (name: string) => string): RecordData {
  const [first = '', second = '', third = ''] = words;
  switch (type) {
    case 'A':
    case 'AAAA':
      return { type, address: first };
    case 'CNAME':
    case 'NS':
      return { type, target: absolute(first) };
    case 'ALIAS':
      return { type: 'DNAME', target: absolute(first) };
    case 'MX':
      return { type, preference: Number(first), target: absolute(second) };
    case 'TXT':
      return { type, text: words.join(' ') };
    case 'CAA':
      return { type, flags: Number(first), tag: second, value: third.replaceAll('"', '') };
    case 'SRV': {
      const [priority = 0, weight = 0, port = 0] = words.map(Number);
      return { type, priority, weight, port, target: absolute(words[3] ?? '') };
    }
    case 'HTTPS':
      return { type, priority: Number(first), target: absolute(second), addressHints: [] };
    case 'DS': {
      const [keyTag = 0, algorithm = 0, digestType = 0] = words.map(Number);
      return { type, keyTag, algorithm, digestType, digest: words[3] ?? '' };
    }
    case 'SOA':
      return soaOf(absolute(first), Number(second), Number(third || 900));
    default:
      throw new Error(`fakeDns does not support ${type}`);
  }
}

function soaOf(primary: string, serial: number, minimum: number): SoaData {
  return { type: 'SOA', primary, serial, refresh: 3600, minimum };
}

/** A response with the given parts. */
export function respond(parts: Partial<DnsResponse>): DnsExchange {
  return {
    kind: 'response',
    elapsedMs: 1,
    response: {
      rcode: 'NOERROR',
      authoritative: false,
      recursionAvailable: false,
      answers: [],
      authority: [],
      additional: [],
      extendedErrors: [],
      over: 'udp',
      ...parts,
    },
  };
}

export function failure(
  reason: 'timeout' | 'unreachable' | 'malformed' | 'aborted',
  detail: string,
): DnsExchange {
  return { kind: 'failure', reason, detail, elapsedMs: 2_000 };
}
