import type { Facts } from './facts.js';
import type { Finding, Severity } from './finding.js';
import { printableFinding } from './printable-finding.js';
import { apexAddress } from './rules/apex-address.js';
import { apexAlias } from './rules/apex-alias.js';
import { apexAliasBroken } from './rules/apex-alias-broken.js';
import { apexCname } from './rules/apex-cname.js';
import { apexMissing } from './rules/apex-missing.js';
import { caa } from './rules/caa.js';
import { conflictAddress } from './rules/conflict-address.js';
import { conflictCoexist } from './rules/conflict-coexist.js';
import { conflictHttpsRr } from './rules/conflict-https-rr.js';
import { conflictMultipleCname } from './rules/conflict-multiple-cname.js';
import { conflictOtherTypes } from './rules/conflict-other-types.js';
import { deploy } from './rules/deploy.js';
import { nameIdn } from './rules/name-idn.js';
import { plan } from './rules/plan.js';
import { propagation } from './rules/propagation.js';
import { recordChain } from './rules/record-chain.js';
import { recordDangling } from './rules/record-dangling.js';
import { recordDoubledLabel } from './rules/record-doubled-label.js';
import { recordLoop } from './rules/record-loop.js';
import { recordMissing } from './rules/record-missing.js';
import { recordOk } from './rules/record-ok.js';
import { recordPartial } from './rules/record-partial.js';
import { recordReservedAddress } from './rules/record-reserved-address.js';
import { recordTtl } from './rules/record-ttl.js';
import { recordWildcard } from './rules/record-wildcard.js';
import { recordWrongTarget } from './rules/record-wrong-target.js';
import { timeRanOut } from './rules/time-ran-out.js';
import { zoneLameNs } from './rules/zone-lame-ns.js';
import { zoneNoDelegation } from './rules/zone-no-delegation.js';
import { zoneNotRegistered } from './rules/zone-not-registered.js';
import { zoneNsMismatch } from './rules/zone-ns-mismatch.js';
import { zoneSerialSkew } from './rules/zone-serial-skew.js';
import { zoneUnreachableNs } from './rules/zone-unreachable-ns.js';

/**
 * Everything that follows from the facts, heaviest first; of the same weight in the order in which one would act on it.
 * Findings about certificate and redirects are made where those are probed, and handed in. Nothing in the result can
 * drive a terminal.
 */
export function diagnose(facts: Facts, probed: readonly Finding[] = []): Finding[] {
  return [...RULES.flatMap((rule) => rule(facts)), ...probed]
    .map(printableFinding)
    .sort((one, other) => weightOf(one) - weightOf(other));
}

/**
 * What DNS did not answer stands before what nobody told of plan and deploy: the one is to be mended, the other stands in
 * nobody's way.
 */
function weightOf({ severity, axis }: Finding): number {
  const isUntold = severity === 'unknown' && (axis === 'plan' || axis === 'deploy');
  return WEIGHTS[severity] + (isUntold ? 0.5 : 0);
}

const WEIGHTS: Readonly<Record<Severity, number>> = { block: 0, wait: 1, unknown: 2, warn: 3, info: 4 };

/** What must be removed stands before what is to be added. */
const RULES: readonly ((facts: Facts) => readonly Finding[])[] = [
  nameIdn,
  plan,
  deploy,
  timeRanOut,
  zoneNotRegistered,
  zoneNoDelegation,
  zoneLameNs,
  zoneUnreachableNs,
  zoneNsMismatch,
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
  conflictHttpsRr,
  caa,
  propagation,
];
