import { fixOf } from '../../../src/domain/advice/words.js';
import { adviceWithoutChange } from '../../../src/domain/report/finding.js';
import { expect, test } from 'vitest';
import { diagnose } from '../../../src/domain/diagnose/diagnose.js';
import { estimateVisibility } from '../../../src/domain/gather/views/estimate.js';
import type { Axis, Finding, FindingId, Fix } from '../../../src/domain/report/finding.js';
import type { Facts } from '../../../src/domain/gather/facts/facts.js';
import { nextSteps } from '../../../src/domain/diagnose/next-steps.js';
import { type CheckedState, stateOf } from '../../../src/domain/diagnose/verdict.js';
import {
  buildAbsentServer,
  buildApexFacts,
  buildFacts,
  buildResolver,
  buildUniformServer,
  buildZone,
  lookupOf,
  nxdomain,
  silent,
  ZONE,
} from '../facts-builder.js';

const VERIFY = 'petstore domain verify shop.example.com --target cname.platform.test';
const stepsOf = (facts: Facts, state: CheckedState = stateOf(diagnose(facts))) =>
  nextSteps(facts, state, diagnose(facts), estimateVisibility(facts));

test('missing record: shows the record, watches, queries the name server', () => {
  expect(
    stepsOf(buildFacts({ servers: [buildAbsentServer(1)], resolvers: [] })).map(({ command }) => command),
  ).toEqual([
    'petstore domain records shop.example.com --target cname.platform.test',
    `${VERIFY} --wait`,
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
  ]);
});

test('only checks again after the upgrade if the plan is the problem', () => {
  const facts = buildFacts({ plan: { name: 'Free', paid: false, inferred: false } });
  const commands = stepsOf(facts).map(({ command }) => command);
  expect(commands).toEqual([VERIFY]);
});

test('propagating: checks again when the last resolver has updated', () => {
  const stale = buildResolver('192.0.2.53', { a: nxdomain(845), aaaa: nxdomain(845) });
  const action = { step: 'verify', domain: 'shop.example.com', target: 'cname.platform.test' };
  expect(stepsOf(buildFacts({ resolvers: [stale] })).slice(0, 2)).toEqual([
    {
      command: `${VERIFY} --wait`,
      when: 'Watch until all resolvers have the record',
      action: { ...action, wait: true },
    },
    { command: VERIFY, when: 'Check again after 2026-11-21T14:32:05.000Z', action },
  ]);
});

test('verified: shows the certificate', () => {
  expect(stepsOf(buildFacts()).map(({ command }) => command)).toEqual([
    'petstore domain cert shop.example.com',
    `${VERIFY} --until active --wait`,
  ]);
});

test.each([
  [500, 60],
  [40_000, 80],
])('after a time limit of %i ms, checks again with %i s', (ranOutAfterMs, seconds) => {
  const servers = [buildUniformServer(1, silent('aborted'))];
  expect(
    stepsOf(buildFacts({ ranOutAfterMs, servers, resolvers: [] })).map(({ command }) => command),
  ).toEqual([`${VERIFY} --timeout ${seconds}s`, 'dig +norecurse @192.0.2.1 example.com SOA']);
});

test('inconclusive: checks again, and directly', () => {
  const commands = stepsOf(buildFacts({ servers: [buildUniformServer(1, silent())], resolvers: [] })).map(
    ({ command }) => command,
  );
  expect(commands).toEqual([VERIFY, 'dig +norecurse @192.0.2.1 example.com SOA']);
});

test("does not query the user's resolver for the domain", () => {
  const commands = stepsOf(buildFacts({ servers: [], resolvers: [] })).map(({ command }) => command);
  expect(commands.filter((command) => command.includes('shop') && command.startsWith('dig'))).toEqual([]);
});

test('leaves out public resolvers if they did not name the servers', () => {
  const zone = buildZone({
    delegation: lookupOf('NS', silent(), ZONE),
    parentHosts: [],
    ownHosts: [],
  });
  const commands = stepsOf(buildFacts({ servers: [], resolvers: [], zone })).map(({ command }) => command);
  expect(commands).toContain(`${VERIFY} --no-public`);
});

