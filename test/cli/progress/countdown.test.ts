import { describe, expect, test } from 'vitest';
import type { ClientEvent } from '../../../src/client/index.js';
import { createCountdown } from '../../../src/cli/progress/countdown.js';

const NOW = new Date(2026, 0, 2, 14, 4, 58).getTime();
const limit: ClientEvent = {
  type: 'rate-limit',
  call: 1,
  rateLimit: { limit: 60, remaining: 0, resetAt: new Date(0), window: 'minute' },
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
  test('rewrites one line each second and clears it when the next request is sent', () => {
    const { countdown, tick, take, isTicking } = setUp();
    countdown.onEvent(limit);
    countdown.onEvent(wait(12_000));
    expect(take()).toBe(
      '\r\u001b[KRate limit reached (60/min). Retrying in 12 s, at 14:05:10. Press ^C to stop.',
    );
    tick();
    expect(take()).toBe(
      '\r\u001b[KRate limit reached (60/min). Retrying in 11 s, at 14:05:10. Press ^C to stop.',
    );
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

  test('hide removes the line until the next second', () => {
    const { countdown, tick, take } = setUp();
    countdown.onEvent(wait(12_000));
    take();
    countdown.hide();
    countdown.hide();
    expect(take()).toBe('\r\u001b[K');
    tick();
    expect(take()).toContain('Retrying in 11 s');
  });

  test('clear removes the line once', () => {
    const { countdown, take } = setUp();
    countdown.onEvent(wait(12_000));
    take();
    countdown.clear();
    countdown.clear();
    expect(take()).toBe('\r\u001b[K');
  });
});

describe('on other streams', () => {
  test.each([
    ['rate-limited', 'Rate limit reached. Retrying in 12 s, at 14:05:10.\n'],
    ['paced', 'Rate limit used up. Sending in 12 s, at 14:05:10.\n'],
    ['backoff', 'Request failed. Retrying in 12 s, at 14:05:10.\n'],
  ] as const)('writes one plain line: %s', (reason, line) => {
    const { countdown, take, isTicking } = setUp({ isTTY: false });
    countdown.onEvent(wait(12_000, reason));
    countdown.onEvent(request);
    expect(take()).toBe(line);
    expect(isTicking()).toBe(false);
  });

  test('names the status of a failed request, until a request fails without a response', () => {
    const { countdown, take } = setUp({ isTTY: false });
    const response = {
      type: 'response',
      call: 1,
      attempt: 1,
      status: 503,
      headers: {},
      bytes: 0,
      elapsedMs: 1,
    };
    countdown.onEvent(response as ClientEvent);
    countdown.onEvent(wait(2_000, 'backoff'));
    expect(take()).toBe('Request failed (503). Retrying in 2 s, at 14:05:00.\n');
    countdown.onEvent({ type: 'failure', call: 1, attempt: 2, message: 'reset', elapsedMs: 1 });
    countdown.onEvent(wait(2_000, 'backoff'));
    expect(take()).toBe('Request failed. Retrying in 2 s, at 14:05:00.\n');
  });

  test.each([
    ['--quiet', { quiet: true }, wait(12_000)],
    ['a wait that is too short to read', {}, wait(999)],
    ['a wait of unknown length', {}, { type: 'wait', call: 1, attempt: 1, reason: 'paced' } as const],
  ])('writes nothing: %s', (_, options, event) => {
    for (const isTTY of [true, false]) {
      const { countdown, take } = setUp({ isTTY, ...options });
      countdown.onEvent(event);
      expect(take()).toBe('');
    }
  });
});
