import { describe, expect, test } from 'vitest';
import { createPetStore } from '../../src/client/internal.js';
import { createMock } from '../../src/mock/index.js';
import type { Figures } from '../support/pacing/figures.js';
import { apart, inOneProcess, type Outage, withStorage } from '../support/pacing/petstore.js';
import {
  dayScenario,
  deathScenario,
  everydayScenarios,
  foreignScenarios,
  PLANS,
  steadyOverload,
} from '../support/pacing/scenarios.js';
import { type Candidate, type Scenario, simulate } from '../support/pacing/simulation.js';
import { planChanges, type TrapName, traps } from '../support/pacing/traps.js';
import { IS_FULL } from '../support/random-runs.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const product = { createPetStore, createMock };
const NO_429 = { rateLimited: { ours: 0, race: 0, uninformed: 0 }, bans: 0, early: 0 };

function expectPerfect({ rateLimited, bans, early, used }: Figures): void {
  expect({ rateLimited, bans, early }).toEqual(NO_429);
  expect(used).toBeGreaterThanOrEqual(0.98);
}

/** Fewer windows without PETSTORE_TEST_FULL=1: the one of the start, and a full one. Clients that share need another one. */
function shortened(scenario: Scenario, minutesMin = scenario.clients === 1 ? 2 : 3): Scenario {
  if (IS_FULL) return scenario;
  return { ...scenario, minutes: Math.max(minutesMin, scenario.minutes - 3) };
}

const USED_MINUTES = 12;

/** The same with a day limit that another user has nearly used up before. */
function withUsedDay(scenario: Scenario): Scenario {
  if (IS_FULL) return scenario;
  const { startAt, minutes } = scenario;
  return {
    ...scenario,
    usedMinutes: USED_MINUTES,
    startAt: startAt + USED_MINUTES * 60_000,
    minutes: minutes - USED_MINUTES,
  };
}

/** Each kind of scenario for one client, and the most important ones for more clients and larger plans. */
function scenariosOf(plan: Scenario['plan'], clients: number): Scenario[] {
  const everyday = everydayScenarios(plan, clients).map((scenario) => shortened(scenario));
  if (!IS_FULL && !(plan === 'free' && clients === 1)) return everyday.slice(0, 1);
  if (plan === 'free') return everyday;
  return plan === 'pro' && clients === 1 ? everyday : everyday.slice(0, 2);
}

function run(scenario: Scenario, candidate = inOneProcess(product)): Promise<Figures> {
  return simulate(product, scenario, candidate);
}

function runWithStorage(scenario: Scenario, latencyMs: number): Promise<Figures> {
  const clock = createVirtualClock(scenario.startAt);
  return simulate(product, scenario, withStorage(product, clock, latencyMs), clock);
}

const steadyFigures = new Map<string, Promise<Figures>>();

/** Runs the steady overload once, for all tests of its figures: the same scenario gives the same figures. */
function steady(name: string, scenario: Scenario, simulation: () => Promise<Figures>): Promise<Figures> {
  if (scenario.name !== 'steady overload') return simulation();
  const key = `${name} ${scenario.plan} ${String(scenario.clients)}`;
  const figures = steadyFigures.get(key) ?? simulation();
  steadyFigures.set(key, figures);
  return figures;
}

// The changes of plan below use up the plan pro, too.
describe.each(IS_FULL ? PLANS : PLANS.slice(0, 1))(
  'alone on a key of the plan %s (more with PETSTORE_TEST_FULL=1)',
  (plan) => {
    describe.each([1, 8])('%i clients in a process', (clients) => {
      test.each(scenariosOf(plan, clients).map((scenario) => [scenario.name, scenario] as const))(
        '%s: no 429, nothing early, and the quota used up',
        async (_name, scenario) => {
          expectPerfect(await steady('process', scenario, () => run(scenario)));
        },
      );
    });

    test('serves each of 8 clients, and no call waits longer than until the second window', async () => {
      const scenario = shortened(steadyOverload(plan, 8));
      const { fairness, longestMs, failures } = await steady('process', scenario, () => run(scenario));
      expect(fairness).toBeGreaterThan(0.8);
      expect(longestMs).toBeLessThan(120_000);
      expect(failures).toEqual({});
    });
  },
);

