import type { DnsExchange, DnsQuestion, DnsRecord, DnsServer } from '../resolver/dns.js';

/** What is known after a question to one server. They are kept apart everywhere: only the first three are facts. */
export type Outcome =
  /** The type is there, at the name or at the end of a chain of aliases. */
  | 'value'
  /** The name exists, but has no record of the type. */
  | 'nodata'
  /** The name does not exist. */
  | 'nxdomain'
  /** Time-out, REFUSED, SERVFAIL, malformed, not authoritative: nothing is known. */
  | 'failed'
  /** The time for the run was over, or it was stopped: nothing is known, and nobody is to blame. `time.ran-out` tells it. */
  | 'aborted';

/** One question, asked. */
export interface Lookup {
  question: DnsQuestion;
  server: DnsServer;
  exchange: DnsExchange;
  outcome: Outcome;
  /** Records of the asked type whose owner is the end of the chain; empty unless `value`. */
  records: readonly DnsRecord[];
  /** The aliases followed within the answer, in order; CNAME records. */
  chain: readonly DnsRecord[];
  /** For `nodata` and `nxdomain`: seconds that the absence may be remembered (RFC 2308, section 5). */
  negativeTtl?: number;
  /** For `failed` and `cut-short`: a few words, such as `REFUSED`, `no answer within 2 s`, `not authoritative`. */
  failure?: string;
}

/** A look-up that something is known by. */
export type KnownLookup = Lookup & { outcome: Exclude<Outcome, 'failed' | 'aborted'> };

/** Whether anything is known after it; `undefined` is a question that there was nobody for. */
export function isKnown(lookup: Lookup | undefined): lookup is KnownLookup {
  return lookup !== undefined && lookup.outcome !== 'failed' && lookup.outcome !== 'aborted';
}
