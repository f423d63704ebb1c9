import type { Facts } from '../facts/facts.js';
import type { Finding, Severity } from '../finding/finding.js';
import { printableFinding } from '../finding/printable-finding.js';
import { apexAddress } from './apex/apex-address.js';
import { apexAlias } from './apex/apex-alias.js';
import { apexAliasBroken } from './apex/apex-alias-broken.js';
import { apexCname } from './apex/apex-cname.js';
import { apexMissing } from './apex/apex-missing.js';
import { caa } from './caa.js';
import { conflictAddress } from './record/conflict-address.js';
import { conflictCoexist } from './record/conflict-coexist.js';
import { conflictHttpsRr } from './record/conflict-https-rr.js';
import { conflictMultipleCname } from './record/conflict-multiple-cname.js';
import { conflictOtherTypes } from './record/conflict-other-types.js';
import { deploy } from './deploy.js';
import { nameIdn } from './name-idn.js';
import { plan } from './plan.js';
import { propagation } from './propagation.js';
import { recordChain } from './record/record-chain.js';
import { recordDangling } from './record/record-dangling.js';
import { recordDoubledLabel } from './record/record-doubled-label.js';
import { recordLoop } from './record/record-loop.js';
import { recordMissing } from './record/record-missing.js';
import { recordOk } from './record/record-ok.js';
import { recordPartial } from './record/record-partial.js';
import { recordReservedAddress } from './record/record-reserved-address.js';
import { recordTtl } from './record/record-ttl.js';
import { recordWildcard } from './record/record-wildcard.js';
import { recordWrongTarget } from './record/record-wrong-target.js';
import { timeRanOut } from './time-ran-out.js';
import { zoneLameNs } from './zone/zone-lame-ns.js';
import { zoneNoDelegation } from './zone/zone-no-delegation.js';
import { zoneNotRegistered } from './zone/zone-not-registered.js';
import { zoneNsMismatch } from './zone/zone-ns-mismatch.js';
import { zoneSerialSkew } from './zone/zone-serial-skew.js';
import { zoneUnreachableNs } from './zone/zone-unreachable-ns.js';

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
