import { expect, test } from 'vitest';
import { diagnose } from '../../../src/domain/rules/diagnose.js';
import { estimateVisibility } from '../../../src/domain/verdict/estimate.js';
import type { Facts } from '../../../src/domain/facts/facts.js';
import { nextSteps } from '../../../src/domain/verdict/next-steps.js';
import type { State } from '../../../src/domain/report/report.js';
import { stateOf } from '../../../src/domain/verdict/verdict.js';
import {
  buildAbsentServer,
  buildApexFacts,
  buildFacts,
  buildResolver,
  buildUniformServer,
  nxdomain,
  silent,
} from '../facts-builder.js';

const VERIFY = 'petstore domain verify shop.example.com --target cname.platform.test';
const stepsOf = (facts: Facts, state: State = stateOf(diagnose(facts))) =>
  nextSteps(facts, state, diagnose(facts), estimateVisibility(facts));

test('a missing record: what to type, and a check that waits', () => {
  expect(
    stepsOf(buildFacts({ servers: [buildAbsentServer(1)], resolvers: [] })).map(({ command }) => command),
  ).toEqual([
    'petstore domain records shop.example.com --target cname.platform.test',
    `${VERIFY} --wait`,
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
  ]);
});

test('something else to do: no record to type', () => {
  const facts = buildFacts({ plan: { name: 'Free', paid: false, inferred: false } });
  expect(stepsOf(facts).map(({ command }) => command)).not.toContain(
    expect.stringContaining('domain records'),
  );
});

test('propagating: at the time when it is done', () => {
  const stale = buildResolver('192.0.2.53', { a: nxdomain(845), aaaa: nxdomain(845) });
  expect(stepsOf(buildFacts({ resolvers: [stale] }))).toContainEqual({
    command: VERIFY,
    when: 'after 2026-11-21T14:32:05.000Z',
  });
});

test('verified: the certificate', () => {
  expect(stepsOf(buildFacts())[0]?.command).toBe('petstore domain cert shop.example.com');
});

test.each([
  [500, 60],
  [40_000, 80],
])('no time within %i ms: asked again, with more of it', (ranOutAfterMs, seconds) => {
  const servers = [buildUniformServer(1, silent('aborted'))];
  expect(
    stepsOf(buildFacts({ ranOutAfterMs, servers, resolvers: [] })).map(({ command }) => command),
  ).toEqual([`${VERIFY} --timeout ${seconds}s`, 'dig +norecurse @192.0.2.1 shop.example.com CNAME']);
});

test('inconclusive: asked again, and by hand', () => {
  const commands = stepsOf(buildFacts({ servers: [buildUniformServer(1, silent())], resolvers: [] })).map(
    ({ command }) => command,
  );
  expect(commands).toEqual([
    VERIFY,
    `${VERIFY} --no-public`,
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
  ]);
});

test("no server known: the user's own resolver is not asked for the domain", () => {
  const commands = stepsOf(buildFacts({ servers: [], resolvers: [] })).map(({ command }) => command);
  expect(commands.filter((command) => command.startsWith('dig'))).toEqual(['dig example.com NS +trace']);
});

test.each(['invalid', 'active'] as const)('%s: one step', (state) => {
  expect(stepsOf(buildApexFacts(), state)).toHaveLength(1);
});
