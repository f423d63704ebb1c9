import type { AddressFacts, CertificateFacts } from './probe-certificate.js';
import type { ServedCertificate } from './read-certificate.js';
import { timeText } from '../gather/views/estimate.js';
import { describeDuration } from '../../time/duration.js';
import { CERTIFICATE_DUE_MS } from '../diagnose/wait.js';
import {
  addressEvidence,
  certificateText,
  isServed,
  type CertificateProblem,
  namesText,
  distrustOf,
  isDistrustedByClock,
  issuePhase,
  problemsAt,
} from './certificate-problems.js';
import { isNoEvidence } from './probe-failure.js';
import { finding, type Finding } from '../report/finding.js';
import { listed } from '../names/printable.js';

/** All findings about the certificate of a domain. */
export function certificateFindings(facts: CertificateFacts): Finding[] {
  return [
    ...certificateIssuance(facts),
    ...PROBLEMS.flatMap((problem) => certificateProblem(facts, problem)),
    ...certificateUnknown(facts),
    ...certificateDiffers(facts),
    ...certificateExpiring(facts),
  ];
}

/**
 * Whether the certificate is issued.
 *
 * - `cert.active`: every address that could be probed serves a valid certificate for the domain.
 * - `cert.pending`: no certificate yet, at most 30 minutes after verification or if its time is unknown.
 * - `cert.overdue`: no certificate 30 minutes after verification.
 */
function certificateIssuance(facts: CertificateFacts): Finding[] {
  const { addresses, domain, verifiedAt, verifiedAtSource } = facts;
  const evidence = addresses.map((address) => addressEvidence(facts, address));
  if (isServed(facts)) {
    const served = addresses.flatMap(({ result }) => (result.kind === 'certificate' ? [result] : []));
    const text = served[0] === undefined ? '' : `: ${certificateText(served[0])}`;
    const message = `${domain} serves its certificate${text}.${uncheckedText(facts)}`;
    return [finding('cert.active', 'info', { message, evidence })];
  }
  const phase = issuePhase(facts);
  if (phase === 'settled') return [];
  if (phase === 'overdue') {
    return [
      finding('cert.overdue', 'block', {
        message: `The certificate of ${domain} is overdue. ${sinceVerification(facts)} It should be issued within 30 minutes.`,
        fix: [
          'In your dashboard, start verification again, once.',
          'If that does not help, check for CAA records and for AAAA records of another host.',
          'Other reasons are a proxy or CDN, closed ports 80 and 443, and broken DNSSEC.',
          'Authorities also limit how many certificates a domain gets in a week.',
        ],
        evidence,
      }),
    ];
  }
  const isKnown = verifiedAt !== undefined && verifiedAtSource !== 'this-check';
  const condition = isKnown
    ? `it is missing at ${timeText(verifiedAt + CERTIFICATE_DUE_MS)}`
    : 'DNS was correct more than 30 minutes ago';
  return [
    finding('cert.pending', 'wait', {
      message: `${domain} has no certificate yet. ${sinceVerification(facts)} The certificate is normally issued within minutes.`,
      fix: `Check again in a few minutes. If ${condition}, start verification again in your dashboard.`,
      evidence,
    }),
  ];
}

/** How long ago the domain was verified, and how that is known. */
function sinceVerification({ verifiedAt, verifiedAtSource, checkedAt }: CertificateFacts): string {
  if (verifiedAt === undefined) return 'The time of its verification is unknown.';
  const since = sinceText(Math.max(0, checkedAt - verifiedAt));
  const at = timeText(verifiedAt);
  switch (verifiedAtSource) {
    case 'given':
      return `The domain was verified ${since} ago (${at}, as given).`;
    case 'earlier-check':
      return `A check found its DNS correct ${since} ago (${at}).`;
    case 'this-check':
      return 'This is the first known check that found its DNS correct.';
  }
}

