import type { PeerCertificate } from 'node:tls';

/** The certificate that the peer sent. `connectTls` adds it to Node's error. An error about another name has it, in Bun too. */
function peerOf(error: unknown): PeerCertificate | undefined {
  if (!(error instanceof Error)) return undefined;
  const { peerCertificate, cert } = error as { peerCertificate?: PeerCertificate; cert?: PeerCertificate };
  return peerCertificate ?? cert ?? peerOf(error.cause);
}

/**
 * What to do about a certificate that is not trusted. Names what is wrong with it, as far as the peer sent it.
 *
 * @param code of OpenSSL or Node.js.
 * @param address the origin of the service.
 */
export function certificateHint(error: Error, code: string, address: string): string {
  const peer = peerOf(error);
  const certificate = `The certificate of ${address}`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `${certificate} is for ${namesOf(peer)}. Check the host of the base URL.`;
  if (code === 'CERT_HAS_EXPIRED')
    return `${certificate} or of its issuer has expired${ownDate('ends', peer?.valid_to)}. Inform the operator of the service, and check the clock of this machine.`;
  if (code === 'CERT_NOT_YET_VALID')
    return `${certificate} or of its issuer is not valid yet${ownDate('begins', peer?.valid_from)}. Check the clock of this machine.`;
  const trust =
    'If the certificate or its authority is your own, trust it with --ca FILE or NODE_EXTRA_CA_CERTS=FILE.';
  // The chain ends at the certificate of the service itself. Bun shows none, and has this code for a self-signed one, too.
  if (code !== 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' || peer === undefined)
    return `${certificate} is not trusted. ${trust}`;
  const issuer = String(peer.issuer.CN ?? 'its issuer');
  return (
    `${certificate} is not trusted: the server does not send the certificate of ${issuer}. ` +
    `Inform the operator of the service, or add that certificate to the file of --ca. ${trust}`
  );
}

function ownDate(verb: string, date: string | undefined): string {
  return date === undefined ? '' : ` (its own ${verb} on ${new Date(date).toLocaleDateString('sv-SE')})`;
}

const NAMES_MAX = 4;

function namesOf(peer: PeerCertificate | undefined): string {
  const names = peer?.subjectaltname?.split(', ').map((name) => name.replace(/^[^:]*:/, '')) ?? [];
  if (names.length === 0) return String(peer?.subject.CN ?? 'another name');
  return names.slice(0, NAMES_MAX).join(', ') + (names.length > NAMES_MAX ? ' and others' : '');
}
