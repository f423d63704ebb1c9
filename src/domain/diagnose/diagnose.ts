import type { Facts } from '../gather/facts/facts.js';
import { type Finding, type FindingId, type Severity, withPrintableTexts } from '../report/finding.js';
import { OWN_PROXY, withFirst } from '../advice/words.js';
import { deploy, plan, nameIdn, namePrivateSuffix } from './rules/name-and-account.js';
import { apexAddress, apexAlias } from './rules/apex/apex-address.js';
import { apexAliasBroken, apexCname, apexFamily, apexMissing } from './rules/apex/apex-record.js';
import { caa } from './rules/caa.js';
import {
  conflictAddress,
  conflictCoexist,
  conflictHttpsRr,
  conflictMultipleCname,
  conflictOtherTypes,
} from './rules/record/conflict.js';
import { propagation } from './rules/propagation.js';
import { recordReservedAddress } from './rules/record/record-reserved-address.js';
import {
  recordDoubledLabel,
  recordMissing,
  recordOk,
  recordPartial,
  recordTtl,
  recordWildcard,
} from './rules/record/record-state.js';
import {
  recordChain,
  recordDangling,
  recordDeadTarget,
  recordLoop,
  recordWrongTarget,
} from './rules/record/record-target.js';
import { timeRanOut } from './rules/time-ran-out.js';
import { zoneSerialSkew, zoneSplitProviders, zoneWrongNxdomain } from './rules/zone/zone-copies.js';
import { zoneDnssecBogus } from './rules/zone/zone-dnssec-bogus.js';
import { zoneNoDelegation, zoneNotRegistered, zoneOnHold } from './rules/zone/zone-delegation.js';
import { zoneNsMismatch, zoneServerHosts, zoneTypedTarget } from './rules/zone/zone-name-servers.js';
import { zoneRejectedTypes } from './rules/zone/zone-rejected-types.js';
import { zoneLameNs } from './rules/zone/zone-lame-ns.js';
import { zoneIntercepted, zoneUnreachableNs } from './rules/zone/zone-servers.js';

/**
 * Diagnoses the facts: all findings, by severity, then in the order to act on them. Their texts are safe to print.
 *
 * @param probed Findings of the certificate and redirect probes.
 */
export function diagnose(facts: Facts, probed: readonly Finding[] = []): Finding[] {
  const found = withoutHidden(RULES.flatMap((rule) => rule(facts)));
  const findings = withPrintableTexts(acceptServed([...found, ...withoutVainWait(found, probed)]));
  return findings.toSorted((one, other) => weightOf(one) - weightOf(other));
}

/** Removes the findings that are of no use next to a blocking one: without a registration, no record can be set. */
function withoutHidden(findings: readonly Finding[]): Finding[] {
  const blocking = new Set(findings.filter(({ severity }) => severity === 'block').map(({ id }) => id));
  const isHeld = blocking.has('zone.not-registered');
  return findings.filter(
    ({ id, axis }) =>
      !(isHeld && axis === 'record' && id !== 'record.dangling') &&
      !HIDDEN_BY[id]?.some((other) => blocking.has(other)),
  );
}

/** Removes the wait for a certificate that can't be issued. */
function withoutVainWait(found: readonly Finding[], probed: readonly Finding[]): readonly Finding[] {
  const isBlocked = found.some(({ axis, severity }) => axis === 'caa' && severity === 'block');
  return isBlocked
    ? probed.filter(({ axis, severity }) => axis !== 'certificate' || severity !== 'wait')
    : probed;
}

/** Which findings hide others, because their fix includes that of the other, or because the other has no effect then. */
const HIDDEN_BY: Readonly<Partial<Record<FindingId, readonly FindingId[]>>> = {
  'record.missing': ['record.doubled-label', 'conflict.other-types'],
  'zone.ns-mismatch': ['zone.split-providers'],
  'conflict.https-rr': ['conflict.coexist', 'conflict.other-types'],
  // Certificate authorities validate, so no certificate is issued.
  'caa.ok': ['zone.dnssec-bogus'],
  'caa.blocked': ['zone.dnssec-bogus'],
  'caa.critical': ['zone.dnssec-bogus'],
};

/**
 * Turns findings about a record that leads elsewhere into warnings if the probes show that the platform serves the domain.
 * It may do so through a proxy, or by addresses that DNS can't relate to it.
 */
function acceptServed(findings: readonly Finding[]): readonly Finding[] {
  if (!findings.some(({ id }) => id === 'probe.served')) return findings;
  return findings.map((finding) =>
    ACCEPTED.has(finding.id) && (finding.severity === 'block' || finding.severity === 'unknown')
      ? {
          ...finding,
          severity: 'warn',
          message: `${finding.message} The platform serves the domain nevertheless.`,
          ...(finding.fix !== undefined && { fix: withFirst(finding.fix, OWN_PROXY) }),
        }
      : finding,
  );
}

/** A loop or a dangling alias is not among them: it prevents visits in every case. */
const ACCEPTED: ReadonlySet<FindingId> = new Set<FindingId>([
  'apex.alias-broken',
  'apex.mixed',
  'apex.aaaa-stale',
  'apex.wrong-address',
  'conflict.address',
  'record.wrong-target',
]);

/** An unknown plan or deploy prevents nothing, so it comes last among the unknown. */
function weightOf({ severity, axis }: Finding): number {
  const isUnknownAccount = severity === 'unknown' && (axis === 'plan' || axis === 'deploy');
  return WEIGHTS[severity] + (isUnknownAccount ? 0.5 : 0);
}

const WEIGHTS: Readonly<Record<Severity, number>> = { block: 0, wait: 1, unknown: 2, warn: 3, info: 4 };

type Rule = (facts: Facts) => readonly Finding[];

function onlyFor(kind: Facts['zone']['kind'], rule: Rule): Rule {
  return (facts) => (facts.zone.kind === kind ? rule(facts) : []);
}

/** Records to remove come before records to add. */
const RULES: readonly Rule[] = [
  nameIdn,
  namePrivateSuffix,
  plan,
  deploy,
  timeRanOut,
  zoneNotRegistered,
  zoneNoDelegation,
  zoneOnHold,
  zoneDnssecBogus,
  zoneIntercepted,
  zoneTypedTarget,
  zoneLameNs,
  zoneServerHosts,
  zoneUnreachableNs,
  zoneRejectedTypes,
  zoneNsMismatch,
  zoneSplitProviders,
  zoneWrongNxdomain,
  recordDeadTarget,
  onlyFor('subdomain', conflictAddress),
  onlyFor('subdomain', conflictCoexist),
  onlyFor('subdomain', conflictMultipleCname),
  onlyFor('subdomain', conflictOtherTypes),
  recordDoubledLabel,
  onlyFor('subdomain', recordMissing),
  recordLoop,
  recordWrongTarget,
  recordDangling,
  recordReservedAddress,
  recordPartial,
  zoneSerialSkew,
  onlyFor('subdomain', recordChain),
  recordWildcard,
  onlyFor('subdomain', recordTtl),
  onlyFor('subdomain', recordOk),
  onlyFor('apex', apexCname),
  onlyFor('apex', apexMissing),
  apexAliasBroken,
  onlyFor('apex', apexAddress),
  onlyFor('apex', apexAlias),
  onlyFor('apex', apexFamily),
  conflictHttpsRr,
  caa,
  propagation,
];
