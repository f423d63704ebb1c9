import type { DnsExchange, DnsQuestion, DnsRecord, DnsServer } from '../../dns/dns.js';

/** The result of one DNS query to one server. Only the first three are knowledge about the name. */
export type Outcome =
  /** The records exist, at the name or at the end of its aliases. */
  | 'value'
  /** The name exists, but has no record of the type. */
  | 'nodata'
  /** The name does not exist. */
  | 'nxdomain'
  /** Time-out, REFUSED, SERVFAIL, malformed or not authoritative. Nothing is known. */
  | 'failed'
  /** The time limit was reached, or the check was stopped. Nothing is known; reported as `time.ran-out`. */
  | 'aborted';

/** One DNS query and its result. */
export interface Lookup {
  question: DnsQuestion;
  server: DnsServer;
  exchange: DnsExchange;
  outcome: Outcome;
  /** Records of the queried type at the end of the chain; empty unless the outcome is `value`. */
  records: readonly DnsRecord[];
  /** The CNAME records followed within the response, in order. */
  chain: readonly DnsRecord[];
  /**
   * Other records of the queried name in a response that has a CNAME of it. Absent if there are none, as there should be
   * (RFC 1034, section 3.6.2).
   */
  nextToAlias?: readonly DnsRecord[];
  /** For `nodata` and `nxdomain`: seconds that the absence may be cached (RFC 2308, section 5). */
  negativeTtl?: number;
  /** For `failed` and `aborted`: a few words, such as `REFUSED`, `no response within 2 s`, `not authoritative`. */
  failure?: string;
  /** Whether the query was not sent, because its server has an internal address. */
  isNotSent?: true;
}

/** Whether the server could not respond (RFC 1035, section 4.1.1). A resolver also rejects signatures this way. */
export function isServerFailure({ exchange }: Lookup): boolean {
  return exchange.kind === 'response' && exchange.response.rcode === 'SERVFAIL';
}

/**
 * Whether a server of the zone does not serve a type: it drops the query, or rejects HTTPS, which old software does not
 * know. Then there is mostly no record of the type.
 */
export function isTypeRejected({ outcome, exchange, question }: Lookup): boolean {
  return outcome === 'failed' && (exchange.kind === 'failure' || question.type === 'HTTPS');
}

export type KnownLookup = Lookup & { outcome: Exclude<Outcome, 'failed' | 'aborted'> };

/** Whether the query succeeded; `undefined` means that there was no server to query. */
export function isKnown(lookup: Lookup | undefined): lookup is KnownLookup {
  return lookup !== undefined && lookup.outcome !== 'failed' && lookup.outcome !== 'aborted';
}
