import { adviceWithoutChange } from '../../../../../src/domain/report/finding.js';
import { expect, test } from 'vitest';
import { briefAdvice, stateSentence } from '../../../../../src/cli/commands/domain/report/state-words.js';
import { buildFinding, buildTextReport } from '../report-builder.js';

const FINDINGS = [
  buildFinding(),
  buildFinding({
    severity: 'wait',
    message: 'stale',
    fix: adviceWithoutChange('Wait: it forgets.'),
  }),
  buildFinding({ severity: 'block', fix: adviceWithoutChange('Add it.') }),
];

test.each([
  ['verified', 'Add it.'],
  ['active', 'Add it.'],
  ['propagating', 'stale'],
  ['action-required', 'Add it.'],
  ['inconclusive', 'Add it.'],
] as const)('the most important action if %s: %j', (state, advice) => {
  expect(briefAdvice(buildTextReport({ state, findings: FINDINGS }))).toBe(advice);
});

test.each([
  ['active', 'block', 'Mend it.'],
  ['propagating', 'block', 'Mend it.'],
  ['active', 'warn', 'wrong'],
  ['propagating', 'warn', 'wrong'],
] as const)('exit code 1 shows its reason next to the state: %s, %s', (state, severity, advice) => {
  const fix = adviceWithoutChange('Mend it.');
  const redirect = buildFinding({ axis: 'redirect', severity, message: 'wrong', fix });
  const stale = buildFinding({ severity: 'wait', message: 'stale' });
  const findings = state === 'active' ? [redirect] : [stale, redirect];
  expect(briefAdvice(buildTextReport({ state, findings }), 1)).toBe(advice);
});

test.each([
  ['record', 'DNS needs a change. Waiting will not help.'],
  ['caa', 'DNS needs a change. Waiting will not help.'],
  ['certificate', 'The record needs no change, but the certificate needs a fix.'],
  ['redirect', 'The record needs no change, but a redirect needs a fix.'],
  ['plan', 'Action is required. Waiting will not help.'],
] as const)('explains in one sentence what needs a fix: %s', (axis, sentence) => {
  const findings = [buildFinding({ axis, severity: 'block' })];
  expect(stateSentence(buildTextReport({ state: 'action-required', findings }))).toBe(sentence);
});

test('a failed DNS query makes a check inconclusive, an unknown plan does not', () => {
  const findings = [
    buildFinding({ axis: 'plan', severity: 'unknown', message: 'plan?' }),
    buildFinding({ axis: 'zone', severity: 'unknown', message: 'silent' }),
  ];
  expect(briefAdvice(buildTextReport({ state: 'inconclusive', findings }))).toBe('silent');
});

test.each([
  ['zone.unreachable-ns', 'zone', 'no response within 2 s', 'the name servers did not respond'],
  ['zone.unreachable-ns', 'zone', 'malformed', 'the name servers sent no usable response'],
  ['zone.lame-ns', 'zone', 'SERVFAIL', 'the name servers sent no usable response'],
  ['prop.resolver-error', 'propagation', 'NOERROR', 'a resolver sent no usable response'],
  ['apex.alias-broken', 'record', 'NOERROR', 'a DNS query failed'],
  ['time.ran-out', 'zone', 'query aborted', 'the time limit ended the check'],
] as const)('says why a check is inconclusive: %s, %s, %s', (id, axis, response, reason) => {
  const findings = [buildFinding({ id, axis, severity: 'unknown' })];
  const failure = response === 'malformed' ? ({ failure: response } as const) : {};
  const server = { server: 'ns1.example', address: '192.0.2.1', response, ...failure, records: [] };
  const observed = { authoritative: [server], recursive: [] };
  const report = buildTextReport({ state: 'inconclusive', findings, observed });
  expect(stateSentence(report)).toBe(`Could not check: ${reason}.`);
});

test('reports an unchecked certificate if the goal requires it', () => {
  const findings = [buildFinding({ axis: 'certificate', severity: 'unknown', message: 'not probed' })];
  expect(briefAdvice(buildTextReport({ state: 'verified', findings }))).toBe('not probed');
});

test('mentions resolvers only if all of them have the record', () => {
  const recursive = [{ resolver: '::1', response: 'NOERROR', records: [] }];
  expect(stateSentence(buildTextReport())).toBe('Correct at every name server.');
  const observed = { authoritative: [], recursive };
  const done = buildFinding({ id: 'prop.done', axis: 'propagation', severity: 'info' });
  expect(stateSentence(buildTextReport({ observed, findings: [done] }))).toBe(
    'Correct at every name server and resolver.',
  );
  expect(stateSentence(buildTextReport({ observed }))).toBe('Correct at every name server.');
});

test('names the servers that responded if others did not', () => {
  const silent = buildFinding({ id: 'zone.unreachable-ns', axis: 'zone', severity: 'warn' });
  const server = { server: 'ns1.example', address: '192.0.2.1', response: 'NOERROR', records: [] };
  const observed = { authoritative: [server], recursive: [] };
  expect(stateSentence(buildTextReport({ observed, findings: [silent] }))).toBe(
    'Correct at every name server that responded.',
  );
});

test('says that no resolver confirmed the record', () => {
  const failed = buildFinding({ id: 'prop.resolver-error', axis: 'propagation', severity: 'warn' });
  const recursive = ['::1', '::2'].map((resolver) => ({ resolver, response: 'SERVFAIL', records: [] }));
  const observed = { authoritative: [], recursive };
  expect(stateSentence(buildTextReport({ findings: [failed, failed], observed }))).toBe(
    'Correct at every name server. No resolver confirmed it, so visitors may not reach the domain.',
  );
  expect(stateSentence(buildTextReport({ findings: [failed], observed }))).toBe(
    'Correct at every name server.',
  );
});

test('says that a resolver that does not decide has an old record', () => {
  const stale = buildFinding({ id: 'prop.stale-positive', axis: 'propagation', severity: 'warn' });
  expect(stateSentence(buildTextReport({ findings: [stale] }))).toBe(
    'Correct at every name server. A resolver still caches an old response.',
  );
});

test('has its own sentence for a name server with an older copy', () => {
  expect(stateSentence(buildTextReport({ state: 'propagating' }))).toMatch(/not yet at every name server/);
});
