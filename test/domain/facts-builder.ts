import type {
  ChainStep,
  Facts,
  RelatedNames,
  ResolverFacts,
  ServerFacts,
  WildcardFacts,
} from '../../src/domain/gather/facts/facts.js';
import type { Lookup } from '../../src/domain/gather/facts/lookup.js';
import { EMPTY_ZONE } from '../../src/domain/gather/zone.js';
import type {
  DnsQuestion,
  DnsRecord,
  DnsResponse,
  DnsServer,
  RecordType,
  QueryFailureReason,
} from '../../src/domain/dns/dns.js';

/** Facts for tests: a healthy subdomain or apex, with overrides. */

export const NAME = 'shop.example.com';
export const ZONE = 'example.com';
export const TARGET = 'cname.platform.test';
export const TARGET_A = '198.51.100.10';
export const TARGET_AAAA = '2001:db8::10';
/** 2026-11-21T14:18:00Z */
export const QUERIED_AT = Date.UTC(2026, 10, 21, 14, 18);

/** The record to set for the subdomain. */
export const WANTED = { type: 'CNAME', name: NAME, label: 'shop', value: TARGET, ttl: 3600 };

/** Makes the lookup of one query at one server. */
export type QueryResult = (question: DnsQuestion, server: DnsServer) => Lookup;

type QueriedType = 'soa' | 'cname' | 'a' | 'aaaa' | 'mx' | 'txt' | 'https' | 'aRepeated';

const TYPES: Readonly<Record<QueriedType, RecordType>> = {
  soa: 'SOA',
  cname: 'CNAME',
  a: 'A',
  aaaa: 'AAAA',
  mx: 'MX',
  txt: 'TXT',
  https: 'HTTPS',
  aRepeated: 'A',
};

/** Facts that differ from those of a healthy domain. Related names are merged. */
export type FactsOverrides = Partial<Omit<Facts, 'relatedNames'>> & { relatedNames?: Partial<RelatedNames> };

export function buildFacts({ relatedNames, ...overrides }: FactsOverrides = {}): Facts {
  return {
    domain: { input: NAME, ascii: NAME, unicode: NAME },
    target: TARGET,
    plan: { name: 'Pro', paid: true, inferred: false },
    deployed: true,
    queriedAt: QUERIED_AT,
    zone: buildZone(),
    servers: [buildServer(1), buildServer(2)],
    platform: {
      a: lookupOf('A', value(a(TARGET, TARGET_A, 60)), TARGET),
      aaaa: lookupOf('AAAA', value(aaaa(TARGET, TARGET_AAAA, 60)), TARGET),
      addresses: [TARGET_A, TARGET_AAAA],
      ttl: 60,
    },
    relatedNames: {
      doubled: lookupOf('CNAME', nxdomain(), `${NAME}.${ZONE}`),
      doubledControl: lookupOf('CNAME', nxdomain(), `random.${NAME}.${ZONE}`),
      chain: chainOf(NAME, TARGET),
      ...relatedNames,
    },
    caa: {
      steps: [
        { name: NAME, lookup: lookupOf('CAA', nodata()) },
        { name: ZONE, lookup: lookupOf('CAA', nodata(), ZONE) },
        { name: 'com', lookup: lookupOf('CAA', nodata(), 'com') },
      ],
      owner: undefined,
      records: [],
      issuer: 'letsencrypt.org',
    },
    dnssec: [],
    resolvers: [buildResolver('192.0.2.53'), buildResolver('192.0.2.54')],
    ...overrides,
  };
}

/** The aliases from name to name. */
export function chainOf(...names: string[]): ChainStep[] {
  return names.slice(1).map((to, index) => ({ from: names[index] ?? '', to, ttl: 3600 }));
}

/** A wildcard, seen at a random name. */
export function wildcardOf(type: RecordType, record: DnsRecord): WildcardFacts {
  const name = `x7.${NAME}`;
  return { name: `*.${ZONE}`, lookup: lookupOf(type, value({ ...record, name }), name) };
}

/** The apex of the zone, with an ALIAS whose TTL counts down. */
export function buildApexFacts(overrides: Partial<Facts> = {}): Facts {
  const facts = buildFacts();
  return {
    ...facts,
    domain: { input: ZONE, ascii: ZONE, unicode: ZONE },
    zone: buildZone({ kind: 'apex' }),
    servers: [buildApexServer(1), buildApexServer(2)],
    relatedNames: { doubled: undefined, doubledControl: undefined, chain: [] },
    resolvers: [
      buildResolver('192.0.2.53', {
        a: value(a(ZONE, TARGET_A, 60)),
        aaaa: value(aaaa(ZONE, TARGET_AAAA, 60)),
        cname: nodata(),
      }),
    ],
    ...overrides,
  };
}

