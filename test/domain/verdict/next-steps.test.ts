import { expect, test } from 'vitest';
import { diagnose } from '../../../src/domain/rules/diagnose.js';
import { estimateVisibility } from '../../../src/domain/verdict/estimate.js';
import type { Facts } from '../../../src/domain/facts/facts.js';
import { nextSteps } from '../../../src/domain/verdict/next-steps.js';
import { type CheckedState, stateOf } from '../../../src/domain/verdict/verdict.js';
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

test('shows no record and no wait if the plan is the problem', () => {
  const facts = buildFacts({ plan: { name: 'Free', paid: false, inferred: false } });
  const commands = stepsOf(facts).map(({ command }) => command);
  expect(commands).toEqual(['dig +norecurse @192.0.2.1 shop.example.com CNAME']);
});

test('propagating: checks again when the last resolver has updated', () => {
  const stale = buildResolver('192.0.2.53', { a: nxdomain(845), aaaa: nxdomain(845) });
  expect(stepsOf(buildFacts({ resolvers: [stale] }))).toContainEqual({
    command: VERIFY,
    when: 'Check again after 2026-11-21T14:32:05.000Z',
    action: { step: 'verify', domain: 'shop.example.com', target: 'cname.platform.test' },
  });
});

test('verified: shows the certificate', () => {
  expect(stepsOf(buildFacts())[0]?.command).toBe('petstore domain cert shop.example.com');
});

test.each([
  [500, 60],
  [40_000, 80],
])('after a time limit of %i ms, checks again with %i s', (ranOutAfterMs, seconds) => {
  const servers = [buildUniformServer(1, silent('aborted'))];
  expect(
    stepsOf(buildFacts({ ranOutAfterMs, servers, resolvers: [] })).map(({ command }) => command),
  ).toEqual([`${VERIFY} --timeout ${seconds}s`, 'dig +norecurse @192.0.2.1 shop.example.com CNAME']);
});

test('inconclusive: checks again, without public resolvers, and directly', () => {
  const commands = stepsOf(buildFacts({ servers: [buildUniformServer(1, silent())], resolvers: [] })).map(
    ({ command }) => command,
  );
  expect(commands).toEqual([
    VERIFY,
    `${VERIFY} --no-public`,
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
  ]);
});

test("does not query the user's resolver for the domain", () => {
  const commands = stepsOf(buildFacts({ servers: [], resolvers: [] })).map(({ command }) => command);
  expect(commands.filter((command) => command.startsWith('dig'))).toEqual(['dig example.com NS +trace']);
});

test('shows the certificate of an active domain', () => {
  expect(stepsOf(buildApexFacts(), 'active')).toHaveLength(1);
});
