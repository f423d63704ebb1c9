import type { AddressFacts, CertificateFacts } from './probe-certificate.js';
import type { ServedCertificate } from './read-certificate.js';
import { certificateIssuance } from './certificate-issuance.js';
import {
  addressEvidence,
  type CertificateProblem,
  namesText,
  timeText,
  distrustOf,
  issuePhase,
  problemsAt,
} from './certificate-problems.js';
import type { ProbeFailure } from '../probe/probe-failure.js';
import type { Finding } from '../finding/finding.js';
import { isIpv6 } from '../name/ip-address.js';
import { listed } from '../finding/printable.js';

/** All findings about the certificate of a domain. */
export function certificateFindings(facts: CertificateFacts): Finding[] {
  return RULES.flatMap((rule) => rule(facts));
}

/** `cert.wrong-name`, `cert.untrusted`, `cert.expired`, `cert.no-tls`: a problem, with its addresses. */
export function certificateProblem(facts: CertificateFacts): Finding[] {
  return PROBLEMS.flatMap((problem) => {
    const affected = facts.addresses.filter((address) =>
      problemsAt(address, facts.checkedAt)?.includes(problem),
    );
    const [first] = affected;
    if (first === undefined) return [];
    const isPending = problem !== 'expired' && issuePhase(facts) === 'pending';
    return [
      {
        id: `cert.${problem}`,
        axis: 'certificate',
        severity: isPending ? 'wait' : 'block',
        message: problemText(problem, facts, affected, first),
        fix: { action: 'other', text: isPending ? WAIT : (remedyOf(first) ?? FIXES[problem]), records: [] },
        evidence: affected.map((address) => addressEvidence(facts, address)),
      } satisfies Finding,
    ];
  });
}

const PROBLEMS: readonly CertificateProblem[] = ['no-tls', 'wrong-name', 'untrusted', 'expired'];

const WAIT = 'Check again in a few minutes.';

const FIXES: Readonly<Record<CertificateProblem, string>> = {
  'no-tls':
    'Check for a firewall or proxy that closes the port. If the domain was verified more than 30 minutes ago, start verification again in your dashboard.',
  'wrong-name':
    'If you use a proxy or CDN, set its record to "DNS only". If the domain was verified more than 30 minutes ago, start verification again in your dashboard.',
  untrusted:
    'Start verification again in your dashboard to get a new certificate. If you use a proxy or CDN, set its record to "DNS only". To trust a private authority, use --ca FILE.',
  expired:
    'Start verification again in your dashboard. If no new certificate is issued, check for CAA records and for AAAA records of another host.',
};

/** The remedy for a server that uses TLS in a way that visitors can't. */
function remedyOf({ result }: AddressFacts): string | undefined {
  return result.kind === 'certificate' || result.mistake === undefined ? undefined : REMEDIES[result.mistake];
}

const REMEDIES: Readonly<Record<NonNullable<ProbeFailure['mistake']>, string>> = {
  'client-certificate':
    'Turn off the requirement of a client certificate (mutual TLS) at this server or its proxy. Visitors have none.',
  'old-tls': 'Enable TLS 1.2 and 1.3 at this server or its proxy. Browsers reject older versions.',
};

function problemText(
  problem: CertificateProblem,
  { domain, port, checkedAt }: CertificateFacts,
  affected: readonly AddressFacts[],
  { result }: AddressFacts,
): string {
  const addresses = addressList(affected);
  if (result.kind !== 'certificate')
    return `https does not work at ${addresses}, port ${port}: ${result.detail}.`;
  switch (problem) {
    case 'no-tls':
    case 'wrong-name':
      return `The certificate at ${addresses} is for ${namesText(result)}, not for ${domain}. ${ownerText(result)}`;
    case 'untrusted':
      return `Browsers do not trust the certificate at ${addresses}: ${distrustOf(result, checkedAt) ?? ''}.`;
    case 'expired':
      return `The certificate at ${addresses} expired at ${timeText(result.validTo)}. Browsers reject it.`;
  }
}

function ownerText({ isForTarget }: ServedCertificate): string {
  return isForTarget ? "It is the platform's own: that of the domain is missing." : 'Browsers reject it.';
}

/**
 * `cert.no-tls` as `unknown`: addresses whose certificate could not be read. Ignores addresses without a route from
 * this machine, such as IPv6, if others could be probed.
 */
