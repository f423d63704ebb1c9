import type { PlatformFacts, SiteResponse } from './probe-platform.js';

/** How a response of the domain's address proves that the platform serves it. */
export type Proof =
  { by: 'certificate'; fingerprint: string; subject: string } | { by: 'header'; name: string; value: string };

/**
 * Returns the proof that the platform serves the domain: the same certificate, whose key only the platform has, or the
 * same distinguishing header, which passes a proxy. Every address that responds needs one; `undefined` otherwise.
 */
export function platformProof({ ofDomain, ofTarget }: PlatformFacts): Proof | undefined {
  const responding = ofDomain.filter(({ response }) => response.kind !== 'no-route');
  const proofs = responding.map((site) => proofOf(site, ofTarget));
  return proofs.every((proof) => proof !== undefined) ? proofs[0] : undefined;
}

function proofOf(
  { fingerprint, subject = '', headers }: SiteResponse,
  ofTarget: readonly SiteResponse[],
): Proof | undefined {
  if (fingerprint !== undefined && ofTarget.some((site) => site.fingerprint === fingerprint))
    return { by: 'certificate', fingerprint, subject };
  for (const [name, value] of headers)
    if (ofTarget.some((site) => site.headers.get(name) === value)) return { by: 'header', name, value };
  return undefined;
}

/** Whether the responses can be compared: the domain and the target responded, at least with a certificate. */
export function isComparable({ ofDomain, ofTarget }: PlatformFacts): boolean {
  return [ofDomain, ofTarget].every((sites) => sites.some(hasResponded));
}

function hasResponded({ response, fingerprint }: SiteResponse): boolean {
  return response.kind === 'response' || fingerprint !== undefined;
}
