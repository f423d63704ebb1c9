import type { AddressFacts, CertificateFacts, SeenCertificate } from './certificate-facts.js';
import { readCertificate } from './certificate-reading.js';
import type { ProbeSubject } from '../report/options.js';
import { probeAddresses } from '../probe/probe-addresses.js';
import { type ProbeLimits, withinTime } from '../probe/probe-time.js';
import { type ProbeFailure, probeFailureOf } from '../probe/probe-failure.js';
import { openTls, type TlsEndpoint, secureContextFor } from '../probe/probe-tls.js';
import { createLimiter } from '../concurrency/limiter.js';

export const HTTPS_PORT = 443;
const CONNECTIONS_MAX = 8;

/**
 * Looks at the certificate that each address of the domain shows. Sends nothing but the handshake. What could not be
 * looked at is a fact as well.
 *
 * @throws InvalidInputError where the authorities to trust can't be read.
 */
export async function probeCertificate(
  subject: ProbeSubject,
  limits: ProbeLimits,
): Promise<CertificateFacts> {
  const { domain, target, now, verifiedAt, probe } = subject;
  const trust = secureContextFor(probe.ca);
  const port = probe.httpsPort ?? HTTPS_PORT;
  const { allowed, refused } = await probeAddresses(subject, () => subject.addresses);
  const slots = createLimiter(CONNECTIONS_MAX);
  const looked = allowed.map((address) =>
    slots.run(async (): Promise<AddressFacts> => {
      const seen = await lookAt({ address, port, host: domain, trust }, target, limits);
      return { address, seen };
    }),
  );
  const left = refused.map(({ address, failure: trouble }) => ({ address, seen: trouble }));
  return {
    domain,
    target,
    port,
    checkedAt: now,
    verifiedAt,
    addresses: [...(await Promise.all(looked)), ...left],
  };
}

function lookAt(
  door: TlsEndpoint,
  target: string | undefined,
  limits: ProbeLimits,
): Promise<SeenCertificate | ProbeFailure> {
  return withinTime(limits, (end) => {
    const socket = openTls(door);
    socket.once('secureConnect', () => {
      end(
        readCertificate(socket, door.host, target) ?? {
          kind: 'no-answer',
          detail: 'TLS without a certificate',
        },
      );
    });
    // Stays: errors may follow the end.
    socket.on('error', (error: Error) => {
      end(probeFailureOf(error));
    });
    return () => {
      socket.destroy();
    };
  });
}