test.each(IS_FULL ? [1, 8] : [1])(
  '%i clients use up the day limit, and the next one after midnight (more with PETSTORE_TEST_FULL=1)',
  async (clients) => {
    const scenario = withUsedDay(dayScenario('free', clients));
    const figures = await run(scenario);
    expectPerfect(figures);
    // The rest of the limit of the first day, and three minutes of the second.
    expect(figures.served).toBeGreaterThanOrEqual(1_000 - 60 * (scenario.usedMinutes ?? 0) + 3 * 60 - 4);
  },
);

test.each(
  (IS_FULL ? (['free', 'pro'] as const) : (['free'] as const)).flatMap((plan) =>
    foreignScenarios(plan, 8).map((scenario) => [plan, scenario.name, shortened(scenario)] as const),
  ),
)(
  'with another user of the key, %s, %s: at most one 429 per minute, caused by the other user (more with PETSTORE_TEST_FULL=1)',
  async (_plan, _name, scenario) => {
    const { rateLimited, bans, early, used } = await run(scenario);
    expect({ ours: rateLimited.ours, bans, early }).toEqual({ ours: 0, bans: 0, early: 0 });
    // The first request to a used-up key can't know it.
    expect(rateLimited.uninformed).toBeLessThanOrEqual(1);
    expect(rateLimited.race).toBeLessThanOrEqual(scenario.minutes);
    expect(used).toBeGreaterThanOrEqual(0.98);
  },
);

test.each(IS_FULL ? PLANS : PLANS.slice(0, 1))(
  'processes without a shared gate obey their own responses, and are not banned: %s (more with PETSTORE_TEST_FULL=1)',
  async (plan) => {
    const scenario = shortened(steadyOverload(plan, 8));
    const { early, rateLimited, bans, used } = await run(scenario, apart(product));
    expect({ early, bans, ours: rateLimited.ours, uninformed: rateLimited.uninformed }).toEqual({
      early: 0,
      bans: 0,
      ours: 0,
      uninformed: 0,
    });
    // Each of them once per minute, for the very last request.
    expect(rateLimited.race).toBeLessThanOrEqual(8 * scenario.minutes);
    expect(used).toBeGreaterThanOrEqual(0.98);
  },
);

type Outages = [name: string, outages: Outage[]];
const LOST: Outage = { mode: 'fails', startMs: 100_000, endMs: 130_000, text: 'lost' };
const LOST_DATA: Outages = ['fails and loses its data', [LOST]];
const OUTAGES: Outages[] = [
  [
    'fails twice and loses its data',
    [LOST, { mode: 'hangs', startMs: 170_000, endMs: 250_000, text: 'lost' }],
  ],
  ['fails', [{ mode: 'fails', startMs: 80_000, endMs: 150_000, text: 'kept' }]],
  ['hangs', [{ mode: 'hangs', startMs: 110_000, endMs: 200_000, text: 'kept' }]],
];

const PROCESSES = IS_FULL ? 8 : 4;

