import type { Facts } from '../facts/facts.js';
import type { Finding, FindingId, Severity } from '../finding/finding.js';
import { printableFinding } from '../finding/printable-finding.js';
import { deploy, plan } from './account.js';
import { apexAddress } from './apex/apex-address.js';
import { apexAlias } from './apex/apex-alias.js';
import { apexFamily } from './apex/apex-family.js';
import { apexAliasBroken, apexCname, apexMissing } from './apex/apex-record.js';
import { caa } from './caa.js';
import { conflictAddress } from './record/conflict-address.js';
import { conflictCoexist, conflictMultipleCname } from './record/conflict-cname.js';
import { conflictHttpsRr, conflictOtherTypes } from './record/conflict-types.js';
import { nameIdn } from './name-idn.js';
import { propagation } from './propagation.js';
import { recordDoubledLabel, recordMissing, recordWildcard } from './record/record-missing.js';
import { recordOk, recordPartial, recordTtl } from './record/record-ok.js';
import { recordReservedAddress } from './record/record-reserved-address.js';
import { recordChain, recordDangling, recordLoop, recordWrongTarget } from './record/record-target.js';
import { timeRanOut } from './time-ran-out.js';
import { zoneDnssecBogus } from './zone/zone-dnssec-bogus.js';
import { zoneIntercepted } from './zone/zone-intercepted.js';
import { zoneLameNs } from './zone/zone-lame-ns.js';
import { zoneNoDelegation, zoneNotRegistered } from './zone/zone-delegation.js';
import { zoneNsMismatch } from './zone/zone-ns-mismatch.js';
import { zoneSerialSkew } from './zone/zone-serial-skew.js';
import { zoneServerHosts } from './zone/zone-server-hosts.js';
import { zoneWrongNxdomain } from './zone/zone-wrong-nxdomain.js';
import { zoneTypedTarget } from './zone/zone-typed-target.js';
import { zoneSplitProviders } from './zone/zone-split-providers.js';
import { zoneUnreachableNs } from './zone/zone-unreachable-ns.js';

/**
 * Diagnoses the facts: all findings, by severity, then in the order to act on them. Their texts are safe to print.
 *
 * @param probed Findings of the certificate and redirect probes.
 */
export function diagnose(facts: Facts, probed: readonly Finding[] = []): Finding[] {
  return acceptServed([...RULES.flatMap((rule) => rule(facts)), ...probed])
    .map(printableFinding)
    .sort((one, other) => weightOf(one) - weightOf(other));
}

/**
 * Turns findings about a record that leads elsewhere into warnings if the probes show that the platform serves the domain
 * through a proxy, or by addresses that DNS can't relate to it.
 */
function acceptServed(findings: readonly Finding[]): readonly Finding[] {
  if (!findings.some(({ id }) => id === 'probe.served')) return findings;
  return findings.map((finding) =>
    ACCEPTED.has(finding.id) && (finding.severity === 'block' || finding.severity === 'unknown')
      ? {
          ...finding,
          severity: 'warn',
          message: `${finding.message} The platform serves the domain nevertheless.`,
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

/** Records to remove come before records to add. */
const RULES: readonly ((facts: Facts) => readonly Finding[])[] = [
  nameIdn,
  plan,
  deploy,
  timeRanOut,
  zoneNotRegistered,
  zoneNoDelegation,
  zoneDnssecBogus,
  zoneIntercepted,
  zoneTypedTarget,
  zoneLameNs,
  zoneServerHosts,
  zoneUnreachableNs,
  zoneNsMismatch,
  zoneSplitProviders,
  zoneWrongNxdomain,
  conflictAddress,
  conflictCoexist,
  conflictMultipleCname,
  conflictOtherTypes,
  recordDoubledLabel,
  recordMissing,
  recordLoop,
  recordWrongTarget,
  recordDangling,
  recordReservedAddress,
  recordPartial,
  zoneSerialSkew,
  recordChain,
  recordWildcard,
  recordTtl,
  recordOk,
  apexCname,
  apexMissing,
  apexAliasBroken,
  apexAddress,
  apexAlias,
  apexFamily,
  conflictHttpsRr,
  caa,
  propagation,
];
