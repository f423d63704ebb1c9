import type { DomainName } from '../name/name.js';
import type { Finding, RecordFields } from '../finding/finding.js';

/** The verdict of a check. */
export type State = 'active' | 'verified' | 'propagating' | 'action-required' | 'invalid' | 'inconclusive';

/** What a check of one domain found. The JSON output of `petstore domain verify` is this. */
export interface Report {
  domain: DomainName;
  kind: 'subdomain' | 'apex';
  /** The zone that the records are in. */
  zone: string;
  decidedBy: 'zone-cut' | 'public-suffix' | 'override';
  /** The records to have. */
  expected: readonly RecordFields[];
  state: State;
  findings: readonly Finding[];
  observed: { authoritative: readonly ObservedServer[]; recursive: readonly ObservedResolver[] };
  /** When all resolvers asked will see it; null where that is not known, or is so already. */
  estimate: Estimate | null;
  /**
   * ISO 8601, UTC: since when the domain is verified, where the state is `verified`. As the request told it, else the time of
   * this check. Worth keeping for the next check's `verifiedAt`.
   */
  verifiedAt?: string;
  certificate?: CertificateReport;
  redirects?: readonly RedirectReport[];
  next: readonly NextStep[];
}

/** One authoritative server's view. */
export interface ObservedServer {
  /** Host name. */
  server: string;
  address: string;
  /** `udp`, `tcp`; absent where nothing came. */
  over?: string;
  /** `NOERROR`, …, or the trouble in words. */
  answer: string;
  serial?: number;
  /** Such as `CNAME cname.platform.test` or `A 192.0.2.1`. */
  records: readonly string[];
  /** Seconds. */
  ttl?: number;
}

/** One resolver's view. */
export interface ObservedResolver {
  resolver: string;
  answer: string;
  records: readonly string[];
  /** Seconds that it may keep a stale answer. */
  remaining?: number;
}

export interface Estimate {
  /** ISO 8601, UTC: visible everywhere by then at the latest. */
  latest: string;
  /** Seconds from the check. */
  inSeconds: number;
  perResolver: readonly { resolver: string; remaining: number }[];
}

/** The certificate on the wire. */
export interface CertificateReport {
  status: 'active' | 'pending' | 'overdue' | 'wrong' | 'none' | 'unknown';
  addresses: readonly AddressCertificate[];
}

export interface AddressCertificate {
  address: string;
  /** `ok`, or what is wrong. */
  result: string;
  subject?: string;
  names?: readonly string[];
  issuer?: string;
  /** Subjects from the certificate up, as far as the chain is known. */
  chain?: readonly string[];
  /** ISO 8601. */
  validFrom?: string;
  validTo?: string;
}

/** One redirect entry, on the wire. */
export interface RedirectReport {
  from: string;
  to: string;
  status: number;
  observed: readonly { url: string; status?: number; location?: string; trouble?: string }[];
}

/** A command to run next, and when. */
export interface NextStep {
  /** Can be pasted into a shell. */
  command: string;
  when: string;
  /** The same step as data, to render another command from it. */
  action: NextAction;
}

/** What to run next. Domains and targets are in ASCII. */
export type NextAction =
  | {
      /** Checks again. */
      step: 'verify';
      domain: string;
      target: string;
      /** `active`: the certificate is required too. */
      until?: 'active';
      /** Whether to check until the goal is reached. */
      wait?: boolean;
      /** Whether public resolvers are left out. */
      noPublic?: boolean;
      /** Time limit of the check, in milliseconds. */
      timeoutMs?: number;
    }
  /** Shows the records to set. */
  | { step: 'records'; domain: string; target: string }
  /** Shows the certificate. */
  | { step: 'cert'; domain: string; target: string }
  /** Queries a name server. */
  | { step: 'dig'; command: string };
