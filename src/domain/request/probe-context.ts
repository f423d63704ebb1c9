import type { Finding } from '../report/finding.js';
import type { VerifiedAtSource } from '../report/report.js';

/** Address, ports and trusted authorities of the probes. */
export interface ProbeTarget {
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

/** A report of a probe, with its findings. */
export interface Probed<T> {
  report: T;
  findings: readonly Finding[];
}

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

/** Input of every probe. */
export interface ProbeContext {
  /** Host of the platform. Identifies its own certificate. */
  target: string | undefined;
  /** Finds the addresses that visitors of a name use. */
  addressesOf: (name: string) => Promise<FoundAddresses>;
  probe: ProbeTarget;
  /** Time of the check. */
  now: Date;
  signal: AbortSignal | undefined;
}

/** Input of the certificate probe. */
export interface ProbeSubject extends ProbeContext {
  /** ASCII, lower case. */
  domain: string;
  /** The addresses of the domain, A and AAAA. */
  addresses: readonly string[];
  /** When verification succeeded, if known. */
  verifiedAt: Date | undefined;
  /**
   * How `verifiedAt` is known.
   *
   * @default 'earlier-check'
   */
  verifiedAtSource?: VerifiedAtSource | undefined;
  /** Whether all addresses are the target's. Undefined if that is not known. */
  isAtTarget?: boolean | undefined;
}
