import { expect, test } from 'vitest';
import { createPetStore } from '../../src/client/internal.js';
import { createMock } from '../../src/mock/index.js';
import type { LimiterKind } from '../support/limiters/limiter.js';
import { ZOO } from '../support/limiters/zoo.js';
import { type LimiterScenario, runLimiter } from '../support/pacing/limiter-run.js';
import { IS_FULL } from '../support/random-runs.js';

// Every limiter of the zoo in virtual time, with one client and with eight processes. The ideal client knows the limiter,
// and obeys the times that it receives. A 429 response of a window that nothing else shows is needed to learn it.

const QUOTA = { limit: 5, windowMs: 5_000 };

const LOADS: readonly (Pick<LimiterScenario, 'calls' | 'processes' | 'isSequential' | 'storeLatencyMs'> & {
  name: string;
})[] = [
  { name: '50 calls one after another', calls: 50, processes: 1, isSequential: true, storeLatencyMs: 0 },
  { name: '50 calls at once', calls: 50, processes: 1, isSequential: false, storeLatencyMs: 0 },
  { name: '8 processes with files', calls: 48, processes: 8, isSequential: true, storeLatencyMs: 0 },
  { name: '8 processes with Redis', calls: 48, processes: 8, isSequential: true, storeLatencyMs: 2 },
];

/** Limiters with a window that the responses show too late or not at all, but whose 429 response shows it. */
const HIDDEN = new Set(['express-rate-limit, minute then day', 'koa-ratelimit, redis']);
/** One 429 response shows the wait, but not how the limiter counts: HAProxy rejects again after it, Varnish a later burst. */
const UNEVEN = new Set(['HAProxy return', 'Varnish vsthrottle']);
/** What a second 429 response costs: nothing passes until the next try. */
const IDLE_MS = QUOTA.windowMs;
/** Doubled waits of 1, 2 and 4 s find the end of the window. A client that knows no time needs as many. */
const SEARCH_COUNT = Math.ceil(Math.log2(QUOTA.windowMs / 1_000 + 1));

interface Bar {
  rejected: number;
  inRow: number;
  durationMs: number;
}

function barOf({ name, shows }: LimiterKind, calls: number, idealMs: number): Bar {
  const durationMs = 1.15 * idealMs;
  if (shows === 'window') {
    const rejected = Number(HIDDEN.has(name));
    return { rejected, inRow: rejected, durationMs };
  }
  if (shows === 'wait') {
    const rejected = UNEVEN.has(name) ? 2 : 1;
    return { rejected, inRow: rejected, durationMs: durationMs + (rejected - 1) * IDLE_MS };
  }
  // nginx is empty after a second. HAProxy counts the search as well, so its window ends later.
  const inRow = name.startsWith('nginx') ? 1 : SEARCH_COUNT;
  const rejected = Math.max(Math.ceil(calls / QUOTA.limit), SEARCH_COUNT + 1);
  return { rejected, inRow, durationMs: durationMs + IDLE_MS };
}

const TESTED = [
  'express-rate-limit',
  'express-rate-limit, minute then day',
  'nginx limit_req, Retry-After',
  'HAProxy deny',
];
/** Processes share files with every second tested limiter, and Redis with the others. */
const isTested = (name: string, { processes, storeLatencyMs }: (typeof LOADS)[number]): boolean =>
  TESTED.includes(name) && (processes === 1 || storeLatencyMs > 0 === TESTED.indexOf(name) % 2 > 0);
const rows = ZOO.flatMap((kind) =>
  LOADS.filter((load) => IS_FULL || isTested(kind.name, load)).map(
    (load) => [kind.name, load.name, kind, load] as const,
  ),
);

test.each(rows)('%s, %s: no call fails, and no 429 is avoidable', async (_kind, _load, kind, load) => {
  const scenario = { kind, quota: QUOTA, latencyMs: [10, 60] as const, seed: 1, ...load };
  const figures = await runLimiter({ createPetStore, createMock }, scenario);
  const { errors, rejected, rejectedInRow, durationMs, idealMs } = figures;
  const bar = barOf(kind, load.calls, idealMs);
  expect(errors).toEqual([]);
  expect(rejected).toBeLessThanOrEqual(bar.rejected);
  expect(rejectedInRow).toBeLessThanOrEqual(bar.inRow);
  expect(durationMs).toBeLessThanOrEqual(bar.durationMs);
});
