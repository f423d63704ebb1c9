import type { AddressFacts, CertificateFacts, SeenCertificate } from './certificate-facts.js';
import { readCertificate } from './certificate-reading.js';
import type { ProbeSubject } from '../report/options.js';
import { probeAddresses } from '../probe/probe-addresses.js';
import { type ProbeLimits, withinTime } from '../probe/probe-time.js';
import { type ProbeTrouble, troubleOfError } from '../probe/probe-trouble.js';
import { openTls, type TlsDoor, trustOf } from '../probe/probe-tls.js';
import { createSlots } from '../concurrency/slots.js';

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
  const trust = trustOf(probe.ca);
  const port = probe.httpsPort ?? HTTPS_PORT;
  const { allowed, refused } = await probeAddresses(subject, () => subject.addresses);
  const slots = createSlots(CONNECTIONS_MAX);
  const looked = allowed.map((address) =>
    slots.inside(async (): Promise<AddressFacts> => {
      const seen = await lookAt({ address, port, host: domain, trust }, target, limits);
      return { address, seen };
    }),
  );
  const left = refused.map(({ address, trouble }) => ({ address, seen: trouble }));
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
  door: TlsDoor,
  target: string | undefined,
  limits: ProbeLimits,
): Promise<SeenCertificate | ProbeTrouble> {
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
      end(troubleOfError(error));
    });
    return () => {
      socket.destroy();
    };
  });
}
