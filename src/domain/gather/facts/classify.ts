import type { Lookup, Outcome } from './lookup.js';
import type {
  DnsExchange,
  DnsQuestion,
  DnsRecord,
  DnsResponse,
  DnsServer,
  QueryFailureReason,
} from '../../dns/dns.js';

/** Aliases followed at most. Resolvers stop earlier (BIND and unbound after 8 to 16). */
const ALIASES_MAX = 32;

const FAILURES: Readonly<Record<QueryFailureReason, string>> = {
  timeout: 'no response in time',
  unreachable: 'unreachable',
  malformed: 'malformed response',
  aborted: 'query aborted',
};

/** A response that names the servers of a zone below (RFC 1034, section 4.3.2, step 3b). */
export interface Referral {
  zone: string;
  /** Its NS records. */
  records: readonly DnsRecord[];
  /** A and AAAA records of its name servers. */
  glue: readonly DnsRecord[];
}

/**
 * Turns the result of one query into a lookup.
 *
 * If the response contains aliases, the outcome is that of the last alias's target (RFC 6604, section 3). For a
 * question of type CNAME no alias is followed.
 *
 * @param recursive Whether the server is a recursive resolver. Other servers must respond with authority.
 */
export function classify(
  question: DnsQuestion,
  server: DnsServer,
  exchange: DnsExchange,
  recursive: boolean,
): Lookup {
  const asked = { question, server, exchange };
  if (exchange.kind === 'failure') {
    const { reason, detail } = exchange;
    if (reason === 'aborted') return unknown(asked, FAILURES.aborted, 'aborted');
    return unknown(asked, detail === '' ? FAILURES[reason] : detail);
  }
  const { response } = exchange;
  const failure = failureOf(response, question, recursive);
  return failure === undefined ? known(asked, response, recursive) : unknown(asked, failure);
}

/**
 * Accepts an absence without AA, from a server that has the zone nevertheless. Returns any other lookup unchanged.
 */
export function acceptAbsence(lookup: Lookup): Lookup {
  const { question, server, exchange } = lookup;
  if (exchange.kind === 'failure' || lookup.outcome !== 'failed') return lookup;
  const { response } = exchange;
  const isAbsence =
    (response.rcode === 'NOERROR' || response.rcode === 'NXDOMAIN') &&
    response.answers.length === 0 &&
    !response.recursionAvailable &&
    referralIn(exchange) === undefined;
  return isAbsence ? known({ question, server, exchange }, response, false) : lookup;
}

/** Whether a server has records of a name, and does not set AA. Resolvers use such records. */
export function lacksAuthority({ outcome, chain, exchange }: Lookup): boolean {
  if (exchange.kind === 'failure' || (outcome !== 'value' && chain.length === 0)) return false;
  return !exchange.response.authoritative && !exchange.response.recursionAvailable;
}

function known(
  asked: Pick<Lookup, 'question' | 'server' | 'exchange'>,
  response: DnsResponse,
  recursive: boolean,
): Lookup {
  const { question } = asked;
  const nextToAlias = recordsNextToAlias(response.answers, question.name);
  const query = { ...asked, ...(nextToAlias.length > 0 && { nextToAlias }) };
  const chain = question.type === 'CNAME' ? [] : followAliases(response.answers, question.name);
  const end = targetOf(chain.at(-1)) ?? question.name;
  const records = response.answers.filter(
    (record) => record.data.type === question.type && isSame(record.name, end),
  );
  if (records.length > 0) return { ...query, outcome: 'value', records, chain };
  const outcome: Outcome = response.rcode === 'NXDOMAIN' ? 'nxdomain' : 'nodata';
  const negativeTtl = negativeTtlOf(response, recursive);
  return { ...query, outcome, records: [], chain, ...(negativeTtl === undefined ? {} : { negativeTtl }) };
}

/** The referral in a response, if it is one. */
export function referralIn(exchange: DnsExchange): Referral | undefined {
  if (exchange.kind === 'failure') return undefined;
  const { response } = exchange;
  if (response.authoritative || response.rcode !== 'NOERROR' || response.answers.length > 0) return undefined;
  const zone = response.authority.find((record) => record.data.type === 'NS')?.name.toLowerCase();
  if (zone === undefined || response.authority.some((record) => record.data.type === 'SOA')) return undefined;
  return {
    zone,
    records: response.authority.filter((record) => record.data.type === 'NS' && isSame(record.name, zone)),
    glue: response.additional.filter(({ data }) => data.type === 'A' || data.type === 'AAAA'),
  };
}

/** The SOA record of a response, from its answer or authority section. */
export function soaIn(exchange: DnsExchange): DnsRecord | undefined {
  if (exchange.kind === 'failure') return undefined;
  const { answers, authority } = exchange.response;
  return [...answers, ...authority].find((record) => record.data.type === 'SOA');
}

