import { describe, expect, test } from 'vitest';
import { createProgress } from '../../../src/cli/progress/progress.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const CLEAR = '\r\u001b[K';

function setUp({ isTTY = true, quiet = false, columns = 80 } = {}) {
  let written: string[] = [];
  const clock = createVirtualClock();
  const stderr = {
    isTTY,
    columns: columns as number | undefined,
    write: (text: string) => void written.push(text),
  };
  const progress = createProgress({ stderr, clock }, quiet);
  const takeWritten = (): string[] => {
    const taken = written;
    written = [];
    return taken;
  };
  return { progress, clock, stderr, take: takeWritten };
}

describe('on a terminal', () => {
  test('updates at most ten times a second, always with the last text', async () => {
    const { progress, clock, take } = setUp();
    for (let step = 0; step <= 1_000; step += 10) {
      progress.show(() => String(step));
      await clock.advance(10);
    }
    await clock.advance(90);
    const drawn = take();
    expect(drawn[0]).toBe(`${CLEAR}0`);
    expect(drawn.at(-1)).toBe(`${CLEAR}1000`);
    expect(drawn.length).toBeLessThanOrEqual(12);
    expect(drawn.length).toBeGreaterThan(9);
  });

  test('updates each second for countdowns', async () => {
    const { progress, clock, take } = setUp();
    const until = clock.now() + 2_500;
    progress.show(() => String(until - clock.now()));
    await clock.advance(2_100);
    expect(take()).toEqual([`${CLEAR}2500`, `${CLEAR}1500`, `${CLEAR}500`]);
  });

  test('does not write the same text twice', async () => {
    const { progress, clock, take } = setUp();
    progress.show(() => 'same');
    await clock.advance(5_000);
    expect(take()).toEqual([`${CLEAR}same`]);
  });

  test('leaves room for an echoed ^C, also after a resize', async () => {
    const { progress, clock, stderr } = setUp();
    const widths: number[] = [];
    progress.show((columns) => String(widths.push(columns)));
    stderr.columns = 40;
    await clock.advance(1_000);
    stderr.columns = undefined;
    await clock.advance(1_000);
    expect(widths).toEqual([77, 37, 77]);
  });

  test('hide removes the line until the next update', async () => {
    const { progress, clock, take } = setUp();
    progress.show(() => 'line');
    progress.hide();
    progress.hide();
    expect(take()).toEqual([`${CLEAR}line`, CLEAR]);
    await clock.advance(1_000);
    expect(take()).toEqual([`${CLEAR}line`]);
  });

  test('clear removes the line and its timers', async () => {
    const { progress, clock, take } = setUp();
    progress.show(() => 'line');
    progress.clear();
    progress.clear();
    expect(take()).toEqual([`${CLEAR}line`, CLEAR]);
    expect(clock.pending).toBe(0);
    await clock.advance(5_000);
    expect(take()).toEqual([]);
  });
});

test.each([
  { isTTY: false, quiet: false },
  { isTTY: false, quiet: true },
  { isTTY: true, quiet: true },
])('writes nothing: %j', async (given) => {
  const { progress, clock, take } = setUp(given);
  progress.show(() => 'line');
  await clock.advance(20_000);
  progress.hide();
  progress.clear();
  expect({ written: take(), pending: clock.pending }).toEqual({ written: [], pending: 0 });
});
