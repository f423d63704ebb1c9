import { certificateProblems } from './certificate-problems.js';
import { probeCertificate } from './probe-certificate.js';
import type { ProbeContext, TargetCertificate } from '../report/probe-context.js';
import type { ProbeLimits } from '../probe/probe-failure.js';

/** Reads the certificate that addresses serve for the name of the target. Leaves out those that serve none. */
export async function probeTargetCertificates(
  context: ProbeContext,
  addresses: readonly string[],
  limits: ProbeLimits,
): Promise<TargetCertificate[]> {
  const { target } = context;
  if (target === undefined) return [];
  const subject = { ...context, domain: target, addresses, verifiedAt: undefined };
  const facts = await probeCertificate(subject, limits);
  return facts.addresses.flatMap(({ address, result }) => {
    if (result.kind !== 'certificate') return [];
    const { authority } = result;
    const isTrusted = certificateProblems(result, facts.checkedAt).length === 0;
    return [{ address, port: facts.port, isTrusted, authority, caaNames: caaNamesOf(authority) }];
  });
}

/**
 * The CAA names of certificate authorities, by the organisation in their certificates. The first is the usual one. Only
 * authorities whose names are documented widely, because a wrong name would report a certificate as blocked.
 */
const CAA_NAMES: Readonly<Record<string, readonly string[]>> = {
  Amazon: ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com'],
  'COMODO CA Limited': ['sectigo.com', 'comodo.com', 'comodoca.com'],
  'DigiCert Inc': ['digicert.com', 'geotrust.com', 'rapidssl.com', 'thawte.com', 'symantec.com'],
  'DigiCert, Inc.': ['digicert.com', 'geotrust.com', 'rapidssl.com', 'thawte.com', 'symantec.com'],
  'GlobalSign nv-sa': ['globalsign.com'],
  'GoDaddy.com, Inc.': ['godaddy.com', 'starfieldtech.com'],
  'Google Trust Services': ['pki.goog'],
  'Google Trust Services LLC': ['pki.goog'],
  "Let's Encrypt": ['letsencrypt.org'],
  'Sectigo Limited': ['sectigo.com', 'comodo.com', 'comodoca.com', 'usertrust.com', 'trust-provider.com'],
  'SSL Corp': ['ssl.com'],
  'SSL Corporation': ['ssl.com'],
  'Starfield Technologies, Inc.': ['starfieldtech.com', 'godaddy.com'],
  ZeroSSL: ['sectigo.com', 'zerossl.com'],
};

/** The CAA names of an authority, by the organisation of its certificate. Empty for an unknown one. */
export function caaNamesOf(organisation: string): readonly string[] {
  return Object.hasOwn(CAA_NAMES, organisation) ? (CAA_NAMES[organisation] ?? []) : [];
}
