import type { Lookup, Outcome } from './lookup.js';
import type {
  DnsExchange,
  DnsQuestion,
  DnsRecord,
  DnsResponse,
  DnsServer,
  QueryFailureReason,
} from '../resolver/dns.js';

/** Longer chains than this are not followed; resolvers give up sooner (BIND and unbound after 8 to 16). */
const ALIASES_MAX = 32;

const SILENCES: Readonly<Record<QueryFailureReason, string>> = {
  timeout: 'no answer in time',
  unreachable: 'unreachable',
  malformed: 'malformed answer',
  aborted: 'not asked to the end',
};

/** A server's pointer to those that are responsible below a cut (RFC 1034, section 4.3.2, step 3b). */
export interface Referral {
  /** The zone below the cut. */
  zone: string;
  /** Its NS records. */
  records: readonly DnsRecord[];
  /** Addresses that came along: A and AAAA records. */
  glue: readonly DnsRecord[];
}

/**
 * Tells what one exchange says about the question.
 *
 * With aliases in the answer, the outcome is that of the last one's target: NXDOMAIN beside a CNAME never means the name
 * that was asked for (RFC 6604, section 3). For a question of type CNAME nothing is followed.
 *
 * @param recursive Whether a recursive resolver was asked. Of others, only what they are authoritative for counts.
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
    if (reason === 'aborted') return unknown(asked, SILENCES.aborted, 'aborted');
    return unknown(asked, detail === '' ? SILENCES[reason] : detail);
  }
  const { response } = exchange;
  const trouble = troubleOf(response, question, recursive);
  if (trouble !== undefined) return unknown(asked, trouble);

  const chain = question.type === 'CNAME' ? [] : followAliases(response.answers, question.name);
  const end = targetOf(chain.at(-1)) ?? question.name;
  const records = response.answers.filter(
    (record) => record.data.type === question.type && isSame(record.name, end),
  );
  if (records.length > 0) return { ...asked, outcome: 'value', records, chain };
  const outcome: Outcome = response.rcode === 'NXDOMAIN' ? 'nxdomain' : 'nodata';
  const negativeTtl = negativeTtlOf(response);
  return { ...asked, outcome, records: [], chain, ...(negativeTtl === undefined ? {} : { negativeTtl }) };
}

/** The referral in an answer, where it is one. */
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

/** The start of authority that came with an answer: in it or, for an absence, beside it. */
export function soaIn(exchange: DnsExchange): DnsRecord | undefined {
  if (exchange.kind === 'failure') return undefined;
  const { answers, authority } = exchange.response;
  return [...answers, ...authority].find((record) => record.data.type === 'SOA');
}

/** Where an alias leads, in lower case. */
export function targetOf(record: DnsRecord | undefined): string | undefined {
  return record?.data.type === 'CNAME' ? record.data.target.toLowerCase() : undefined;
}

/** The addresses among records. */
export function addressesIn(records: readonly DnsRecord[]): string[] {
  return records.flatMap(({ data }) => (data.type === 'A' || data.type === 'AAAA' ? [data.address] : []));
}

function unknown(
  asked: Pick<Lookup, 'question' | 'server' | 'exchange'>,
  trouble: string,
  outcome: Outcome = 'failed',
): Lookup {
  return { ...asked, outcome, records: [], chain: [], failure: trouble };
}

function troubleOf(response: DnsResponse, question: DnsQuestion, recursive: boolean): string | undefined {
  if (response.rcode !== 'NOERROR' && response.rcode !== 'NXDOMAIN') return response.rcode;
  if (response.authoritative) return undefined;
  if (recursive) {
    const empty =
      response.answers.length === 0 && !response.authority.some(({ data }) => data.type === 'SOA');
    return empty && !response.recursionAvailable ? 'does not resolve for others' : undefined;
  }
  const referral = referralIn({ kind: 'response', response, elapsedMs: 0 });
  if (referral === undefined || !isWithin(question.name, referral.zone)) return 'not authoritative';
  return `not responsible: refers to the servers of ${referral.zone === '' ? 'the root' : referral.zone}`;
}

/** The aliases from `name` on, in order, up to the first that was seen before. */
function followAliases(answers: readonly DnsRecord[], name: string): DnsRecord[] {
  const chain: DnsRecord[] = [];
  const seen = new Set<string>();
  let at: string | undefined = name.toLowerCase();
  while (at !== undefined && !seen.has(at) && chain.length < ALIASES_MAX) {
    seen.add(at);
    const owner: string = at;
    const alias = answers.find((record) => record.data.type === 'CNAME' && isSame(record.name, owner));
    if (alias !== undefined) chain.push(alias);
    at = targetOf(alias);
  }
  return chain;
}

/** RFC 2308, section 5: the lesser of the record's own TTL and its MINIMUM field. */
function negativeTtlOf(response: DnsResponse): number | undefined {
  const soa = response.authority.find((record) => record.data.type === 'SOA');
  return soa?.data.type === 'SOA' ? Math.min(soa.ttl, soa.data.minimum) : undefined;
}

/** Whether a name is the zone's name or below it. */
export function isWithin(name: string, zone: string): boolean {
  return zone === '' || isSame(name, zone) || name.toLowerCase().endsWith(`.${zone.toLowerCase()}`);
}

function isSame(name: string, other: string): boolean {
  // Nearly always they are the same as they stand, and this is asked for every record.
  return name === other || name.toLowerCase() === other.toLowerCase();
}
