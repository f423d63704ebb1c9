import { expect, test } from 'vitest';
import { createPetStore } from '../../src/client/index.js';
import { createMock } from '../../src/mock/index.js';
import { ZOO } from '../support/limiters/zoo.js';
import { type LimiterScenario, runLimiter } from '../support/pacing/limiter-run.js';
import { IS_FULL } from '../support/random-runs.js';

// Every limiter of the zoo in virtual time, with one client and with eight processes. The ideal client knows the limiter,
// and obeys the times that it receives. A 429 response of a window that nothing else shows is needed to learn it.

const QUOTA = { limit: 5, windowMs: 5_000 };

const LOADS: readonly (Pick<LimiterScenario, 'calls' | 'processes' | 'isSequential' | 'storeLatencyMs'> & {
  name: string;
})[] = [
  { name: '12 calls one after another', calls: 12, processes: 1, isSequential: true, storeLatencyMs: 0 },
  { name: '50 calls at once', calls: 50, processes: 1, isSequential: false, storeLatencyMs: 0 },
  { name: '8 processes with files', calls: 24, processes: 8, isSequential: true, storeLatencyMs: 0 },
  { name: '8 processes with Redis', calls: 24, processes: 8, isSequential: true, storeLatencyMs: 2 },
];

/** Limiters with a window that the responses show too late or not at all, but whose 429 response shows it. */
const HIDDEN = new Set(['express-rate-limit, minute then day', 'koa-ratelimit, redis']);
/** koa-ratelimit rounds its waits down, and its reset is rounded up to whole seconds here. */
const RATIO_MAX: Readonly<Record<string, number>> = {
  'koa-ratelimit, redis': 1.25,
  'koa-ratelimit, memory': 1.2,
};

const TESTED = ['express-rate-limit', 'express-rate-limit, minute then day', 'nginx limit_req, Retry-After'];
const rows = ZOO.filter(({ name }) => IS_FULL || TESTED.includes(name)).flatMap((kind) =>
  LOADS.map((load) => [kind.name, load.name, kind, load] as const),
);

test.each(rows)('%s, %s: no call fails, and no 429 is avoidable', async (_kind, _load, kind, load) => {
  const scenario = { kind, quota: QUOTA, latencyMs: [10, 60] as const, seed: 1, ...load };
  const figures = await runLimiter({ createPetStore, createMock }, scenario);
  const { errors, rejected, rejectedInRow, durationMs, idealMs } = figures;
  expect(errors).toEqual([]);
  if (kind.shows === 'window') {
    expect(rejected).toBeLessThanOrEqual(HIDDEN.has(kind.name) ? 1 : 0);
    expect(durationMs / idealMs).toBeLessThanOrEqual(RATIO_MAX[kind.name] ?? 1.15);
  } else if (kind.shows === 'wait') {
    // One to learn the number, and one if bursts are rejected.
    expect(rejected).toBeLessThanOrEqual(2);
    expect(rejectedInRow).toBeLessThanOrEqual(2);
  } else {
    // Without any time, backoff finds the end of the first window. HAProxy counts these requests as well.
    expect(rejectedInRow).toBeLessThanOrEqual(4);
    expect(rejected).toBeLessThanOrEqual(12);
  }
});
