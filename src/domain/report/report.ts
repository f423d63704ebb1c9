import type { DomainName } from '../names/name.js';
import type { QueryFailureReason } from '../dns/dns.js';
import type { Finding, RecordFields, Todo } from './finding.js';

/** The verdict of a check. */
export type State = 'active' | 'verified' | 'propagating' | 'action-required' | 'invalid' | 'inconclusive';

/**
 * Report of one domain. `petstore domain verify -o json` prints it, without `next[].action`. In JSON, times are RFC 3339
 * texts in UTC.
 */
export interface Report {
  domain: DomainName;
  kind: 'subdomain' | 'apex';
  /** The zone of the records. */
  zone: string;
  decidedBy: 'zone-cut' | 'public-suffix' | 'override';
  /** The records that the domain needs. Empty if the target has no address, because a record to it would lead nowhere. */
  expected: readonly RecordFields[];
  state: State;
  findings: readonly Finding[];
  observed: { authoritative: readonly ObservedServer[]; recursive: readonly ObservedResolver[] };
  /** When all queried resolvers have the record. Null if that is unknown, or if no resolver is stale. */
  estimate: Estimate | null;
  /**
   * When the domain was verified: the time of the request, otherwise of this check. Only while DNS is correct and the
   * certificate is not active. Pass it as `verifiedAt` to the next check.
   */
  verifiedAt?: Date;
  /** How `verifiedAt` is known. */
  verifiedAtSource?: VerifiedAtSource;
  certificate?: CertificateReport;
  redirects?: readonly RedirectReport[];
  /** Who serves the domain, as its responses show. Only if it was probed (`probe.platform`). */
  platform?: PlatformReport;
  /** The services behind the domain. Absent if nothing is known about them. */
  provider?: ProviderReport;
  /** The changes of records that the findings of severity `block` need, in order. Their texts have all other advice. */
  todo: readonly Todo[];
  next: readonly NextStep[];
  /**
   * The DNS queries in the order of their results. Only with the option `trace`. Domains that are checked together share
   * queries; each query is in the report that was made next.
   */
  trace?: readonly TracedQuery[];
}

/**
 * How a time of verification is known. `given`: the caller passed it, such as from the dashboard. `earlier-check`: an
 * earlier check found DNS correct then. `this-check`: no earlier time is known, so it is the time of this check.
 */
export type VerifiedAtSource = 'given' | 'earlier-check' | 'this-check';

/** A DNS query and its result, safe to print. */
export interface TracedQuery {
  /** Host name, or address if the host is not known. */
  server: string;
  /** IP address, or URL of a DNS over HTTPS resolver. */
  address: string;
  name: string;
  type: string;
  /** How the response came. Absent without a response. */
  transport?: 'udp' | 'tcp' | 'https';
  /** Response code such as `NOERROR`, or the failure in words. */
  rcode: string;
  /** The AA flag: whether the server is authoritative for the name. */
  isAuthoritative: boolean;
  /** Milliseconds, with all attempts. */
  elapsedMs: number;
  /** Extended DNS errors (RFC 8914). */
  extendedErrors: readonly { code: number; text: string }[];
}

/** The response of one authoritative server. */
export interface ObservedServer {
  /** Host name. */
  server: string;
  address: string;
  /** `udp` or `tcp`. Absent without a response. */
  over?: string;
  /** Response code such as `NOERROR`, or the failure in words. */
  response: string;
  /** Why there is no response. `not-sent`: the address of the server is not public. */
  failure?: QueryFailureReason | 'not-sent';
  serial?: number;
  /** Such as `CNAME cname.platform.test` or `A 192.0.2.1`. */
  records: readonly string[];
  /** Seconds. */
  ttl?: number;
}

/** The response of one resolver. */
export interface ObservedResolver {
  resolver: string;
  response: string;
  records: readonly string[];
  /** Seconds that it may cache a stale record or absence. */
  remaining?: number;
}

/** When the record becomes visible. */
export interface Estimate {
  /** Visible at all queried resolvers by then. */
  latest: Date;
  /** Seconds from the time of the check. */
  inSeconds: number;
  perResolver: readonly { resolver: string; remaining: number }[];
}

/** The certificate that the addresses serve. */
export interface CertificateReport {
  status: 'active' | 'pending' | 'overdue' | 'wrong' | 'none' | 'unknown';
  addresses: readonly AddressCertificate[];
}

/** The certificate of one address. */
export interface AddressCertificate {
  address: string;
  /** `ok`, or the problem in words. */
  result: string;
  subject?: string;
  names?: readonly string[];
  issuer?: string;
  /** Subjects from the certificate up. */
  chain?: readonly string[];
  /** Start of its validity. */
  validFrom?: Date;
  /** End of its validity. */
  validTo?: Date;
}

/** One redirect entry, with the responses to its requests. */
export interface RedirectReport {
  from: string;
  to: string;
  status: number;
  observed: readonly { url: string; status?: number; location?: string; trouble?: string }[];
}

/** Whether the platform serves the domain, also through a proxy or CNAME flattening. */
export interface PlatformReport {
  /**
   * - `served`: proved.
   * - `unproved`: the responses have nothing in common that proves it.
   * - `unknown`: the domain or the target gave no response.
   */
  result: 'served' | 'unproved' | 'unknown';
  /** What the responses of the domain and of the target have in common. Only if `served`. */
  proof?:
    | { by: 'certificate'; fingerprint: string; subject: string }
    | { by: 'header'; name: string; value: string };
  /** The responses of the domain, one for each address. */
  domain: readonly ProbedSite[];
  /** The responses of the target, one for each address. */
  target: readonly ProbedSite[];
}

/** The response of one address to an HTTPS request. */
export interface ProbedSite {
  address: string;
  /** HTTP status. Absent without a response. */
  status?: number;
  /** Why there is no response, in words. */
  trouble?: string;
  /** SHA-256 fingerprint of the certificate. */
  fingerprint?: string;
}

/** The services behind a domain. */
export interface ProviderReport {
  /** The provider of the zone, by its name servers. */
  dns?: DnsProviderReport;
  /** The service that shows a page for domains without a site, by the name servers. */
  parking?: ListedService;
  /** The CDN or proxy that the domain's own records lead to, by aliases and addresses. */
  cdn?: ListedService;
}

/** An entry of a dated list. */
export interface ListedService {
  /** Such as `Cloudflare`. */
  name: string;
  /** URLs of the documentation. */
  sources: readonly string[];
  /** `YYYY-MM-DD`: the date of the oldest source. */
  date: string;
}

/** A DNS provider, and how to set the record there. */
export interface DnsProviderReport extends ListedService {
  /** Whether it supports ALIAS at an apex. `limited`: only to its own services. Absent if that is not known. */
  alias?: 'yes' | 'limited' | 'no';
  /** The type to choose for that, such as `ANAME`. */
  aliasType?: string;
  /** Steps that set the expected record, in the words of its panel. Empty if these are not known. */
  steps: readonly string[];
  /** Those that say more than the record itself. */
  besideRecord: readonly string[];
}

/** A command to run next, and when. */
export interface NextStep {
  /** Can be pasted into a shell. */
  command: string;
  when: string;
  /** The command as data, to render it in another form. */
  action: NextAction;
}

/** A next command as data. Domains and targets are in ASCII. */
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
  /** Checks the redirect entries. */
  | { step: 'redirects'; domain: string; target: string }
  /** Queries a name server. */
  | { step: 'dig'; command: string };
