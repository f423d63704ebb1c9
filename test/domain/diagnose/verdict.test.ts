import { describe, expect, test } from 'vitest';
import type { Axis, Finding, FindingId, Severity } from '../../../src/domain/report/finding.js';
import {
  exitCodeOf,
  isDnsVerified,
  stateOf,
  type VerdictOptions,
} from '../../../src/domain/diagnose/verdict.js';

const finding = (id: FindingId, severity: Severity, axis: Axis): Finding => ({
  id,
  severity,
  axis,
  message: '',
  evidence: [],
});

const named: Readonly<Record<string, Finding>> = {
  right: finding('record.ok', 'info', 'record'),
  'resolvers are right': finding('prop.done', 'info', 'propagation'),
  'no plan': finding('plan.required', 'block', 'plan'),
  'no deploy': finding('deploy.required', 'block', 'deploy'),
  'wrong record': finding('record.wrong-target', 'block', 'record'),
  'dead zone': finding('zone.not-registered', 'block', 'zone'),
  'CAA forbids': finding('caa.blocked', 'block', 'caa'),
  'redirect is missing': finding('redirect.missing', 'block', 'redirect'),
  'redirect has no certificate yet': finding('redirect.no-cert-on-from', 'wait', 'redirect'),
  'secondary is behind': finding('zone.serial-skew', 'wait', 'zone'),
  'resolver is stale': finding('prop.stale-negative', 'wait', 'propagation'),
  'servers are silent': finding('zone.unreachable-ns', 'unknown', 'zone'),
  'resolver fails': finding('prop.resolver-error', 'unknown', 'propagation'),
  'plan not known': finding('plan.unknown', 'unknown', 'plan'),
  'deploy not known': finding('deploy.unknown', 'unknown', 'deploy'),
  'CAA not known': finding('caa.lookup-failed', 'unknown', 'caa'),
  'redirect not known': finding('redirect.missing', 'unknown', 'redirect'),
  'a warning': finding('zone.ns-mismatch', 'warn', 'zone'),
  'certificate serves': finding('cert.active', 'info', 'certificate'),
  'certificate pending': finding('cert.pending', 'wait', 'certificate'),
  'certificate overdue': finding('cert.overdue', 'block', 'certificate'),
  'certificate wrong': finding('cert.wrong-name', 'block', 'certificate'),
  'certificate not known': finding('cert.no-tls', 'unknown', 'certificate'),
  'certificate expiring': finding('cert.expiring', 'warn', 'certificate'),
};
const of = (...names: string[]) =>
  names.map((name) => {
    const known = named[name];
    if (known === undefined) throw new Error(`No finding is named ${name}.`);
    return known;
  });

/** The state and the exit codes (plain, --until active, --strict, both) with these findings. */
const CASES: Readonly<Record<string, readonly [state: string, ...codes: number[]]>> = {
  'a warning': ['inconclusive', 9, 9, 1, 1],
  'right, resolvers are right': ['verified', 0, 9, 0, 9],
  'right, certificate serves': ['active', 0, 0, 0, 0],
  'right, certificate pending': ['verified', 0, 8, 0, 8],
  'right, certificate overdue': ['action-required', 1, 1, 1, 1],
  'right, certificate serves, certificate wrong': ['action-required', 1, 1, 1, 1],
  'right, certificate not known': ['verified', 0, 9, 0, 9],
  'right, certificate serves, certificate not known': ['verified', 0, 9, 0, 9],
  'right, certificate serves, certificate expiring': ['active', 0, 0, 1, 1],
  'right, a warning': ['verified', 0, 9, 1, 1],
  'right, plan not known, deploy not known': ['verified', 0, 9, 0, 9],
  'right, CAA not known, redirect not known': ['verified', 0, 9, 0, 9],
  'right, resolver is stale': ['propagating', 8, 8, 8, 8],
  'right, resolver fails, resolver is stale': ['propagating', 8, 8, 8, 8],
  'right, resolver is stale, a warning': ['propagating', 8, 8, 1, 1],
  'secondary is behind': ['propagating', 8, 8, 8, 8],
  'right, resolver fails': ['inconclusive', 9, 9, 9, 9],
  'servers are silent': ['inconclusive', 9, 9, 9, 9],
  'servers are silent, certificate serves': ['inconclusive', 9, 9, 9, 9],
  'right, no plan, certificate serves': ['action-required', 1, 1, 1, 1],
  'right, no deploy, certificate serves': ['action-required', 1, 1, 1, 1],
  'right, wrong record, certificate serves': ['action-required', 1, 1, 1, 1],
  'right, dead zone, certificate serves': ['action-required', 1, 1, 1, 1],
  'wrong record, resolver is stale, servers are silent': ['action-required', 1, 1, 1, 1],
  'right, CAA forbids': ['action-required', 1, 1, 1, 1],
  'right, CAA forbids, certificate serves': ['action-required', 1, 1, 1, 1],
  'right, CAA forbids, certificate pending': ['action-required', 1, 1, 1, 1],
  'right, CAA not known, certificate serves': ['active', 0, 0, 0, 0],
  'right, redirect is missing': ['action-required', 1, 1, 1, 1],
  'right, redirect is missing, certificate serves': ['action-required', 1, 1, 1, 1],
  'right, redirect is missing, resolver is stale': ['action-required', 1, 1, 1, 1],
  'right, certificate pending, redirect has no certificate yet': ['verified', 0, 8, 0, 8],
};

const OPTIONS: readonly VerdictOptions[] = [
  {},
  { until: 'active' },
  { strict: true },
  { until: 'active', strict: true },
];

describe('verdict', () => {
  test.each(Object.entries(CASES))('%s', (names, [state, ...codes]) => {
    const findings = of(...names.split(', '));
    expect(stateOf(findings)).toBe(state);
    expect(stateOf([...findings].reverse())).toBe(state);
    expect(OPTIONS.map((options) => exitCodeOf(stateOf(findings), findings, options))).toEqual(codes);
  });

  test('nothing is known', () => {
    expect(stateOf([])).toBe('inconclusive');
    expect(OPTIONS.map((options) => exitCodeOf('inconclusive', [], options))).toEqual([9, 9, 9, 9]);
  });

  test.each(['record.ok', 'apex.alias-proved', 'apex.alias-consistent', 'apex.looks-copied'] as const)(
    '%s makes a domain verified',
    (id) => expect(stateOf([finding(id, 'info', 'record')])).toBe('verified'),
  );

  test('an invalid name exits 2 with any findings', () => {
    expect(OPTIONS.map((options) => exitCodeOf('invalid', of('a warning'), options))).toEqual([2, 2, 2, 2]);
  });

  test('a certificate without a DNS finding does not verify', () => {
    expect(stateOf(of('certificate serves'))).toBe('inconclusive');
  });

  test.each([
    ['CAA forbids', true],
    ['certificate overdue', true],
    ['certificate serves', true],
    ['redirect is missing', true],
    ['wrong record', false],
    ['no plan', false],
    ['resolver is stale', false],
    ['servers are silent', false],
  ])('whether DNS is correct: %s', (name, expected) => {
    expect(isDnsVerified(of('right', name))).toBe(expected);
    expect(isDnsVerified(of(name))).toBe(false);
  });
});
