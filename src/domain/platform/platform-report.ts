import type { Evidence, Finding } from '../finding/finding.js';
import { listed, shown } from '../finding/printable.js';
import { withPort } from '../name/ip-address.js';
import type { PlatformReport, ProbedSite } from '../report/report.js';
import { isComparable, platformProof, type Proof } from './platform-proof.js';
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

/** `probe.served`, `probe.unproved`, `probe.failed`: whether the platform serves the domain, as responses show. */
export function platformFindings(facts: PlatformFacts): Finding[] {
  const { domain, target } = facts;
  const proof = platformProof(facts);
  const evidence = [
    ...facts.ofDomain.map((site) => siteEvidence(facts, domain, site)),
    ...facts.ofTarget.map((site) => siteEvidence(facts, target, site)),
  ];
  const found = { axis: 'serving', evidence } as const;
  if (proof !== undefined) {
    const message = `The platform serves ${domain}: ${proofText(proof, target)}.`;
    return [{ ...found, id: 'probe.served', severity: 'info', message }];
  }
  // Other findings report a domain or a target without an address.
  if (facts.ofDomain.length === 0 || facts.ofTarget.length === 0) return [];
  if (!isComparable(facts)) {
    const silent = facts.ofDomain.some(({ response }) => response.kind === 'response') ? target : domain;
    return [
      {
        ...found,
        id: 'probe.failed',
        severity: 'unknown',
        message: `${silent} gave no response over HTTPS to compare.`,
      },
    ];
  }
  const message = `The responses of ${domain} and ${target} have neither the same certificate nor the same distinguishing header. This does not prove that another server responds.`;
  return [{ ...found, id: 'probe.unproved', severity: 'unknown', message }];
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
  return {
    text: `https://${host}/ at ${withPort(address, port)}: ${result}${certificate}${headers}`,
    command: `curl -sI --connect-to ::${withPort(address, port)} https://${host}/`,
  };
}
