import { describe, expect, test } from 'vitest';
import type { ClientEvent } from '../../../src/client/index.js';
import { createCountdown } from '../../../src/cli/progress/countdown.js';

const NOW = new Date(2026, 0, 2, 14, 4, 58).getTime();
const limit: ClientEvent = {
  type: 'rate-limit',
  call: 1,
  rateLimit: { limit: 60, remaining: 0, resetAt: 0, window: 'minute' },
};
const wait = (
  delayMs: number,
  reason: 'rate-limited' | 'paced' | 'backoff' = 'rate-limited',
): ClientEvent => ({ type: 'wait', call: 1, attempt: 1, reason, delayMs });
const request: ClientEvent = { type: 'request', call: 1, attempt: 2, method: 'GET', url: 'x', headers: {} };

function setUp({ isTTY = true, quiet = false, columns = 120 } = {}) {
  let written = '';
  let now = NOW;
  let due: (() => void) | undefined;
  const countdown = createCountdown(
    {
      stderr: { isTTY, columns, write: (text) => void (written += text) },
      clock: {
        now: () => now,
        setTimeout(callback, delayMs) {
          due = () => {
            now += delayMs;
            callback();
          };
          return () => (due = undefined);
        },
      },
    },
    quiet,
  );
  return {
    countdown,
    tick: () => due?.(),
    isTicking: () => due !== undefined,
    take() {
      const text = written;
      written = '';
      return text;
    },
  };
}

describe('on a terminal', () => {
  test('one line, rewritten each second, and cleared when the next request leaves', () => {
    const { countdown, tick, take, isTicking } = setUp();
    countdown.onEvent(limit);
    countdown.onEvent(wait(12_000));
    expect(take()).toBe('\r\u001b[Krate limit reached (60/min): trying again in 12 s, at 14:05:10; ^C stops');
    tick();
    expect(take()).toBe('\r\u001b[Krate limit reached (60/min): trying again in 11 s, at 14:05:10; ^C stops');
    countdown.onEvent(request);
    expect(take()).toBe('\r\u001b[K');
    expect(isTicking()).toBe(false);
  });

  test('ends by itself when the time is over', () => {
    const { countdown, tick, take, isTicking } = setUp();
    countdown.onEvent(wait(1_500));
    take();
    tick();
    tick();
    expect(take().endsWith('\r\u001b[K')).toBe(true);
    expect(isTicking()).toBe(false);
  });

  test('never wraps', () => {
    const { countdown, take } = setUp({ columns: 20 });
    countdown.onEvent(wait(12_000));
    expect(take()).toHaveLength('\r\u001b[K'.length + 19);
  });

  test('hide takes it off, and the next second brings it back', () => {
    const { countdown, tick, take } = setUp();
    countdown.onEvent(wait(12_000));
    take();
    countdown.hide();
    countdown.hide();
    expect(take()).toBe('\r\u001b[K');
    tick();
    expect(take()).toContain('trying again in 11 s');
  });

  test('clear takes it off, once', () => {
    const { countdown, take } = setUp();
    countdown.onEvent(wait(12_000));
    take();
    countdown.clear();
    countdown.clear();
    expect(take()).toBe('\r\u001b[K');
  });
});

describe('elsewhere', () => {
  test.each([
    ['rate-limited', 'rate limit reached: trying again in 12 s, at 14:05:10\n'],
    ['paced', 'rate limit used up: trying again in 12 s, at 14:05:10\n'],
    ['backoff', 'no good answer: trying again in 12 s, at 14:05:10\n'],
  ] as const)('one plain line: %s', (reason, line) => {
    const { countdown, take, isTicking } = setUp({ isTTY: false });
    countdown.onEvent(wait(12_000, reason));
    countdown.onEvent(request);
    expect(take()).toBe(line);
    expect(isTicking()).toBe(false);
  });

  test.each([
    ['--quiet', { quiet: true }, wait(12_000)],
    ['a wait that nobody could read', {}, wait(999)],
    ['a wait of unknown length', {}, { type: 'wait', call: 1, attempt: 1, reason: 'paced' } as const],
  ])('nothing: %s', (_, options, event) => {
    for (const isTTY of [true, false]) {
      const { countdown, take } = setUp({ isTTY, ...options });
      countdown.onEvent(event);
      expect(take()).toBe('');
    }
  });
});