/** The target of a CNAME record, in lower case. */
export function targetOf(record: DnsRecord | undefined): string | undefined {
  return record?.data.type === 'CNAME' ? record.data.target.toLowerCase() : undefined;
}

/** The addresses of the A and AAAA records. */
export function addressesIn(records: readonly DnsRecord[]): string[] {
  return records.flatMap(({ data }) => (data.type === 'A' || data.type === 'AAAA' ? [data.address] : []));
}

/** The hosts of NS records, sorted, each once. */
export function hostsIn(records: readonly DnsRecord[]): string[] {
  const hosts = records.flatMap(({ data }) => (data.type === 'NS' ? [data.target.toLowerCase()] : []));
  return [...new Set(hosts)].sort();
}

function unknown(
  query: Pick<Lookup, 'question' | 'server' | 'exchange'>,
  failure: string,
  outcome: Outcome = 'failed',
): Lookup {
  return { ...query, outcome, records: [], chain: [], failure };
}

function failureOf(response: DnsResponse, question: DnsQuestion, recursive: boolean): string | undefined {
  if (response.rcode !== 'NOERROR' && response.rcode !== 'NXDOMAIN') return response.rcode;
  if (response.authoritative) return undefined;
  if (recursive) {
    const isEmpty =
      response.answers.length === 0 && !response.authority.some(({ data }) => data.type === 'SOA');
    return isEmpty && !response.recursionAvailable ? 'recursion not available' : undefined;
  }
  const hasAnswer = response.answers.some(
    ({ name, data }) => isSame(name, question.name) && (data.type === question.type || data.type === 'CNAME'),
  );
  // A resolver that responds in place of the server offers recursion.
  if (hasAnswer && !response.recursionAvailable) return undefined;
  const referral = referralIn({ kind: 'response', response, elapsedMs: 0 });
  if (referral === undefined || !isWithin(question.name, referral.zone)) return 'not authoritative';
  return `not authoritative: refers to the servers of ${referral.zone === '.' ? 'the root' : referral.zone}`;
}

/** The aliases that start at `name`, in order, up to the first repeated name. */
function followAliases(answers: readonly DnsRecord[], name: string): DnsRecord[] {
  const chain: DnsRecord[] = [];
  const seen = new Set<string>();
  let next: string | undefined = name.toLowerCase();
  while (next !== undefined && !seen.has(next) && chain.length < ALIASES_MAX) {
    seen.add(next);
    const owner: string = next;
    const alias = answers.find((record) => record.data.type === 'CNAME' && isSame(record.name, owner));
    if (alias !== undefined) chain.push(alias);
    next = targetOf(alias);
  }
  return chain;
}

/** Types that visitors or mail servers look up. Signatures and proofs of absence may be next to a CNAME. */
const CONFLICTING_TYPES: ReadonlySet<string> = new Set([
  'A',
  'AAAA',
  'CAA',
  'HTTPS',
  'MX',
  'NAPTR',
  'SRV',
  'SSHFP',
  'TLSA',
  'TXT',
]);

/** Other records of a name that has a CNAME. */
function recordsNextToAlias(answers: readonly DnsRecord[], name: string): readonly DnsRecord[] {
  // Nearly every response has records of one type.
  if (answers.length < 2) return [];
  const own = answers.filter((record) => isSame(record.name, name));
  if (!own.some(({ data }) => data.type === 'CNAME')) return [];
  return own.filter(({ data }) => CONFLICTING_TYPES.has(data.type));
}

/** Seconds that a resolver keeps an absence at most: Knot Resolver a day, BIND 3 h, others an hour. */
export const ABSENCE_MAX = 86_400;

/**
 * The lesser of the SOA record's TTL and its MINIMUM field (RFC 2308, section 5). A resolver may keep an absence for longer,
 * and then shows that in the TTL.
 */
function negativeTtlOf(response: DnsResponse, recursive: boolean): number | undefined {
  const soa = response.authority.find((record) => record.data.type === 'SOA');
  if (soa?.data.type !== 'SOA') return undefined;
  return recursive ? Math.min(soa.ttl, ABSENCE_MAX) : Math.min(soa.ttl, soa.data.minimum);
}

/** Whether a name is the zone's name or below it. The root is `.`, as in decoded responses. */
export function isWithin(name: string, zone: string): boolean {
  return zone === '.' || isSame(name, zone) || name.toLowerCase().endsWith(`.${zone.toLowerCase()}`);
}

function isSame(name: string, other: string): boolean {
  // Fast path: this runs for every record, and nearly all names are equal as they are.
  return name === other || name.toLowerCase() === other.toLowerCase();
}
