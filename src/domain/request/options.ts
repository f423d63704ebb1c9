import type { Clock } from '../../time/clock.js';
import type { Finding } from '../report/finding.js';
import type { CertificateReport, RedirectReport, VerifiedAtSource } from '../report/report.js';
import type { DnsClient, DnsServer } from '../dns/dns.js';

/** One domain to check. */
export interface CheckRequest {
  /** The custom domain, such as `shop.example.com`, `example.com` or `müller.example`. */
  domain: string;
  /** The value that the dashboard shows for the CNAME. */
  target: string;
  /** Redirect entries of the project, checked as data and with requests. */
  redirects?: readonly RedirectEntry[] | undefined;
  /** The project's plan, such as `Pro`. Leave it out if it is not known. */
  plan?: string | KnownPlan | undefined;
  /** Whether the project has a successful deploy. Leave it out if it is not known. */
  deployed?: boolean | undefined;
  /**
   * Whether to check the certificate. `false` leaves out CAA too.
   *
   * @default true if `probe` or `redirects` is given; CAA is always checked then
   */
  certificate?: boolean | undefined;
  /**
   * Whether to query rare types too: SRV, NAPTR, SSHFP and TLSA next to a CNAME, which few servers allow, and CAA of the
   * top-level domain. Queries every type at every server.
   *
   * @default false
   */
  thorough?: boolean | undefined;
  /** Address, ports and trusted authorities of the certificate and redirect probes. */
  probe?: ProbeOptions | undefined;
  /** Whether the domain is an apex domain. Overrides the detection. */
  kind?: 'apex' | 'subdomain' | undefined;
  /**
   * The certificate authority of the platform, by its CAA name, such as `letsencrypt.org`. Without it, CAA records that
   * permit some authorities are a warning.
   */
  issuer?: string | undefined;
  /**
   * When verification succeeded: a date, or its RFC 3339 text as in a stored report. A certificate is overdue
   * (`cert.overdue`) 30 minutes later (interface specification, "What the service does", 8). Without it, a missing
   * certificate stays `cert.pending`. A time in the future is ignored.
   *
   * For repeated checks, store `verifiedAt` of the last report by domain and target, and pass it as it is. Remove it when
   * the state is `active` or `action-required` and the report has none, and when the domain is removed.
   */
  verifiedAt?: Date | string | undefined;
  /**
   * How `verifiedAt` is known. Pass `given` for the time of the dashboard. With a stored report, pass its
   * `verifiedAtSource`.
   *
   * @default 'earlier-check'
   */
  verifiedAtSource?: VerifiedAtSource | undefined;
}

/** A plan, with its source. */
export interface KnownPlan {
  /** Such as `Pro`. */
  name: string;
  /**
   * Whether it was inferred from the rate limit of an API key. An inferred plan never blocks. Plans share some limits
   * (1,000 is per day for Free and per minute for Business), and the key may belong to another account.
   *
   * @default false
   */
  inferred?: boolean | undefined;
}

/** A redirect entry of a project (interface specification, "What the service does", 9). */
export interface RedirectEntry {
  /** Host name. */
  from: string;
  /** Host name. */
  to: string;
  /** HTTP status, such as 301. */
  status: number;
}

/** Which redirect entries to check. */
export interface RedirectsRequest {
  /** All entries of the project. */
  redirects: readonly RedirectEntry[];
  /**
   * Hosts whose entries are checked and reported.
   *
   * @default all
   */
  only?: readonly string[] | undefined;
  /** The project's domains in ASCII, for a warning about other targets. Leave it out if they are not known. */
  attached?: readonly string[] | undefined;
  /** The value that the dashboard shows for the CNAME. Identifies the platform's own certificate. */
  target?: string | undefined;
  /** Address, ports and trusted authorities of the probes. */
  probe?: ProbeOptions | undefined;
}

/** Which certificate to check. */
export interface CertificateRequest extends Pick<
  CheckRequest,
  'domain' | 'probe' | 'verifiedAt' | 'verifiedAtSource'
> {
  /** The value that the dashboard shows for the CNAME. Identifies the platform's own certificate. */
  target?: string | undefined;
}

/** Result of a check of a certificate. */
export interface CertificateCheck {
  /** The addresses of the domain. Absent with `probe.connect`. */
  found?: FoundAddresses;
  /** Absent if no address was found. */
  certificate?: CertificateReport;
  findings: readonly Finding[];
}

