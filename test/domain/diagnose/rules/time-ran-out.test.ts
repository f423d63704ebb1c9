import { expect, test } from 'vitest';
import { diagnose } from '../../../../src/domain/diagnose/diagnose.js';
import { timeRanOut } from '../../../../src/domain/diagnose/rules/time-ran-out.js';
import { stateOf } from '../../../../src/domain/diagnose/verdict.js';
import {
  lookupOf,
  buildFacts,
  buildResolver,
  buildServer,
  buildUniformServer,
  buildZone,
  nodata,
  NAME,
  silent,
  ZONE,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const cutShort = silent('aborted');
const OVER = { ranOutAfterMs: 1_500 };

const halfAsked = buildFacts({
  ...OVER,
  servers: [buildServer(1), buildUniformServer(2, cutShort)],
  resolvers: [],
});
const noServerFound = buildFacts({
  ...OVER,
  servers: [],
  zone: buildZone({ delegation: lookupOf('NS', cutShort, ZONE), parentHosts: [], ownHosts: [] }),
});
const noResolverAsked = buildFacts({
  ...OVER,
  resolvers: [buildResolver('192.0.2.53', { a: cutShort, aaaa: cutShort, cname: cutShort })],
});

testRule(timeRanOut, {
  'some queries are missing: time.ran-out unknown': [
    halfAsked,
    'The time limit of 1.5 s ended the check before all queries were made.',
    'Allow more time with --timeout.',
    'dig +norecurse @192.0.2.2 example.com SOA',
  ],
  'a limit below a second: time.ran-out unknown': [
    { ...halfAsked, ranOutAfterMs: 950 },
    'The time limit of 950 ms ended the check',
  ],
  'a limit of a second: time.ran-out unknown': [
    { ...halfAsked, ranOutAfterMs: 1_000 },
    'The time limit of 1 s ended the check',
  ],
  'before any server was found: time.ran-out unknown': [
    noServerFound,
    'dig +norecurse @192.0.2.1 example.com NS',
  ],
  'before the addresses of the servers were known: time.ran-out unknown': [
    { ...OVER, servers: [], zone: buildZone({ failedHosts: ['ns1.example.net'] }) },
  ],
  'before a resolver was known: time.ran-out unknown': [
    { ...OVER, servers: [], zone: buildZone({ delegation: undefined, parentHosts: [], ownHosts: [] }) },
    'dig example.com NS',
  ],
  'after all queries completed: nothing': OVER,
  'if the domain is not registered: nothing': {
    ...OVER,
    servers: [],
    zone: buildZone({ delegation: lookupOf('NS', nodata(), ZONE), parentHosts: [] }),
  },
});

test.each([
  ['a name server', halfAsked, 'record'],
  ['every name server', noServerFound, 'zone'],
  ['the resolvers', noResolverAsked, 'propagation'],
])('no time for %s: only time.ran-out reports it', (_, facts, axis) => {
  const findings = diagnose(facts);
  const unknown = findings.filter(({ severity }) => severity === 'unknown' || severity === 'warn');
  expect(unknown.map((finding) => `${finding.id} ${finding.axis}`)).toEqual([`time.ran-out ${axis}`]);
  expect(stateOf(findings)).toBe('inconclusive');
});

test('a domain stays verified if only the CAA query ran out of time', () => {
  const facts = buildFacts(OVER);
  const steps = [{ name: NAME, lookup: lookupOf('CAA', cutShort) }];
  const findings = diagnose({ ...facts, caa: { ...facts.caa, steps } });
  expect(findings.find(({ id }) => id === 'time.ran-out')?.axis).toBe('caa');
  expect(findings.map(({ id }) => id)).not.toContain('caa.lookup-failed');
  expect(stateOf(findings)).toBe('verified');
});