export function buildZone(overrides: Partial<Facts['zone']> = {}): Facts['zone'] {
  return {
    ...EMPTY_ZONE,
    name: ZONE,
    kind: 'subdomain',
    decidedBy: 'zone-cut',
    registrable: ZONE,
    delegation: lookupOf('NS', value(ns(ZONE, 'ns1.example.net'), ns(ZONE, 'ns2.example.net')), ZONE),
    parentHosts: ['ns1.example.net', 'ns2.example.net'],
    ownHosts: ['ns1.example.net', 'ns2.example.net'],
    ...overrides,
  };
}

export interface ServerOptions {
  serial?: number;
  address?: string;
  name?: string;
}

/** `ns1`, `ns2`, …; by default with the records of a correct subdomain. */
export function buildServer(
  index: number,
  answers: Partial<Record<QueriedType, QueryResult>> = {},
  { serial = 10, address = `192.0.2.${index}`, name = NAME }: ServerOptions = {},
): ServerFacts {
  const server: DnsServer = { address, port: 53, transport: 'dns', host: `ns${index}.example.net` };
  const soaData = { type: 'SOA', primary: 'ns1.example.net', serial, refresh: 7200, minimum: 900 } as const;
  const healthy: Record<Exclude<QueriedType, 'aRepeated'>, QueryResult> = {
    soa: value({ name: ZONE, ttl: 3600, data: soaData }),
    cname: value(cname(name, TARGET)),
    a: throughAlias(cname(name, TARGET)),
    aaaa: throughAlias(cname(name, TARGET)),
    mx: besideAlias(answers.cname ?? value(cname(name, TARGET))),
    txt: besideAlias(answers.cname ?? value(cname(name, TARGET))),
    https: besideAlias(answers.cname ?? value(cname(name, TARGET))),
  };
  const lookup = (queried: QueriedType, result: QueryResult) =>
    result({ name: queried === 'soa' ? ZONE : name, type: TYPES[queried] }, server);
  const given = (queried: Exclude<QueriedType, 'aRepeated'>) =>
    lookup(queried, answers[queried] ?? healthy[queried]);
  const soa = given('soa');
  return {
    server,
    soa,
    zoneSoa: soa.outcome === 'value' ? soaData : undefined,
    cname: given('cname'),
    a: given('a'),
    aaaa: given('aaaa'),
    mx: given('mx'),
    txt: given('txt'),
    https: given('https'),
    aRepeated: answers.aRepeated === undefined ? undefined : lookup('aRepeated', answers.aRepeated),
  };
}

/** The response to another type next to this CNAME response: the first alias, or the same absence or failure. */
function besideAlias(result: QueryResult): QueryResult {
  return (question, server) => {
    const [alias] = result(question, server).records;
    return (alias === undefined ? result : throughAlias(alias))(question, server);
  };
}

/** Without a record at the name. */
export function buildAbsentServer(
  index: number,
  answers: Partial<Record<QueriedType, QueryResult>> = {},
  options: ServerOptions = {},
): ServerFacts {
  const none = nxdomain();
  const absent = { cname: none, a: none, aaaa: none, mx: none, txt: none, https: none };
  return buildServer(index, { ...absent, ...answers }, options);
}

export function buildApexServer(
  index: number,
  answers: Partial<Record<QueriedType, QueryResult>> = {},
  options: ServerOptions = {},
): ServerFacts {
  const alias = {
    cname: nodata(),
    a: value(a(ZONE, TARGET_A, 60)),
    aaaa: value(aaaa(ZONE, TARGET_AAAA, 60)),
    aRepeated: value(a(ZONE, TARGET_A, 58)),
    mx: value(mx(ZONE, 'mail.example.com')),
    txt: nodata(),
    https: nodata(),
  };
  return buildServer(index, { ...alias, ...answers }, { name: ZONE, ...options });
}

/** A server with the same result for every query. */
export function buildUniformServer(
  index: number,
  result: QueryResult,
  options: ServerOptions = {},
): ServerFacts {
  const all = { soa: result, cname: result, a: result, aaaa: result, mx: result, txt: result, https: result };
  return buildServer(index, all, options);
}