export function certificateUnknown(facts: CertificateFacts): Finding[] {
  const { addresses, checkedAt, domain } = facts;
  if (addresses.length === 0) {
    return [
      unknown(
        `The certificate of ${domain} could not be checked: the domain has no known address.`,
        'Try again when the name resolves, or pass the server with --connect HOST.',
        [{ text: `${domain}: no address` }],
      ),
    ];
  }
  const isAnyKnown = addresses.some((address) => problemsAt(address, checkedAt) !== undefined);
  const failures = addresses.flatMap(({ address, result }) => {
    if (result.kind === 'certificate' || result.kind === 'refused') return [];
    return isAnyKnown && result.kind === 'no-route' ? [] : [{ address, result }];
  });
  const details = [...new Set(failures.map(({ result }) => result.detail))];
  return details.map((detail) => {
    const same = failures.filter(({ result }) => result.detail === detail);
    return unknown(
      `The certificate at ${addressList(same)} could not be checked: ${detail}.`,
      same.some(({ result }) => result.kind === 'not-probed')
        ? 'Pass the server with --connect HOST. Private addresses are probed only with it.'
        : same.some(({ result }) => result.kind === 'aborted')
          ? 'Allow more time with --timeout.'
          : 'Try again later, or from another network.',
      same.map((address) => addressEvidence(facts, address)),
    );
  });
}

function unknown(message: string, text: string, evidence: Finding['evidence']): Finding {
  const fix = { action: 'other', text, records: [] } as const;
  return { id: 'cert.no-tls', axis: 'certificate', severity: 'unknown', message, fix, evidence };
}

/** `cert.differs-per-address`: correct at some addresses and wrong at others, so visitors may get either. */
export function certificateDiffers(facts: CertificateFacts): Finding[] {
  const { addresses, checkedAt, domain } = facts;
  const right = addresses.filter((address) => problemsAt(address, checkedAt)?.length === 0);
  const wrong = addresses.filter((address) => (problemsAt(address, checkedAt)?.length ?? 0) > 0);
  if (right.length === 0 || wrong.length === 0) return [];
  const families = [right, wrong].map((group) => new Set(group.map(({ address }) => isIpv6(address))));
  const isPerFamily =
    families.every(({ size }) => size === 1) && families[0]?.has(true) !== families[1]?.has(true);
  const visitors = isPerFamily
    ? ` Visitors over ${families[1]?.has(true) === true ? 'IPv6' : 'IPv4'} get the wrong one.`
    : '';
  return [
    {
      id: 'cert.differs-per-address',
      axis: 'certificate',
      severity: 'warn',
      message: `The certificate of ${domain} is correct at ${addressList(right)}, but not at ${addressList(wrong)}.${visitors}`,
      fix: {
        action: 'other',
        text: `If ${addressList(wrong)} does not belong to the platform, remove its record. Otherwise, wait a few minutes and check again.`,
        records: [],
      },
      evidence: addresses.map((address) => addressEvidence(facts, address)),
    },
  ];
}

const DAY_MS = 86_400_000;
const EXPIRING_DAYS = 14;

/** `cert.expiring`: fewer than 14 days left, although renewal is automatic and earlier. */
export function certificateExpiring(facts: CertificateFacts): Finding[] {
  const { addresses, checkedAt } = facts;
  const expiring = addresses.flatMap((address) => {
    const { result } = address;
    if (result.kind !== 'certificate' || !result.isForHost) return [];
    const leftMs = result.validTo - checkedAt;
    return leftMs > 0 && leftMs < EXPIRING_DAYS * DAY_MS ? [{ address, validTo: result.validTo }] : [];
  });
  if (expiring.length === 0) return [];
  const first = Math.min(...expiring.map(({ validTo }) => validTo));
  const days = Math.floor((first - checkedAt) / DAY_MS);
  const left = days === 0 ? 'in less than a day' : days === 1 ? 'in 1 day' : `in ${days} days`;
  return [
    {
      id: 'cert.expiring',
      axis: 'certificate',
      severity: 'warn',
      message: `The certificate at ${addressList(expiring.map(({ address }) => address))} expires ${left} (${timeText(first)}). It should have been renewed by now.`,
      fix: {
        action: 'other',
        text: 'Start verification again in your dashboard. Check the CAA records too: they apply to each renewal.',
        records: [],
      },
      evidence: expiring.map(({ address }) => addressEvidence(facts, address)),
    },
  ];
}

function addressList(addresses: readonly Pick<AddressFacts, 'address'>[]): string {
  return listed(addresses.map(({ address }) => address));
}

const RULES = [
  certificateIssuance,
  certificateProblem,
  certificateUnknown,
  certificateDiffers,
  certificateExpiring,
] as const;