const COMMANDS: Partial<Record<Axis, string>> = {
  zone: 'dig example.com',
  record: 'dig example.com',
  caa: 'dig example.com',
  certificate: 'openssl s_client',
  redirect: 'curl',
};

/** A finding that blocks, with a command as evidence. */
const blocking = (id: FindingId, axis: Axis, fix?: Fix): Finding => ({
  id,
  axis,
  severity: 'block',
  message: 'A problem.',
  evidence: [{ text: 'seen', ...(axis in COMMANDS && { command: COMMANDS[axis] ?? '' }) }],
  ...(fix !== undefined && { fix }),
});
const record = { type: 'CNAME', name: 'shop.example.com', label: 'shop', value: 'cname.platform.test' };
const add = fixOf({ action: 'add', step: 'Add it.', add: [{ ...record, ttl: 3600 }] });
const remove = fixOf({ action: 'remove', step: 'Remove it.', remove: [record] });
const other = adviceWithoutChange('Ask.');

const SHOW = 'Show the record to set';
const VISIBLE = 'Watch until the record is visible';
const CHANGED = 'Watch until the change is visible';
const RIGHT = 'Watch until DNS is correct';
const SERVERS = 'Watch until the zone is fixed';
const ISSUABLE = 'Watch until a certificate can be issued';
const CERTIFICATE = ['Show the certificate', 'Watch until the certificate is issued'];
const REDIRECTS = 'Check the redirects again after a change';
const DIG = 'Show the problem with dig';

/** A finding of each axis and of each kind of fix, with the steps that fit it. */
const BLOCKING: readonly [FindingId, Axis, Fix, readonly string[]][] = [
  ['plan.required', 'plan', other, ['Check again after the upgrade']],
  ['deploy.required', 'deploy', other, ['Check again after the deploy']],
  ['zone.lame-ns', 'zone', other, [SERVERS, DIG]],
  ['record.missing', 'record', add, [SHOW, VISIBLE, DIG]],
  ['record.partial', 'record', other, [RIGHT, DIG]],
  ['record.reserved-address', 'record', remove, [CHANGED, DIG]],
  ['caa.blocked', 'caa', add, [ISSUABLE, DIG]],
  ['caa.critical', 'caa', remove, [ISSUABLE, DIG]],
  ['caa.lookup-failed', 'caa', other, [ISSUABLE, DIG]],
  ['cert.overdue', 'certificate', other, CERTIFICATE],
  ['redirect.missing', 'redirect', other, [REDIRECTS]],
];

test.each(BLOCKING)('%s: its steps fit', (id, axis, fix, expected) => {
  const steps = nextSteps(buildFacts(), 'action-required', [blocking(id, axis, fix)], null);
  expect(steps.map(({ when }) => when)).toEqual(expected);
});

test('a plan and a deploy: one step', () => {
  const findings = [blocking('plan.required', 'plan', other), blocking('deploy.required', 'deploy', other)];
  const steps = nextSteps(buildFacts(), 'action-required', findings, null);
  expect(steps.map(({ when }) => when)).toEqual(['Check again after the upgrade and the deploy']);
});

test('a wait for a certificate is not offered while the plan blocks', () => {
  const findings = [blocking('plan.required', 'plan', other), blocking('cert.expired', 'certificate', other)];
  const steps = nextSteps(buildFacts(), 'action-required', findings, null);
  expect(steps.map(({ when }) => when)).toEqual(['Show the certificate', 'Check again after the upgrade']);
});

test('an older copy at a name server: watches the name servers', () => {
  const waiting: Finding = { ...blocking('record.partial', 'record', other), severity: 'wait' };
  const [first] = nextSteps(buildFacts(), 'propagating', [waiting], null);
  expect(first?.when).toBe('Watch until all name servers have the record');
});

test('shows the certificate of an active domain', () => {
  expect(stepsOf(buildApexFacts(), 'active')).toHaveLength(1);
});