/** Result of a check of redirect entries, in the order of the request. */
export interface RedirectsCheck {
  redirects: readonly RedirectReport[];
  findings: readonly Finding[];
}

/** Address, ports and trusted authorities of the probes. */
export interface ProbeOptions {
  /**
   * Host or IP address to connect to instead of the resolved addresses. Required for loopback and private addresses.
   */
  connect?: string | undefined;
  /** @default 443 */
  httpsPort?: number | undefined;
  /** @default 80 */
  httpPort?: number | undefined;
  /** PEM of additional certificate authorities to trust. */
  ca?: string | undefined;
  /**
   * Whether to request `/` over HTTPS from the domain and from the target, and to compare their certificates and headers.
   * The same certificate, or the same header that no other operator sends, proves that the platform serves the domain.
   * This also shows a platform behind a proxy or CNAME flattening. A record that leads elsewhere is then a warning.
   *
   * @default false
   */
  platform?: boolean | undefined;
}

/** An IP address and a port to probe. */
export interface ProbeEndpoint {
  address: string;
  port: number;
}

/** Returns where to connect instead of an endpoint; `undefined`: to the endpoint itself. */
export type ProbeRoute = (endpoint: ProbeEndpoint) => ProbeEndpoint | undefined;

/** The addresses of a name. */
export interface FoundAddresses {
  /**
   * - `found`: the name has addresses.
   * - `missing`: the authoritative servers say that it has none.
   * - `unknown`: no address is known, and some queries failed.
   */
  outcome: 'found' | 'missing' | 'unknown';
  /** A and AAAA at the end of its aliases, without duplicates. Empty unless `found`. */
  addresses: readonly string[];
  /** Whether the time limit ended the lookup. */
  ranOut?: boolean;
}

/** Options of a check. */
export interface CheckOptions {
  /**
   * Recursive resolvers, as `HOST`, `HOST:PORT` or `[IPV6]:PORT`. If these or `doh` are given, they decide the state, and
   * the system's and public resolvers are not queried, unless `usePublic` is true. Otherwise a failing or filtering
   * resolver, or one with a stale record, only causes a warning.
   */
  resolvers?: readonly string[] | undefined;
  /** URL of a DNS over HTTPS resolver with HTTP/2 (RFC 8484), such as `https://dns.example/dns-query`. */
  doh?: string | undefined;
  /**
   * Whether to query 1.1.1.1, 8.8.8.8 and 9.9.9.9 too.
   *
   * @default true without `resolvers` and `doh`
   */
  usePublic?: boolean | undefined;
  /**
   * Port of all authoritative name servers. Name servers at private and loopback addresses are queried only with this
   * option, or with a resolver at such an address in `resolvers`.
   *
   * @default 53
   */
  authoritativePort?: number | undefined;
  /**
   * Whether the reports list all DNS queries (`report.trace`).
   *
   * @default false
   */
  trace?: boolean | undefined;
  /**
   * The goal. With `active`, a target that visitors can't reach blocks instead of causing a warning.
   *
   * @default 'verified'
   */
  until?: 'verified' | 'active' | undefined;
  /** Aborts the check, which rejects with an `AbortedError` whose `cause` is the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Time limit of the whole check, in milliseconds. Queries without a response by then are reported as `time.ran-out`.
   *
   * @default no limit
   */
  timeoutMs?: number | undefined;
  clock?: Clock | undefined;
  /**
   * Returns a number from 0 (inclusive) to 1 (exclusive).
   *
   * @default Math.random
   */
  random?: (() => number) | undefined;
  /**
   * Sends the queries. Stays open after the check.
   *
   * @default a new client, closed after the check
   */
  dns?: DnsClient | undefined;
  /**
   * The system's resolvers.
   *
   * @default those of the machine's configuration
   */
  systemResolvers?: readonly DnsServer[] | undefined;
  /**
   * Domains checked at the same time.
   *
   * @default 32
   */
  concurrency?: number | undefined;
  /** The project's domains in ASCII. Redirects to other domains are reported. Leave it out if they are unknown. */
  attached?: readonly string[] | undefined;
  /**
   * All redirect entries of the project, to find loops and duplicates. Only the entries of a check are probed and
   * reported.
   *
   * @default the entries of the check
   */
  projectRedirects?: readonly RedirectEntry[] | undefined;
  /**
   * Returns where the probes connect instead of an address and port, such as a server of a test; `undefined`: to the
   * address itself. An address with a route is probed even if it is reserved. Reports name the original address.
   *
   * @default no routes
   */
  route?: ProbeRoute | undefined;
}
