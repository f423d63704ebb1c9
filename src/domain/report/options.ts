import type { DomainClock } from '../concurrency/clock.js';
import type { Finding } from '../finding/finding.js';
import type { CertificateReport, RedirectReport } from './report.js';
import type { DnsClient, DnsServer } from '../resolver/dns.js';

/** What to check. */
export interface CheckRequest {
  /** The custom domain, as its owner writes it: `shop.example.com`, `example.com`, `müller.example`. */
  domain: string;
  /** The value that the dashboard shows for the CNAME. */
  target: string;
  /** Redirect entries of the project, checked as data and on the wire. */
  redirects?: readonly RedirectEntry[] | undefined;
  /** The project's plan, such as `Pro`. Leave it out if it is not known. */
  plan?: string | KnownPlan | undefined;
  /** Whether the project has a successful deploy; absent where it is not known. */
  deployed?: boolean | undefined;
  /** Whether to look at the certificate. Default: where `probe` or redirects ask to look at the wire, or `probes` are given. */
  certificate?: boolean | undefined;
  /** Where and how to probe. */
  probe?: ProbeTarget | undefined;
  /** Decides what the domain is, instead of the zone cut. */
  kind?: 'apex' | 'subdomain' | undefined;
  /** The certificate authority that issues for the platform, by its CAA name, such as `letsencrypt.org`; absent where it is not known. */
  issuer?: string | undefined;
  /**
   * When verification succeeded, in milliseconds since the epoch, where that is known: a certificate is due 30 minutes later,
   * and `cert.overdue` from then on. Without it, what looks as if nothing was issued yet is `cert.pending` for ever.
   *
   * Who checks now and then keeps what the last report said as `verifiedAt`, by domain and target, and hands it in here. To be
   * forgotten with a report of state `active`, since the certificate has come; with `action-required`, since verification
   * begins anew; and when the domain is removed. A moment yet to come counts as not known.
   */
  verifiedAt?: number | undefined;
}

/** A plan, and how it is known. */
export interface KnownPlan {
  /** Such as `Pro`. */
  name: string;
  /**
   * Whether it was concluded from the rate limit of an API key. Such a plan never blocks: limits of different plans are alike
   * (1,000 is the day's of Free and the minute's of Business), and the key may be another account's. Default false.
   */
  inferred?: boolean | undefined;
}

/** A redirect entry of a project (specification, custom domain, 9). */
export interface RedirectEntry {
  /** Bare host. */
  from: string;
  /** Bare host. */
  to: string;
  /** HTTP status, such as 301. */
  status: number;
}

/** Which redirect entries to check. */
export interface RedirectsRequest {
  /** All entries of the project: they are judged together. */
  redirects: readonly RedirectEntry[];
  /** Hosts: only entries from these are looked at on the wire, and told of. Default all. */
  only?: readonly string[] | undefined;
  /** The project's domains in ASCII: redirects to others are told. Absent where they are not known. */
  attached?: readonly string[] | undefined;
  /** The value that the dashboard shows for the CNAME, by which the platform's own certificate is known. */
  target?: string | undefined;
  /** Where and how to probe. */
  probe?: ProbeTarget | undefined;
}

/** What a check of redirect entries found: of those asked for, in their order. */
export interface RedirectsCheck {
  redirects: readonly RedirectReport[];
  findings: readonly Finding[];
}

/** Where the certificate and the redirects are looked at. */
export interface ProbeTarget {
  /** Connects there instead of to the addresses found. Loopback and private addresses are probed only so. */
  connect?: string | undefined;
  /** Default 443. */
  httpsPort?: number | undefined;
  /** Default 80. */
  httpPort?: number | undefined;
  /** PEM of further authorities to trust. */
  ca?: string | undefined;
}

/** How to check. */
export interface CheckOptions {
  /**
   * Recursive resolvers, as `HOST`, `HOST:PORT` or `[IPV6]:PORT`. With these or `doh`, neither the system's resolvers nor
   * public ones are asked, unless `usePublic` is true.
   */
  resolvers?: readonly string[] | undefined;
  /** URL of a resolver over HTTPS (RFC 8484), such as `https://dns.example/dns-query`. */
  doh?: string | undefined;
  /** Whether 1.1.1.1, 8.8.8.8 and 9.9.9.9 are asked as well. Default true where no resolver is given. */
  usePublic?: boolean | undefined;
  /** Port of all authoritative name servers. Default 53. */
  authoritativePort?: number | undefined;
  /** Ends everything; the check rejects with its reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that the whole run may take. What was not asked by then counts as unknown. Default none. */
  timeoutMs?: number | undefined;
  clock?: DomainClock | undefined;
  /** From 0 up to, but not including, 1. Default Math.random. */
  random?: (() => number) | undefined;
  /** Asks the questions. Left open at the end. Default one of its own. */
  dns?: DnsClient | undefined;
  /** The system's resolvers. Default: read from the machine's configuration. */
  systemResolvers?: readonly DnsServer[] | undefined;
  /** Domains checked at the same time. Default 32. */
  concurrency?: number | undefined;
  /** Looks at the certificate and the redirects. Default: probes of our own, where the request asks for either. */
  probes?: DomainProbes | undefined;
}

/** What a probe found, and what is to be concluded. */
export interface Probed<T> {
  report: T;
  findings: readonly Finding[];
}

/** The checks on the wire beyond DNS. */
export interface DomainProbes {
  certificate(subject: ProbeSubject): Promise<Probed<CertificateReport>>;
  redirects(
    entries: readonly RedirectEntry[],
    place: ProbeContext,
  ): Promise<Probed<readonly RedirectReport[]>>;
  /** What is wrong with redirect entries by themselves. Asks nobody. Told of while it is too early to look at the wire. */
  entries?(entries: readonly RedirectEntry[]): readonly Finding[];
}

/** Where a name leads. */
export interface FoundAddresses {
  /**
   * - `found`: there is an address.
   * - `missing`: those responsible say that there is none.
   * - `unknown`: no address is known, and not everybody who would know it has answered.
   */
  outcome: 'found' | 'missing' | 'unknown';
  /** A and AAAA at the end of its aliases, each once; empty unless `found`. */
  addresses: readonly string[];
  /** Whether it could not be asked because the time allowed ran out. Absent where not. */
  ranOut?: boolean;
}

/** What every probe is told. */
export interface ProbeContext {
  /** The platform's host, by which its own certificate is known; where there is none, nothing is taken for that. */
  target: string | undefined;
  /** Finds the addresses that visitors of a name get. */
  addressesOf: (name: string) => Promise<FoundAddresses>;
  probe: ProbeTarget;
  /** Milliseconds since the epoch. */
  now: number;
  signal: AbortSignal | undefined;
}

/** What the probe of a certificate is told of the domain. */
export interface ProbeSubject extends ProbeContext {
  /** ASCII, lower case. */
  domain: string;
  /** The addresses that its visitors get, A and AAAA. */
  addresses: readonly string[];
  verifiedAt: number | undefined;
}
