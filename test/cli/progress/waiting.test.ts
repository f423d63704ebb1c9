import { describe, expect, test } from 'vitest';
import { canShowWaiting, createWaiting } from '../../../src/cli/progress/waiting.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const CLEAR = '\r\u001b[K';

function terminal(env: Record<string, string> = { LANG: 'en_GB.UTF-8' }, columns = 80) {
  const written: string[] = [];
  const clock = createVirtualClock();
  const stderr = { isTTY: true, columns, write: (text: string) => void written.push(text) };
  const waiting = createWaiting({ stderr, clock, env, platform: 'linux' });
  /** The spinner is loaded when the time has come. */
  const advance = async (byMs: number): Promise<void> => {
    await clock.advance(byMs);
    await import('../../../src/cli/progress/spinner.js');
    await clock.advance(0);
  };
  return { waiting, written, clock, advance };
}

describe('a wait', () => {
  test('is shown after half a second, moves, and is removed at its end', async () => {
    const { waiting, written, clock, advance } = terminal();
    const end = waiting.start('Waiting for https://pets.test');
    await advance(499);
    expect(written).toEqual([]);
    await advance(1);
    expect(written).toEqual([`${CLEAR}⠋ Waiting for https://pets.test`]);
    await advance(100);
    expect(written[1]).toBe(`${CLEAR}⠙ Waiting for https://pets.test`);
    end();
    expect(written.slice(2)).toEqual([CLEAR]);
    expect(clock.pending).toBe(0);
  });

  test('that is short shows nothing and leaves no timer', async () => {
    const { waiting, written, clock, advance } = terminal();
    waiting.start('a')();
    expect(clock.pending).toBe(0);
    await advance(1_000);
    expect(written).toEqual([]);
  });

  test('starts its half second anew after another wait', async () => {
    const { waiting, written, advance } = terminal();
    const end = waiting.start('a');
    await advance(400);
    end();
    waiting.start('b');
    await advance(400);
    expect(written).toEqual([]);
    await advance(100);
    expect(written).toEqual([`${CLEAR}⠋ b`]);
  });

  test('is replaced by a later one, and shown again after it', async () => {
    const { waiting, written, advance } = terminal();
    waiting.start('a');
    const end = waiting.start('b');
    await advance(500);
    end();
    await advance(100);
    expect(written.map((text) => text.at(-1))).toEqual(['b', 'a']);
  });

  test('is hidden for other text, and drawn again', async () => {
    const { waiting, written, advance } = terminal();
    waiting.start('a');
    waiting.hide();
    expect(written).toEqual([]);
    await advance(500);
    waiting.hide();
    waiting.hide();
    expect(written.splice(0)).toEqual([`${CLEAR}⠋ a`, CLEAR]);
    await advance(100);
    expect(written).toEqual([`${CLEAR}⠙ a`]);
  });

  test('ends with stop(), and no other one starts', async () => {
    const { waiting, written, clock, advance } = terminal();
    const end = waiting.start('a');
    await advance(500);
    waiting.stop();
    expect(written.at(-1)).toBe(CLEAR);
    waiting.start('b');
    end();
    expect(clock.pending).toBe(0);
  });
});

test('never wraps, and shows escape sequences escaped', async () => {
  const { waiting, written, advance } = terminal(undefined, 20);
  waiting.start('Waiting for \u001b[2Ja-long-host.example');
  await advance(500);
  expect(written).toEqual([`${CLEAR}⠋ Waiting for ^[[2J`]);
});

test.each([
  [{}, '-'],
  [{ LANG: 'C' }, '-'],
  [{ LANG: 'en_GB.UTF-8', LC_ALL: 'POSIX' }, '-'],
  [{ LANG: 'de_DE.ISO-8859-1' }, '-'],
  [{ LANG: 'C.UTF-8' }, '⠋'],
  [{ LC_CTYPE: 'en_US.utf8' }, '⠋'],
])('the locale %j shows %s', async (env, frame) => {
  const { waiting, written, advance } = terminal(env);
  waiting.start('a');
  await advance(500);
  expect(written).toEqual([`${CLEAR}${frame} a`]);
});

test.each([
  ['a terminal', true, {}, false, true],
  ['a pipe', false, {}, false, false],
  ['--quiet', true, {}, true, false],
  ['CI', true, { CI: 'true' }, false, false],
  ['an empty CI', true, { CI: '' }, false, true],
  ['a dumb terminal', true, { TERM: 'dumb' }, false, false],
  ['annotations', true, { PETSTORE_ANNOTATIONS: 'github' }, false, false],
])('with %s', (_, isTTY, env, quiet, shown) => {
  const stderr = { isTTY, columns: 80, write: () => undefined };
  expect(canShowWaiting({ stderr, env }, quiet)).toBe(shown);
});