describe.each([
  ['file gate', 0],
  ['network gate', 1],
])('processes with a %s (more with PETSTORE_TEST_FULL=1)', (gate, latencyMs) => {
  const everyday = everydayScenarios('free', PROCESSES).map((scenario) => shortened(scenario));
  const [steadyFree, , , , lostResponse, , hang] = everyday;
  const death = shortened(deathScenario('free', PROCESSES));
  // Most kinds with one of the gates, and the others in one process only.
  const some = latencyMs === 0 ? [steadyFree!, death] : [steadyFree!, lostResponse!, hang!];
  const ofPro = [steadyOverload('pro', PROCESSES), deathScenario('pro', PROCESSES)];
  const scenarios = IS_FULL ? [...everyday, dayScenario('free', PROCESSES), death, ...ofPro] : some;
  test.each(scenarios.map((scenario) => [scenario.plan, scenario.name, scenario] as const))(
    '%s, %s: no 429, nothing early, and the quota used up',
    async (_plan, _name, scenario) => {
      expectPerfect(await steady(gate, scenario, () => runWithStorage(scenario, latencyMs)));
    },
  );

  test('serve each process, and no call waits longer than until the second window', async () => {
    const scenario = shortened(steadyOverload('free', PROCESSES));
    const { fairness, longestMs } = await steady(gate, scenario, () => runWithStorage(scenario, latencyMs));
    expect(fairness).toBeGreaterThan(0.7);
    expect(longestMs).toBeLessThan(120_000);
  });

  test.each(IS_FULL ? OUTAGES : [latencyMs === 0 ? LOST_DATA : OUTAGES[1]!])(
    'that %s send nothing before a Retry-After that they have received',
    async (_name, outages) => {
      const end = Math.max(...outages.map(({ endMs }) => endMs));
      const minutes = Math.ceil(end / 60_000) + (IS_FULL ? 2 : 1);
      const scenario = { ...steadyOverload('free', PROCESSES), minutes };
      const clock = createVirtualClock(scenario.startAt);
      const shared = withStorage(product, clock, latencyMs, outages);
      // Without the gate, a process knows only its own responses.
      const candidate: Candidate = { ...shared, clients: 'apart' };
      const { rateLimited, bans, early, used, failures } = await simulate(
        product,
        scenario,
        candidate,
        clock,
      );
      expect({ ours: rateLimited.ours, bans, early, failures }).toEqual({
        ours: 0,
        bans: 0,
        early: 0,
        failures: {},
      });
      // Each process may learn of the others by one 429 per outage and minute.
      expect(rateLimited.race).toBeLessThanOrEqual(PROCESSES * 2 * outages.length);
      expect(used).toBeGreaterThanOrEqual(0.9);
    },
  );
});

/** The network store of processes on one machine, which share files while it fails. */
const FALLBACK_OUTAGES: [string, Outage[]][] = [
  ['is dead from the start', [{ mode: 'fails', startMs: 0, endMs: Infinity, text: 'lost' }]],
  ['hangs from the start', [{ mode: 'hangs', startMs: 0, endMs: Infinity, text: 'lost' }]],
  ['dies in the middle of a window', [{ mode: 'fails', startMs: 90_000, endMs: Infinity, text: 'lost' }]],
  ['hangs from the end of a window', [{ mode: 'hangs', startMs: 115_000, endMs: Infinity, text: 'lost' }]],
  ['dies, and returns without data', [{ mode: 'fails', startMs: 80_000, endMs: 150_000, text: 'lost' }]],
  ['dies, and returns with old data', [{ mode: 'fails', startMs: 80_000, endMs: 110_000, text: 'kept' }]],
];

describe.each([
  ['processes', false],
  ['processes at a time, each with one call,', true],
])('%s with a fallback to files (more with PETSTORE_TEST_FULL=1)', (_name, isOneShot) => {
  // A new process learns of an outage at its start, whenever the outage began.
  const some = FALLBACK_OUTAGES.slice(-1);
  if (!isOneShot) some.push(FALLBACK_OUTAGES[3]!);
  test.each(IS_FULL ? FALLBACK_OUTAGES : some)(
    'get no 429 if the network store %s',
    async (_case, outages) => {
      const scenario = {
        ...steadyOverload('free', PROCESSES),
        minutes: IS_FULL ? 4 : 3,
        load: { kind: 'steady', workers: 1 },
      } as const;
      const clock = createVirtualClock(scenario.startAt);
      const candidate = withStorage(product, clock, 1, outages, { hasFallback: true, isOneShot });
      const { rateLimited, bans, early, used, failures } = await simulate(
        product,
        scenario,
        candidate,
        clock,
      );
      expect({ rateLimited, bans, early, failures }).toEqual({ ...NO_429, failures: {} });
      // A new process waits up to three seconds for a store that hangs.
      expect(used).toBeGreaterThanOrEqual(isOneShot ? 0.8 : 0.95);
    },
  );
});

