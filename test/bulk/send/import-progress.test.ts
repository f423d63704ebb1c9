import { expect, test } from 'vitest';
import { type ImportCounts, type ImportEvent, NO_ROWS } from '../../../src/bulk/job/import-job.js';
import { createProgress } from '../../../src/bulk/send/import-progress.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const NONE: ImportCounts = { ...NO_ROWS, rows: 100, alreadyDone: 40, left: 60 };

function setUp(minDurationMs?: number) {
  const clock = createVirtualClock();
  const events: Extract<ImportEvent, { type: 'progress' }>[] = [];
  const state = { counts: NONE };
  const progress = createProgress(
    clock,
    (event) => event.type === 'progress' && events.push(event),
    () => state.counts,
    minDurationMs,
  );
  return { clock, events, state, progress };
}

test('reports the mean rate of this run and the remaining time', async () => {
  const { clock, events, state, progress } = setUp();
  progress();
  await clock.advance(10_000);
  state.counts = { ...NONE, created: 15, rejected: 4, unknown: 1, left: 38, inFlight: 2 };
  progress();
  expect(events).toEqual([
    { type: 'progress', counts: NONE, elapsedMs: 0, rowsPerSecond: 0 },
    { type: 'progress', counts: state.counts, elapsedMs: 10_000, rowsPerSecond: 2, remainingMs: 20_000 },
  ]);
});

test('the remaining time is in whole milliseconds', async () => {
  const { clock, events, state, progress } = setUp();
  await clock.advance(10_000);
  state.counts = { ...NONE, created: 7, left: 5 };
  progress();
  expect(events).toMatchObject([{ remainingMs: 7_143 }]);
});

test('the remaining time includes waits for the rate limit', async () => {
  const { clock, events, state, progress } = setUp(240_000);
  await clock.advance(10_000);
  state.counts = { ...NONE, created: 20, left: 40 };
  progress();
  expect(events.at(-1)).toMatchObject({ rowsPerSecond: 2, remainingMs: 230_000 });
  await clock.advance(10_000);
  state.counts = { ...NONE, created: 60, left: 0 };
  progress(true);
  expect(events.at(-1)).toMatchObject({ remainingMs: 0 });
});

test('emits at most ten events per second, and a last one', async () => {
  const { clock, events, progress } = setUp();
  for (let step = 0; step < 50; step += 1) {
    progress();
    await clock.advance(10);
  }
  expect(events).toHaveLength(5);
  progress(true);
  expect(events).toHaveLength(6);
});

test('continues after the clock was set back', async () => {
  const { clock, events, progress } = setUp();
  progress();
  clock.setWall(0);
  progress();
  expect(events.map(({ elapsedMs }) => elapsedMs)).toEqual([0, 0]);
});