function uncheckedText({ addresses }: CertificateFacts): string {
  const countOf = (kind: AddressFacts['result']['kind']): number =>
    addresses.filter(({ result }) => result.kind === kind).length;
  const [unrouted, left] = [countOf('no-route'), countOf('over-limit')];
  return [
    ...(unrouted > 0
      ? [` ${unrouted} of its addresses could not be checked: this machine has no route to them.`]
      : []),
    ...(left > 0
      ? [` Only ${addresses.length - left} of its ${addresses.length} addresses were probed.`]
      : []),
  ].join('');
}

function sinceText(durationMs: number): string {
  const minutes = Math.floor(durationMs / 60_000);
  if (minutes === 0) return 'less than a minute';
  return minutes === 1
    ? '1 minute'
    : minutes < 120
      ? `${minutes} minutes`
      : describeDuration(minutes * 60 * 1_000);
}

/**
 * A problem, with its addresses.
 *
 * - `cert.wrong-name`: an address serves a certificate of another host.
 * - `cert.untrusted`: an address serves a certificate that browsers do not trust.
 * - `cert.expired`: an address serves a certificate that has expired.
 * - `cert.no-tls`: an address does not respond over TLS. `unknown` if it could not be reached.
 */
function certificateProblem(facts: CertificateFacts, problem: CertificateProblem): Finding[] {
  const affected = facts.addresses.filter((address) =>
    problemsAt(address, facts.checkedAt)?.includes(problem),
  );
  const [first] = affected;
  if (first === undefined) return [];
  const isPending = problem !== 'expired' && issuePhase(facts) === 'pending';
  return [
    finding(`cert.${problem}`, isPending ? 'wait' : 'block', {
      message: problemText(problem, facts, affected, first),
      fix: isPending ? 'Check again in a few minutes.' : fixOfProblem(facts, problem, first),
      evidence: affected.map((address) => addressEvidence(facts, address)),
    }),
  ];
}

function fixOfProblem(
  { target = '', isAtTarget, checkedAt }: CertificateFacts,
  problem: CertificateProblem,
  { result }: AddressFacts,
): readonly string[] {
  if (problem === 'wrong-name' && isAtTarget === false) {
    return [
      'First correct the records. "petstore domain verify" shows how.',
      `The domain does not lead to ${target}, so the platform can't get it a certificate.`,
    ];
  }
  const isByClock =
    problem === 'untrusted' && result.kind === 'certificate' && isDistrustedByClock(result, checkedAt);
  return isByClock ? CLOCK_FIX : FIXES[problem];
}

const PROBLEMS: readonly CertificateProblem[] = ['no-tls', 'wrong-name', 'untrusted', 'expired'];

const FIXES: Readonly<Record<CertificateProblem, readonly string[]>> = {
  'no-tls': [
    'At this server or its proxy, open the port for TLS 1.2 or later, without client certificates.',
    'If the domain was verified more than 30 minutes ago, start verification again in your dashboard.',
  ],
  'wrong-name': [
    'If you use a proxy or CDN, set its record to "DNS only".',
    'If the domain was verified more than 30 minutes ago, start verification again in your dashboard.',
  ],
  untrusted: [
    'If you use a proxy or CDN, set its record to "DNS only". To trust a private authority, use --ca FILE.',
    'If the domain was verified more than 30 minutes ago, start verification again in your dashboard.',
  ],
  expired: [
    'In your dashboard, if the clock of this machine is right, start verification again, once.',
    'If no new certificate is issued, check for CAA records and for AAAA records of another host.',
  ],
};

const CLOCK_FIX: readonly string[] = [
  'Check the clock of this machine.',
  'If it is right, start verification again, once, in your dashboard.',
];

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
 * As `cert.no-tls`: addresses whose certificate could not be read. Ignores those without a route from this machine, such
 * as IPv6, and those over the limit, if others could be probed.
 */