describe('the simulation itself', () => {
  const few = { ...steadyOverload('free', 1), minutes: 3, load: { kind: 'steady', workers: 4 } } as const;
  const unpaced: Candidate = {
    name: 'unpaced',
    clients: 'process',
    open:
      ({ fetch }) =>
      async () => {
        const response = await fetch('https://api.test/v1/pets');
        if (!response.ok) throw new Error('rejected');
      },
  };

  test('detects a client without pacing', async () => {
    const { rateLimited, bans, early, used, failures } = await run(few, unpaced);
    expect(rateLimited.ours).toBeGreaterThan(10);
    expect(bans).toBe(1);
    expect(early).toBeGreaterThan(10);
    expect(used).toBeLessThan(0.5);
    expect(failures.Error).toBeGreaterThan(10);
  });

  test('distinguishes 429 responses caused by another user', async () => {
    const busy = { ...steadyOverload('free', 1), minutes: 3, joinAfterMs: 0 };
    const { rateLimited } = await run({ ...busy, foreign: { everyMs: 5_000, burst: 12 } });
    expect({ ours: rateLimited.ours, race: rateLimited.race > 0 }).toEqual({ ours: 0, race: true });
    expect((await run({ ...few, joinAfterMs: 0 }, unpaced)).rateLimited.race).toBe(0);
  });
});

/** 429 responses per minute that misleading headers alone can cause. */
const ALLOWED_429S: Partial<Record<TrapName, number>> = {
  serverAhead: 0,
  serverBehind: 0,
  dateNever: 0,
  resetEarly: 1,
  remainingRises: 2,
  resetPast: 1,
  headersGap: 0,
  dateNeverAhead: 1,
};

/** The headers and the rules for them are the same in all plans. */
const TESTED_PLANS = IS_FULL ? (['free', 'pro'] as const) : (['free'] as const);

describe.each(TESTED_PLANS)('misleading headers, plan %s (pro with PETSTORE_TEST_FULL=1)', (plan) => {
  const all = traps(plan);
  test.each(
    (Object.entries(ALLOWED_429S) as [TrapName, number][]).map(
      ([name, perMinute]) => [all[name].name, perMinute, shortened(all[name], 3)] as const,
    ),
  )(
    '%s: at most %i 429 responses per minute, no ban, and the quota used up',
    async (_name, perMinute, scenario) => {
      const { rateLimited, bans, used } = await run(scenario);
      expect(rateLimited.ours).toBeLessThanOrEqual(perMinute * scenario.minutes);
      expect({ race: rateLimited.race, uninformed: rateLimited.uninformed, bans }).toEqual({
        race: 0,
        uninformed: 0,
        bans: 0,
      });
      expect(used).toBeGreaterThanOrEqual(0.98);
    },
  );
});

test.each(TESTED_PLANS)(
  'without headers, for a time or always, a client of the plan %s is not banned (pro with PETSTORE_TEST_FULL=1)',
  async (plan) => {
    const { headersLate, headersNever } = traps(plan);
    for (const scenario of [headersLate, headersNever].map((each) => shortened(each, 3))) {
      const { rateLimited, bans, early } = await run(scenario);
      // Without headers only 429 responses reveal the limit, so a few probes get one.
      expect({ bans, early, race: rateLimited.race }).toEqual({ bans: 0, early: 0, race: 0 });
      expect(rateLimited.ours + rateLimited.uninformed).toBeLessThanOrEqual(8 * scenario.minutes);
    }
  },
);

test.each(planChanges.map((scenario) => [scenario.name, scenario] as const))(
  '%s: no 429, nothing early, no ban, and the quota used up',
  async (_name, scenario) => {
    expectPerfect(await run(scenario));
  },
);
