import { type Evidence, finding, type Finding } from '../report/finding.js';
import { listed, shown } from '../names/printable.js';
import { isIpv6, withPort } from '../names/ip-address.js';
import type { PlatformReport, ProbedSite } from '../report/report.js';
import { isNoEvidence } from './probe-failure.js';
import type { PlatformFacts, SiteResponse } from './probe-platform.js';

/** Returns the part of a report about who serves the domain. */
export function platformReport(facts: PlatformFacts): PlatformReport {
  const proof = platformProof(facts);
  return {
    result: proof !== undefined ? 'served' : isComparable(facts) ? 'unproved' : 'unknown',
    ...(proof !== undefined && { proof: printableProof(proof) }),
    domain: facts.ofDomain.map(probedSite),
    target: facts.ofTarget.map(probedSite),
  };
}

function printableProof(proof: Proof): Proof {
  return proof.by === 'header' ? { ...proof, value: shown(proof.value, 80) } : proof;
}

function probedSite({ address, response, fingerprint }: SiteResponse): ProbedSite {
  return {
    address,
    ...(response.kind === 'response' ? { status: response.status } : { trouble: response.detail }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
}

/**
 * Whether the platform serves the domain, as responses show.
 *
 * - `probe.served`: the same certificate or the same distinguishing header proves it.
 * - `probe.unproved`: the responses have nothing in common that proves it.
 * - `probe.failed`: the domain or the target sent no response to compare.
 */
export function platformFindings(facts: PlatformFacts): Finding[] {
  const { domain, target } = facts;
  const proof = platformProof(facts);
  const evidence = [
    ...facts.ofDomain.map((site) => siteEvidence(facts, domain, site)),
    ...facts.ofTarget.map((site) => siteEvidence(facts, target, site)),
  ];
  if (proof !== undefined) {
    const message = `The platform serves ${domain}: ${proofText(proof, target)}.`;
    return [finding('probe.served', 'info', { message, evidence })];
  }
  // Other findings report a domain or a target without an address.
  if (facts.ofDomain.length === 0 || facts.ofTarget.length === 0) return [];
  if (!isComparable(facts)) {
    const silent = facts.ofDomain.some(({ response }) => response.kind === 'response') ? target : domain;
    const message = `${silent} gave no response over HTTPS to compare.`;
    return [finding('probe.failed', 'unknown', { message, evidence })];
  }
  const message = `The responses of ${domain} and ${target} have neither the same certificate nor the same distinguishing header. This does not prove that another server responds.`;
  return [finding('probe.unproved', 'unknown', { message, evidence })];
}

function proofText(proof: Proof, target: string): string {
  return proof.by === 'certificate'
    ? `it serves the same certificate (${proof.subject}) as ${target}`
    : `it sends the same header as ${target} (${proof.name}: ${shown(proof.value, 80)})`;
}

function siteEvidence({ port }: PlatformFacts, host: string, site: SiteResponse): Evidence {
  const { address, response, fingerprint, subject = '' } = site;
  const result = response.kind === 'response' ? `HTTP ${response.status}` : response.detail;
  const certificate =
    fingerprint === undefined ? '' : `, certificate ${subject} (${fingerprint.slice(0, 23)}…)`;
  const names = [...site.headers].map(([name, value]) => `${name}: ${shown(value, 80)}`);
  const headers = names.length === 0 ? '' : `, ${listed(names)}`;
  const endpoint = `::${withPort(address, port)}`;
  // A shell would expand the brackets.
  const connection = isIpv6(address) ? `'${endpoint}'` : endpoint;
  return {
    text: `https://${host}/ at ${withPort(address, port)}: ${result}${certificate}${headers}`,
    command: `curl -skI --connect-to ${connection} https://${host}/`,
  };
}

/** How a response of the domain's address proves that the platform serves it. */
type Proof = NonNullable<PlatformReport['proof']>;

/**
 * Returns the proof that the platform serves the domain. The proof is the same certificate,
 * whose key only the platform has, or the
 * same distinguishing header, which passes a proxy. Every address that responds needs one; `undefined` otherwise.
 */
export function platformProof({ ofDomain, ofTarget }: PlatformFacts): Proof | undefined {
  const responding = ofDomain.filter(({ response }) => !isNoEvidence(response));
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
function isComparable({ ofDomain, ofTarget }: PlatformFacts): boolean {
  return [ofDomain, ofTarget].every((sites) => sites.some(hasResponded));
}

function hasResponded({ response, fingerprint }: SiteResponse): boolean {
  return response.kind === 'response' || fingerprint !== undefined;
}
