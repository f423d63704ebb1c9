import { describe, expect, test } from 'vitest';
import { createPetStore } from '../../src/client/internal.js';
import { createMock } from '../../src/mock/index.js';
import { brokenRules, simulateWaits, type WaitScenario } from '../support/pacing/waits.js';
import { IS_FULL, seededRandom } from '../support/random-runs.js';

const product = { createPetStore, createMock };
const LATENCY_MS = [10, 150] as const;

const PROCESSES = IS_FULL ? [1, 8] : [1, 4];

describe.each(PROCESSES)(
  '80 calls at once on the plan free, in %i processes (more with PETSTORE_TEST_FULL=1)',
  (processes) => {
    test.each(IS_FULL ? [0, 500, 17_300, 59_900] : [processes === 1 ? 59_900 : 500])(
      '%i ms after a whole minute all succeed',
      async (offsetMs) => {
        const base = { plan: 'free', calls: 80, withinMs: 0, latencyMs: LATENCY_MS, seed: 1 } as const;
        const figures = await simulateWaits(product, { ...base, processes, offsetMs, waitMaxMs: 75_000 });
        expect(figures.calls.filter(({ error }) => error !== undefined)).toEqual([]);
        expect(figures).toMatchObject({ requests: 80, rateLimited: 0, early: 0 });
        if (offsetMs > 58_000) return;
        const untilNextMinute = 60_000 - offsetMs;
        expect(figures.calls.filter(({ durationMs }) => durationMs < untilNextMinute)).toHaveLength(60);
      },
    );
  },
);

describe.each(PROCESSES)('30 calls at once with 5 requests left, in %i processes', (processes) => {
  test.each([0, 200, 500, 2_000])('send nothing without a permit if waitMaxMs is %i', async (waitMaxMs) => {
    const base = {
      plan: 'free',
      calls: 30,
      withinMs: 0,
      offsetMs: 500,
      latencyMs: [300, 300],
      seed: 1,
    } as const;
    const scenario = { ...base, foreign: 55, processes, waitMaxMs };
    const figures = await simulateWaits(product, scenario);
    expect(brokenRules(scenario, figures)).toEqual([]);
    expect(figures).toMatchObject({ rateLimited: 0, early: 0 });
    const served = figures.calls.filter(({ error }) => error === undefined).length;
    expect(figures.requests).toBe(served);
    // The first request shows the limit. If the calls can wait for its response, the others use up the rest.
    expect(served).toBe(waitMaxMs > 600 ? 5 : 1);
  });
});

/** A scenario drawn from a seed. */
function draw(seed: number): WaitScenario {
  const random = seededRandom(seed);
  const oneOf = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const plan = oneOf('free', 'free', 'pro', 'business');
  const perMinute = { free: 60, pro: 300, business: 1_000 }[plan];
  return {
    plan,
    processes: oneOf(1, 1, 8),
    calls: Math.ceil(perMinute * (0.2 + 1.5 * random())),
    withinMs: oneOf(0, 5_000, 50_000),
    offsetMs: Math.floor(60_000 * random()),
    waitMaxMs: oneOf(0, 200, 500, 2_000, 20_000, 60_000, 75_000, 300_000),
    latencyMs: oneOf([0, 0], [10, 150], [200, 900]),
    seed,
  };
}

const FIRST_SEED = Number(process.env.PETSTORE_TEST_SEED ?? 1);
const SEEDS = Array.from({ length: IS_FULL ? 30 : 2 }, (_, index) => FIRST_SEED + index);

describe('any calls of a client alone on its key (30 seeds with PETSTORE_TEST_FULL=1)', () => {
  test.each(SEEDS)('wait as long as allowed and as needed (seed %i)', async (seed) => {
    const scenario = draw(seed);
    const figures = await simulateWaits(product, scenario);
    const broken = [...new Set(brokenRules(scenario, figures))];
    const { early, rateLimited } = figures;
    expect({ scenario, broken, early, rateLimited }).toEqual({
      scenario,
      broken: [],
      early: 0,
      rateLimited: 0,
    });
  });
});