function certificateUnknown(facts: CertificateFacts): Finding[] {
  const { addresses, checkedAt, domain } = facts;
  if (addresses.length === 0) {
    return [
      finding('cert.no-tls', 'unknown', {
        message: `The certificate of ${domain} could not be checked: the domain has no known address.`,
        fix: 'Try again when the name resolves, or pass the server with --connect HOST.',
        evidence: [{ text: `${domain}: no address` }],
      }),
    ];
  }
  const isAnyKnown = addresses.some((address) => problemsAt(address, checkedAt) !== undefined);
  const failures = addresses.flatMap(({ address, result }) => {
    if (result.kind === 'certificate' || result.kind === 'refused') return [];
    return isAnyKnown && isNoEvidence(result) ? [] : [{ address, result }];
  });
  return [...new Set(failures.map(({ result }) => result.detail))].flatMap((detail) => {
    const same = failures.filter(({ result }) => result.detail === detail);
    const kinds = same.map(({ result }) => result.kind);
    return [
      finding('cert.no-tls', 'unknown', {
        message: `The certificate at ${addressList(same)} could not be checked: ${detail}.`,
        fix: kinds.includes('not-probed')
          ? 'Pass the server with --connect HOST. Private addresses are probed only with it.'
          : kinds.includes('aborted')
            ? 'Allow more time with --timeout.'
            : 'Try again later, or from another network.',
        evidence: same.map((address) => addressEvidence(facts, address)),
      }),
    ];
  });
}

/** `cert.differs-per-address`: correct at some addresses and wrong at others, so visitors may get either. */
function certificateDiffers(facts: CertificateFacts): Finding[] {
  const { addresses, checkedAt, domain } = facts;
  const right = addresses.filter((address) => problemsAt(address, checkedAt)?.length === 0);
  const wrong = addresses.filter((address) => (problemsAt(address, checkedAt)?.length ?? 0) > 0);
  if (right.length === 0 || wrong.length === 0) return [];
  return [
    finding('cert.differs-per-address', 'warn', {
      message: `The certificate of ${domain} is correct at ${addressList(right)}, but not at ${addressList(wrong)}.`,
      fix:
        facts.isAtTarget === true
          ? 'The record is right: wait a few minutes and check again. If it stays so, contact the support of the service.'
          : `If ${addressList(wrong)} does not belong to the platform, remove its record. Otherwise, wait a few minutes and check again.`,
      evidence: addresses.map((address) => addressEvidence(facts, address)),
    }),
  ];
}

const DAY_MS = 86_400_000;
const EXPIRING_DAYS = 14;
/** Authorities recommend to renew after two thirds of the lifetime, which may be only six days. */
const EXPIRING_SHARE = 1 / 6;

/**
 * `cert.expiring`: less than 14 days or a sixth of the lifetime is left, whichever is shorter. Renewal is automatic and
 * earlier.
 */
function certificateExpiring(facts: CertificateFacts): Finding[] {
  const { addresses, checkedAt } = facts;
  const expiring = addresses.flatMap((address) => {
    const { result } = address;
    if (result.kind !== 'certificate' || !result.isForHost) return [];
    const leftMs = result.validTo - checkedAt;
    const lifetimeMs = result.validTo - result.validFrom;
    const expiringMs = Math.min(EXPIRING_DAYS * DAY_MS, lifetimeMs * EXPIRING_SHARE);
    return leftMs > 0 && leftMs < expiringMs ? [{ address, validTo: result.validTo }] : [];
  });
  if (expiring.length === 0) return [];
  const first = Math.min(...expiring.map(({ validTo }) => validTo));
  const days = Math.floor((first - checkedAt) / DAY_MS);
  const left = days === 0 ? 'in less than a day' : days === 1 ? 'in 1 day' : `in ${days} days`;
  return [
    finding('cert.expiring', 'warn', {
      message: `The certificate at ${addressList(expiring.map(({ address }) => address))} expires ${left} (${timeText(first)}). It should have been renewed by now.`,
      fix: 'In your dashboard, if the clock of this machine is right, start verification again, once. Check the CAA records too: they apply to each renewal.',
      evidence: expiring.map(({ address }) => addressEvidence(facts, address)),
    }),
  ];
}

function addressList(addresses: readonly Pick<AddressFacts, 'address'>[]): string {
  return listed(addresses.map(({ address }) => address));
}
