import type { ProbeFailure } from '../probe/probe-failure.js';

/** What was found out about a domain's certificate, before anything is concluded. */
export interface CertificateFacts {
  /** ASCII. */
  domain: string;
  /** The platform's host that the domain points to, where it is known. */
  target: string | undefined;
  port: number;
  /** Milliseconds since the epoch. */
  checkedAt: number;
  /** When the domain was verified, in milliseconds since the epoch, where that is known. */
  verifiedAt: number | undefined;
  addresses: readonly AddressFacts[];
}

/** What one address showed. */
export interface AddressFacts {
  address: string;
  seen: SeenCertificate | ProbeFailure;
}

/** A certificate as a server sent it. All texts are safe to show. */
export interface SeenCertificate {
  kind: 'certificate';
  /** Common name, or the whole subject where it has none. */
  subject: string;
  /** Alternative names: host names and addresses. */
  names: readonly string[];
  issuer: string;
  /** Milliseconds since the epoch. */
  validFrom: number;
  /** Milliseconds since the epoch. */
  validTo: number;
  /** Subjects from the certificate up, as far as the chain is known. */
  chain: readonly string[];
  /** Whether it is for the host that was asked for. */
  isForHost: boolean;
  /** Whether it is for the platform's host: its own certificate, shown where the domain's is not there yet. */
  isForTarget: boolean;
  /** What OpenSSL says against it, such as `DEPTH_ZERO_SELF_SIGNED_CERT`. Judged by the machine's clock. */
  distrust: string | undefined;
}
