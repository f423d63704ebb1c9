import { describe, expect, test } from 'vitest';
import type { ImportCounts, ImportEvent } from '../../../../../src/bulk/internal.js';
import type { ClientEvent } from '../../../../../src/client/internal.js';
import { createImportProgress } from '../../../../../src/cli/commands/pets/import/import-progress.js';
import { CLEAR, statusScreen } from '../../../../support/status-screen.js';

const NOW = new Date(2026, 0, 2, 14, 4, 58).getTime();
const COUNTS: ImportCounts = {
  rows: 240,
  created: 110,
  alreadyDone: 5,
  rejected: 4,
  unknown: 1,
  left: 116,
  inFlight: 4,
  unsaved: 0,
};
const progress = (counts: Partial<ImportCounts> = {}, more = {}): ImportEvent => ({
  type: 'progress',
  counts: { ...COUNTS, ...counts },
  elapsedMs: 1,
  rowsPerSecond: 0.97,
  remainingMs: 124_000,
  ...more,
});
const wait = (delayMs?: number): ClientEvent => ({
  type: 'wait',
  call: 1,
  attempt: 1,
  reason: 'paced',
  ...(delayMs === undefined ? {} : { delayMs }),
});
const request: ClientEvent = {
  type: 'request',
  call: 1,
  attempt: 1,
  method: 'POST',
  url: 'https://a.test',
  headers: {},
};

function setUp({ isTTY = true, columns = 120 } = {}) {
  const { status, clock, take } = statusScreen({ isTTY, columns, now: NOW });
  return { shown: createImportProgress(status, clock), status, clock, take: () => take().join('') };
}

describe('sending', () => {
  test.each([
    [120, '[==============>               ]  120/240  50%  58/min  2 min 4 s left  4 rejected  1 unknown'],
    [80, '[======>       ]  120/240  50%  58/min  2 min 4 s left  4 rejected  1 unknown'],
    [60, '120/240  50%  2 min 4 s left  4 rejected  1 unknown'],
    [40, '120/240  2 min 4 s left  1 unknown'],
  ])('at %d columns', (columns, line) => {
    const { shown, take } = setUp({ columns });
    shown.onImportEvent(progress());
    expect(take()).toBe(CLEAR + line);
  });

  test('the remaining time counts down during a wait', async () => {
    const { shown, clock, take } = setUp({ columns: 80 });
    shown.onImportEvent(progress({}, { remainingMs: 300_000 }));
    expect(take()).toContain('5 min left');
    await clock.advance(60_000);
    expect(take()).toContain('4 min left');
    shown.onImportEvent(progress({ created: 111 }, { remainingMs: undefined }));
    await clock.advance(100);
    expect(take()).not.toContain('left');
  });

  test('omits zero counts and an unknown rate', () => {
    const { shown, take } = setUp({ columns: 40 });
    shown.onImportEvent(progress({ rejected: 0, unknown: 0 }, { rowsPerSecond: 0, remainingMs: undefined }));
    expect(take()).toBe(`${CLEAR}[=========>           ]  115/240  47%`);
  });

  test('a wait counts down until a request is sent', async () => {
    const { shown, status, clock, take } = setUp({ columns: 60 });
    shown.onImportEvent(progress());
    take();
    status.onEvent(wait(12_000));
    await clock.advance(100);
    expect(take()).toBe(`${CLEAR}120/240  1 unknown  waiting 12 s, until 14:05:10`);
    await clock.advance(1_000);
    expect(take()).toContain('waiting 11 s, until 14:05:10');
    status.onEvent(request);
    await clock.advance(100);
    expect(take()).not.toContain('waiting');
  });

  test('piped: no progress, and one line for a wait of several rows', async () => {
    const { shown, status, clock, take } = setUp({ isTTY: false });
    shown.onImportEvent(progress());
    status.onEvent(wait(30_000));
    status.onEvent(wait(30_000));
    await clock.advance(20_000);
    shown.onImportEvent(progress());
    expect(take()).toBe('Rate limit used up. Sending in 30 s, at 14:05:28.\n');
    status.clear();
    expect(clock.pending).toBe(0);
  });
});

describe('checking', () => {
  test.each([
    [{ rows: 120_000, bytes: 50, bytesTotal: 100 }, '[===>    ]  Checking rows: 120,000  50%'],
    [{ rows: 700, bytes: 50 }, 'Checking rows: 700'],
    [{ rows: 0, bytes: 0, bytesTotal: 0 }, 'Checking rows: 0'],
  ])('%j', async (checked, line) => {
    const { shown, take, clock } = setUp({ columns: 42 });
    shown.onChecked(checked);
    await clock.advance(499);
    shown.onChecked(checked);
    expect(take()).toBe('');
    await clock.advance(1);
    shown.onChecked(checked);
    expect(take()).toBe(CLEAR + line);
  });
});
