import { readCertificate, type ServedCertificate } from './read-certificate.js';
import type { ProbeRequest, Site } from './probe-request.js';
import type { VerifiedAtSource } from '../report/report.js';
import { probeAddresses } from './probe-addresses.js';
import {
  CONNECTION_CLOSED,
  type ProbeFailure,
  probeFailureOf,
  type ProbeLimits,
  withinTime,
} from './probe-failure.js';
import { openTls, type TlsEndpoint, secureContextFor } from './probe-tls.js';
import { createLimiter } from '../dns/concurrency/limiter.js';

/** Results of a certificate probe. */
export interface CertificateFacts {
  /** ASCII. */
  domain: string;
  /** Host of the platform that the domain points to, if known. */
  target: string | undefined;
  port: number;
  /** Milliseconds since the epoch. */
  checkedAt: number;
  /** When the domain was verified, in milliseconds since the epoch, if known. */
  verifiedAt: number | undefined;
  verifiedAtSource: VerifiedAtSource;
  /** Whether all addresses are the target's. Undefined if that is not known. */
  isAtTarget?: boolean | undefined;
  addresses: readonly AddressFacts[];
}

/** The certificate of one address, or why the probe failed. */
export interface AddressFacts {
  address: string;
  result: ServedCertificate | ProbeFailure;
}

export const HTTPS_PORT = 443;
const CONNECTIONS_MAX = 8;

/**
 * Probes the certificate at each address of a domain. Sends only the TLS handshake. A failed probe is a fact too.
 *
 * @throws InvalidInputError if the certificate authorities of `ca` can't be read.
 */
export async function probeCertificate(
  { domain, addresses, verifiedAt, verifiedAtSource = 'earlier-check', isAtTarget }: Site,
  request: ProbeRequest,
  limits: ProbeLimits,
): Promise<CertificateFacts> {
  const { target, now, probe } = request;
  const trust = secureContextFor(probe.ca);
  const port = probe.httpsPort ?? HTTPS_PORT;
  const { route } = limits;
  const { allowed, refused } = await probeAddresses(request, () => addresses, [port], route);
  const limiter = createLimiter(CONNECTIONS_MAX);
  const probed = allowed.map((address) =>
    limiter.run(async (): Promise<AddressFacts> => {
      const endpoint = route({ address, port }) ?? { address, port };
      const tls = { ...endpoint, host: domain, trust };
      const result = await handshake(tls, target, limits);
      return {
        address,
        result: result === CONNECTION_CLOSED ? await handshake(tls, target, limits) : result,
      };
    }),
  );
  const skipped = refused.map(({ address, failure }) => ({ address, result: failure }));
  return {
    domain,
    target,
    port,
    checkedAt: now.getTime(),
    verifiedAt: verifiedAt?.getTime(),
    verifiedAtSource,
    isAtTarget,
    addresses: [...(await Promise.all(probed)), ...skipped],
  };
}

function handshake(
  endpoint: TlsEndpoint,
  target: string | undefined,
  limits: ProbeLimits,
): Promise<ServedCertificate | ProbeFailure> {
  return withinTime(limits, (end) => {
    const socket = openTls(endpoint);
    socket.once('secureConnect', () => {
      end(
        readCertificate(socket, endpoint.host, target) ?? {
          kind: 'refused',
          detail: 'TLS without a certificate',
        },
      );
    });
    // Not `once`: errors may follow the end.
    socket.on('error', (error: Error) => {
      end(probeFailureOf(error));
    });
    return () => {
      socket.destroy();
    };
  });
}
