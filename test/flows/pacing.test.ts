import { describe, expect, test } from 'vitest';
import { createPetStore } from '../../src/client/index.js';
import { createMock } from '../../src/mock/index.js';
import type { Figures } from '../support/pacing/figures.js';
import { apart, inOneProcess, overPlace } from '../support/pacing/petstore.js';
import {
  dayScenario,
  deathScenario,
  everydayScenarios,
  foreignScenarios,
  PLANS,
  steadyOverload,
} from '../support/pacing/scenarios.js';
import { type Contender, type Scenario, simulate } from '../support/pacing/simulation.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const product = { createPetStore, createMock };
const NOTHING_WRONG = { refused: { ours: 0, race: 0, uninformed: 0 }, bans: 0, early: 0 };

/** All of them for the smaller plans; `bench/pacing.mjs` plays the rest, and at length. */
function scenariosOf(plan: Scenario['plan'], clients: number): Scenario[] {
  const everyday = everydayScenarios(plan, clients);
  return plan === 'free' || (plan === 'pro' && clients === 1) ? everyday : everyday.slice(0, 2);
}

function play(scenario: Scenario, contender = inOneProcess(product)): Promise<Figures> {
  return simulate(product, scenario, contender);
}

describe.each(PLANS)('alone on a key of the plan %s', (plan) => {
  describe.each([1, 8])('%i clients in a process', (clients) => {
    test.each(scenariosOf(plan, clients).map((scenario) => [scenario.name, scenario] as const))(
      '%s: no 429, nothing early, and the quota used',
      async (_name, scenario) => {
        const { refused, bans, early, used } = await play(scenario);
        expect({ refused, bans, early }).toEqual(NOTHING_WRONG);
        expect(used).toBeGreaterThanOrEqual(0.98);
      },
    );
  });

  test('nobody starves: of 8 clients each is served, and no call waits beyond the second window', async () => {
    const { fairness, longestMs, failures } = await play(steadyOverload(plan, 8));
    expect(fairness).toBeGreaterThan(0.8);
    expect(longestMs).toBeLessThan(120_000);
    expect(failures).toEqual({});
  });
});

test.each([1, 8])(
  '%i clients: the day’s quota is used up, and the next one after midnight',
  async (clients) => {
    const { refused, bans, early, used, served } = await play(dayScenario('free', clients));
    expect({ refused, bans, early }).toEqual({
      refused: { ours: 0, race: 0, uninformed: 0 },
      bans: 0,
      early: 0,
    });
    expect(used).toBeGreaterThanOrEqual(0.98);
    // The first day's whole quota, and three minutes of the second's.
    expect(served).toBeGreaterThanOrEqual(1_000 + 3 * 60 - 4);
  },
);

describe('with somebody else on the key', () => {
  test.each(
    (['free', 'pro'] as const).flatMap((plan) =>
      foreignScenarios(plan, 8).map((scenario) => [plan, scenario.name, scenario] as const),
    ),
  )('%s, %s: a 429 only by his race, and not two a minute', async (_plan, _name, scenario) => {
    const { refused, bans, early, used } = await play(scenario);
    expect({ ours: refused.ours, bans, early }).toEqual({ ours: 0, bans: 0, early: 0 });
    // Whoever comes first to a key that is used up already has been told nothing yet.
    expect(refused.uninformed).toBeLessThanOrEqual(1);
    expect(refused.race).toBeLessThanOrEqual(scenario.minutes);
    expect(used).toBeGreaterThanOrEqual(0.98);
  });
});

test.each(PLANS)(
  'processes that know nothing of one another keep to what each was told, and are not banned: %s',
  async (plan) => {
    const scenario = steadyOverload(plan, 8);
    const { early, refused, bans, used } = await play(scenario, apart(product));
    expect({ early, bans, ours: refused.ours, uninformed: refused.uninformed }).toEqual({
      early: 0,
      bans: 0,
      ours: 0,
      uninformed: 0,
    });
    // Each of them once for the very last one.
    expect(refused.race).toBeLessThanOrEqual(8 * scenario.minutes);
    expect(used).toBeGreaterThanOrEqual(0.98);
  },
);

describe.each([
  ['in files', 0],
  ['across a network', 1],
])('8 processes with a gate between them, %s', (_where, latencyMs) => {
  const scenarios = [
    ...everydayScenarios('free', 8),
    dayScenario('free', 8),
    deathScenario('free', 8),
    steadyOverload('pro', 8),
    deathScenario('pro', 8),
  ];
  test.each(scenarios.map((scenario) => [scenario.plan, scenario.name, scenario] as const))(
    '%s, %s: no 429, nothing early, and the quota used',
    async (_plan, _name, scenario) => {
      const clock = createVirtualClock(scenario.startAt);
      const contender = overPlace(product, clock, latencyMs);
      const { refused, bans, early, used } = await simulate(product, scenario, contender, clock);
      expect({ refused, bans, early }).toEqual(NOTHING_WRONG);
      expect(used).toBeGreaterThanOrEqual(0.98);
    },
  );

  test('serve each process, and keep no call beyond the second window', async () => {
    const scenario = steadyOverload('free', 8);
    const clock = createVirtualClock(scenario.startAt);
    const contender = overPlace(product, clock, latencyMs);
    const { fairness, longestMs } = await simulate(product, scenario, contender, clock);
    expect(fairness).toBeGreaterThan(0.7);
    expect(longestMs).toBeLessThan(120_000);
  });
});

describe('the simulation itself', () => {
  const heedless: Contender = {
    name: 'heedless',
    clients: 'process',
    open:
      ({ fetch }) =>
      async () => {
        const response = await fetch('https://api.test/v1/pets');
        if (!response.ok) throw new Error('refused');
      },
  };

  test('finds out who does not pace', async () => {
    const { refused, bans, early, used, failures } = await play(steadyOverload('free', 1), heedless);
    expect(refused.ours).toBeGreaterThan(10);
    expect(bans).toBe(1);
    expect(early).toBeGreaterThan(10);
    expect(used).toBeLessThan(0.5);
    expect(failures.Error).toBeGreaterThan(10);
  });

  test('tells the race with a foreign user from what is one’s own doing', async () => {
    const alone = { ...steadyOverload('free', 1), joinAfterMs: 0 };
    const { refused } = await play({ ...alone, foreign: { everyMs: 5_000, burst: 12 } });
    expect({ ours: refused.ours, race: refused.race > 0 }).toEqual({ ours: 0, race: true });
    expect((await play(alone, heedless)).refused.race).toBe(0);
  });

  test('plays the same every time', async () => {
    const [scenario] = foreignScenarios('free', 8) as [Scenario];
    expect(await play(scenario)).toEqual(await play(scenario));
  });
});
