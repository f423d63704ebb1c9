import { describe, expect, test } from 'vitest';
import type { Axis, Finding, FindingId, Severity } from '../../../src/domain/finding/finding.js';
import {
  exitCodeOf,
  isDnsVerified,
  stateOf,
  type VerdictOptions,
} from '../../../src/domain/verdict/verdict.js';

const finding = (id: FindingId, severity: Severity, axis: Axis): Finding => ({
  id,
  severity,
  axis,
  message: '',
  evidence: [],
});

const right = finding('record.ok', 'info', 'record');
const done = finding('prop.done', 'info', 'propagation');
const named: Readonly<Record<string, Finding>> = {
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

const ROWS: readonly [what: string, findings: Finding[], state: string, codes: readonly number[]][] = [
  // Exit codes: plain, --until active, --strict, both.
  ['nothing is known', [], 'inconclusive', [9, 9, 9, 9]],
  ['right', [right, done], 'verified', [0, 9, 0, 9]],
  ['right, certificate serves', [right, ...of('certificate serves')], 'active', [0, 0, 0, 0]],
  ['right, certificate pending', [right, ...of('certificate pending')], 'verified', [0, 8, 0, 8]],
  ['right, certificate overdue', [right, ...of('certificate overdue')], 'action-required', [1, 1, 1, 1]],
  [
    'right, certificate wrong at one address',
    [right, ...of('certificate serves', 'certificate wrong')],
    'action-required',
    [1, 1, 1, 1],
  ],
  ['right, certificate not known', [right, ...of('certificate not known')], 'verified', [0, 9, 0, 9]],
  [
    'right, certificate not known at one address',
    [right, ...of('certificate serves', 'certificate not known')],
    'verified',
    [0, 9, 0, 9],
  ],
  [
    'right, certificate expiring',
    [right, ...of('certificate serves', 'certificate expiring')],
    'active',
    [0, 0, 1, 1],
  ],
  ['right, with a warning', [right, ...of('a warning')], 'verified', [0, 9, 1, 1]],
  [
    'right, plan and deploy not known',
    [right, ...of('plan not known', 'deploy not known')],
    'verified',
    [0, 9, 0, 9],
  ],
  [
    'right, CAA and redirect not known',
    [right, ...of('CAA not known', 'redirect not known')],
    'verified',
    [0, 9, 0, 9],
  ],
  ['right, one resolver stale', [right, ...of('resolver is stale')], 'propagating', [8, 8, 8, 8]],
  [
    'right, one resolver stale, one failing',
    [right, ...of('resolver fails', 'resolver is stale')],
    'propagating',
    [8, 8, 8, 8],
  ],
  [
    'right, one resolver stale, with a warning',
    [right, ...of('resolver is stale', 'a warning')],
    'propagating',
    [8, 8, 1, 1],
  ],
  ['a secondary is behind', of('secondary is behind'), 'propagating', [8, 8, 8, 8]],
  ['right, one resolver failing', [right, ...of('resolver fails')], 'inconclusive', [9, 9, 9, 9]],
  ['servers silent', of('servers are silent'), 'inconclusive', [9, 9, 9, 9]],
  [
    'servers silent, with a certificate',
    of('servers are silent', 'certificate serves'),
    'inconclusive',
    [9, 9, 9, 9],
  ],
  ...['no plan', 'no deploy', 'wrong record', 'dead zone'].map(
    (name): [string, Finding[], string, readonly number[]] => [
      `${name}, otherwise right`,
      [right, ...of(name, 'certificate serves')],
      'action-required',
      [1, 1, 1, 1],
    ],
  ),
  [
    'wrong record, one resolver stale and servers silent',
    of('wrong record', 'resolver is stale', 'servers are silent'),
    'action-required',
    [1, 1, 1, 1],
  ],
  ['right, CAA forbids', [right, ...of('CAA forbids')], 'action-required', [1, 1, 1, 1]],
  [
    'right, CAA forbids the next certificate',
    [right, ...of('CAA forbids', 'certificate serves')],
    'action-required',
    [1, 1, 1, 1],
  ],
  [
    'right, CAA forbids, certificate pending',
    [right, ...of('CAA forbids', 'certificate pending')],
    'action-required',
    [1, 1, 1, 1],
  ],
  [
    'right, CAA not known, certificate serves',
    [right, ...of('CAA not known', 'certificate serves')],
    'active',
    [0, 0, 0, 0],
  ],
  ['right, a redirect wrong', [right, ...of('redirect is missing')], 'action-required', [1, 1, 1, 1]],
  [
    'active, a redirect wrong',
    [right, ...of('redirect is missing', 'certificate serves')],
    'action-required',
    [1, 1, 1, 1],
  ],
  [
    'one resolver stale, a redirect wrong',
    [right, ...of('redirect is missing', 'resolver is stale')],
    'action-required',
    [1, 1, 1, 1],
  ],
  [
    'right, certificates pending',
    [right, ...of('certificate pending', 'redirect has no certificate yet')],
    'verified',
    [0, 8, 0, 8],
  ],
];

const OPTIONS: readonly VerdictOptions[] = [
  {},
  { until: 'active' },
  { strict: true },
  { until: 'active', strict: true },
];

describe('verdict', () => {
  test.each(ROWS)('%s', (_what, findings, state, codes) => {
    expect(stateOf(findings)).toBe(state);
    expect(stateOf([...findings].reverse())).toBe(state);
    expect(OPTIONS.map((options) => exitCodeOf(stateOf(findings), findings, options))).toEqual(codes);
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
    expect(isDnsVerified([right, ...of(name)])).toBe(expected);
    expect(isDnsVerified(of(name))).toBe(false);
  });
});
