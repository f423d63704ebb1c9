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
  | 'could-not-ask'
  /** The time for the run was over, or it was stopped: nothing is known, and nobody is to blame. `time.ran-out` tells it. */
  | 'cut-short';

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
  /** For `could-not-ask` and `cut-short`: a few words, such as `REFUSED`, `no answer within 2 s`, `not authoritative`. */
  trouble?: string;
}

/** A look-up that something is known by. */
export type ToldLookup = Lookup & { outcome: Exclude<Outcome, 'could-not-ask' | 'cut-short'> };

/** Whether anything is known after it; `undefined` is a question that there was nobody for. */
export function isTold(lookup: Lookup | undefined): lookup is ToldLookup {
  return lookup !== undefined && lookup.outcome !== 'could-not-ask' && lookup.outcome !== 'cut-short';
}