export function buildResolver(
  address: string,
  answers: Partial<Record<'a' | 'aaaa' | 'cname', QueryResult>> = {},
): ResolverFacts {
  const server: DnsServer = { address, port: 53, transport: 'dns' };
  const alias = cname(NAME, TARGET);
  const healthy = {
    a: throughAlias(alias, a(TARGET, TARGET_A, 60)),
    aaaa: throughAlias(alias, aaaa(TARGET, TARGET_AAAA, 60)),
  };
  const given = (queried: 'a' | 'aaaa') =>
    (answers[queried] ?? healthy[queried])({ name: NAME, type: TYPES[queried] }, server);
  return { server, label: address, a: given('a'), aaaa: given('aaaa') };
}

export function lookupOf(
  type: RecordType,
  result: QueryResult,
  name = NAME,
  server: DnsServer = { address: '192.0.2.1', port: 53, transport: 'dns', host: 'ns1.example.net' },
): Lookup {
  return result({ name, type }, server);
}

export function value(...records: DnsRecord[]): QueryResult {
  return (question, server) =>
    responded(question, server, 'NOERROR', { outcome: 'value', records, chain: [] });
}

/** An alias, followed as far as the server knows it. */
export function throughAlias(alias: DnsRecord, ...records: DnsRecord[]): QueryResult {
  const outcome = records.length > 0 ? 'value' : 'nodata';
  return (question, server) => responded(question, server, 'NOERROR', { outcome, records, chain: [alias] });
}

export function nodata(negativeTtl = 900): QueryResult {
  return (question, server) =>
    responded(question, server, 'NOERROR', { outcome: 'nodata', records: [], chain: [], negativeTtl });
}

export function nxdomain(negativeTtl = 900): QueryResult {
  return (question, server) =>
    responded(question, server, 'NXDOMAIN', { outcome: 'nxdomain', records: [], chain: [], negativeTtl });
}

/** A response with an error code, such as REFUSED or SERVFAIL. */
export function refused(rcode: string): QueryResult {
  return (question, server) =>
    responded(question, server, rcode, { outcome: 'failed', records: [], chain: [], failure: rcode }, false);
}

export function silent(reason: QueryFailureReason = 'timeout'): QueryResult {
  const detail = reason === 'timeout' ? 'no response within 2 s' : reason;
  return (question, server) => ({
    question,
    server,
    exchange: {
      kind: 'failure',
      reason,
      detail,
      ...(reason === 'unreachable' && { isWithoutRoute: true }),
      elapsedMs: 2000,
    },
    outcome: reason === 'aborted' ? 'aborted' : 'failed',
    records: [],
    chain: [],
    failure: detail,
  });
}

/** The same result with other flags in its response. */
export function flagged(
  result: QueryResult,
  flags: Partial<Pick<DnsResponse, 'authoritative' | 'recursionAvailable' | 'rcode' | 'withoutEdns'>>,
): QueryResult {
  return (question, server) => {
    const lookup = result(question, server);
    if (lookup.exchange.kind === 'failure') return lookup;
    return {
      ...lookup,
      exchange: { ...lookup.exchange, response: { ...lookup.exchange.response, ...flags } },
    };
  };
}

export function a(name: string, address: string, ttl = 3600): DnsRecord {
  return { name, ttl, data: { type: 'A', address } };
}

export function aaaa(name: string, address: string, ttl = 3600): DnsRecord {
  return { name, ttl, data: { type: 'AAAA', address } };
}

export function cname(name: string, target: string, ttl = 3600): DnsRecord {
  return { name, ttl, data: { type: 'CNAME', target } };
}

export function ns(name: string, target: string): DnsRecord {
  return { name, ttl: 86_400, data: { type: 'NS', target } };
}

export function mx(name: string, target: string): DnsRecord {
  return { name, ttl: 3600, data: { type: 'MX', preference: 10, target } };
}

export function txt(name: string, text: string): DnsRecord {
  return { name, ttl: 3600, data: { type: 'TXT', text } };
}

export function https(
  name: string,
  priority: number,
  target: string,
  addressHints: string[] = [],
): DnsRecord {
  return { name, ttl: 3600, data: { type: 'HTTPS', priority, target, addressHints } };
}

export function caaRecord(name: string, tag: string, text: string, flags = 0): DnsRecord {
  return { name, ttl: 3600, data: { type: 'CAA', flags, tag, value: text } };
}

function responded(
  question: DnsQuestion,
  server: DnsServer,
  rcode: string,
  found: Pick<Lookup, 'outcome' | 'records' | 'chain' | 'negativeTtl' | 'failure'>,
  authoritative = true,
): Lookup {
  const response = {
    rcode,
    authoritative,
    recursionAvailable: false,
    answers: [...found.chain, ...found.records],
    authority: [],
    additional: [],
    extendedErrors: [],
    over: 'udp',
  } as const;
  return { question, server, exchange: { kind: 'response', response, elapsedMs: 1 }, ...found };
}
