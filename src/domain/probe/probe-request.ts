import type { Finding } from '../report/finding.js';
import type { Report, VerifiedAtSource } from '../report/report.js';
import type { FoundAddresses, ProbeOptions, RedirectEntry } from '../request/options.js';

/** What to probe, and how. */
export interface ProbeRequest {
  /** Host of the platform, if known. Identifies its own certificate. */
  target: string | undefined;
  /** Finds the addresses that visitors of a name use. */
  addressesOf: (name: string) => Promise<FoundAddresses>;
  /** Where to connect. */
  probe: ProbeOptions;
  /** Time of the check. */
  now: Date;
  signal: AbortSignal | undefined;
  /** The site whose certificate is read at each of its addresses. */
  certificate?: Site | undefined;
  /** The site whose responses are compared with the target's. Needs a target. */
  platform?: Site | undefined;
  /** Redirect entries to check as data and by requests. */
  redirects?: readonly RedirectEntry[] | undefined;
  /** Redirect entries to check only as data. Ignored with `redirects`. */
  entries?: readonly RedirectEntry[] | undefined;
}

/** A domain with its addresses. */
export interface Site {
  /** ASCII, lower case. */
  domain: string;
  /** A and AAAA. */
  addresses: readonly string[];
  /** When verification succeeded, if known. */
  verifiedAt?: Date | undefined;
  /**
   * How `verifiedAt` is known.
   *
   * @default 'earlier-check'
   */
  verifiedAtSource?: VerifiedAtSource | undefined;
  /** Whether all addresses are the target's. Undefined if that is not known. */
  isAtTarget?: boolean | undefined;
}

/** The parts of a report that a probe adds. A part that was not requested is absent. */
export interface ProbeResults extends Pick<Report, 'certificate' | 'redirects' | 'platform'> {
  findings: readonly Finding[];
}

/**
 * Connects over TLS and HTTP: only to public addresses, to the address in `probe.connect` and to routes. Rejects with
 * InvalidInputError if `probe.ca` has no valid certificate.
 */
export type Probe = (request: ProbeRequest) => Promise<ProbeResults>;
