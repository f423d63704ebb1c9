import { expect, test } from 'vitest';
import type { ImportCounts, ImportEvent } from '../../../src/bulk/import-job.js';
import { ImportProgress } from '../../../src/bulk/send/import-progress.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const NONE: ImportCounts = {
  rows: 100,
  created: 0,
  alreadyDone: 40,
  refused: 0,
  unknown: 0,
  left: 60,
  underWay: 0,
  unfiled: 0,
};

function set() {
  const clock = createVirtualClock();
  const events: Extract<ImportEvent, { type: 'progress' }>[] = [];
  const state = { counts: NONE };
  const progress = new ImportProgress(
    clock,
    (event) => event.type === 'progress' && events.push(event),
    () => state.counts,
  );
  return { clock, events, state, progress };
}

test('tells the mean rate of this run, and how long the rest will take', async () => {
  const { clock, events, state, progress } = set();
  progress.note();
  await clock.advance(10_000);
  state.counts = { ...NONE, created: 15, refused: 4, unknown: 1, left: 38, underWay: 2 };
  progress.note();
  expect(events).toEqual([
    { type: 'progress', counts: NONE, elapsedMs: 0, rowsPerSecond: 0 },
    { type: 'progress', counts: state.counts, elapsedMs: 10_000, rowsPerSecond: 2, remainingMs: 20_000 },
  ]);
});

test('speaks ten times a second at most, but has the last word', async () => {
  const { clock, events, progress } = set();
  for (let step = 0; step < 50; step += 1) {
    progress.note();
    await clock.advance(10);
  }
  expect(events).toHaveLength(5);
  progress.note(true);
  expect(events).toHaveLength(6);
});

test('goes on when somebody sets the clock back', async () => {
  const { clock, events, progress } = set();
  progress.note();
  clock.setWall(0);
  progress.note();
  expect(events.map(({ elapsedMs }) => elapsedMs)).toEqual([0, 0]);
});
