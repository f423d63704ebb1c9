import { describe, expect, test } from 'vitest';
import type { ClientEvent, WaitReason } from '../../../src/client/internal.js';
import { CLEAR, statusScreen } from '../../support/status-screen.js';

const now = new Date(2026, 0, 2, 14, 4, 58).getTime();
const call = { call: 1, attempt: 1 };
const rateLimit: ClientEvent = {
  type: 'rate-limit',
  call: 1,
  rateLimit: { limit: 60, remaining: 0, resetAt: new Date(0), window: 'minute' },
};
const wait = (delayMs?: number, reason: WaitReason = 'rate-limited'): ClientEvent => ({
  type: 'wait',
  ...call,
  reason,
  ...(delayMs === undefined ? {} : { delayMs }),
});
const request: ClientEvent = {
  type: 'request',
  ...call,
  method: 'GET',
  url: 'https://pets.test/v1/pets',
  headers: {},
};
const response: ClientEvent = { type: 'response', ...call, status: 503, headers: {}, bytes: 0, elapsedMs: 1 };
const failure: ClientEvent = { type: 'failure', ...call, message: 'reset', elapsedMs: 1 };

describe('a wait', () => {
  test('is shown after half a second, moves, and is removed at its end', async () => {
    const { status, take, clock } = statusScreen();
    const end = status.startWait('a');
    await clock.advance(499);
    expect(take()).toEqual([]);
    await clock.advance(1);
    expect(take()).toEqual([`${CLEAR}- a`]);
    await clock.advance(100);
    expect(take()).toEqual([`${CLEAR}\\ a`]);
    end();
    expect(take()).toEqual([CLEAR]);
    expect(clock.pending).toBe(0);
  });

  test('that is short leaves no timer, and the next one starts its half second anew', async () => {
    const { status, take, clock } = statusScreen();
    status.startWait('a')();
    expect(clock.pending).toBe(0);
    const end = status.startWait('b');
    await clock.advance(400);
    end();
    status.startWait('c');
    await clock.advance(499);
    expect(take()).toEqual([]);
    await clock.advance(1);
    expect(take()).toEqual([`${CLEAR}- c`]);
  });

  test('is replaced by a later one, and shown again after it', async () => {
    const { status, take, clock } = statusScreen();
    status.startWait('a');
    const end = status.startWait('b');
    await clock.advance(500);
    end();
    await clock.advance(100);
    expect(take().map((text) => text.at(-1))).toEqual(['b', 'a']);
  });

  test('is hidden for other text, and drawn again', async () => {
    const { status, take, clock } = statusScreen();
    status.startWait('a');
    status.hide();
    await clock.advance(500);
    status.hide();
    status.hide();
    expect(take()).toEqual([`${CLEAR}- a`, CLEAR]);
    await clock.advance(100);
    expect(take()).toEqual([`${CLEAR}\\ a`]);
  });

  test('shows escape sequences escaped', async () => {
    const { status, take, clock } = statusScreen({ columns: 20 });
    status.startWait('Waiting \u001b[2Ja-long-host.example');
    await clock.advance(500);
    expect(take()).toEqual([`${CLEAR}- Waiting ^[[2Ja-`]);
  });

  test('for another process is shown without an end', async () => {
    const { status, take, clock } = statusScreen();
    status.onEvent(wait(12_000));
    status.onEvent(wait());
    await clock.advance(600);
    expect(take().at(-1)).toContain('Waiting for another request with this key');
  });

  test('for a response names the host', async () => {
    const { status, take, clock } = statusScreen();
    status.onEvent(request);
    await clock.advance(500);
    expect(take()).toEqual([`${CLEAR}- Waiting for https://pets.test`]);
    status.onEvent({ type: 'call-end', call: 1 } as ClientEvent);
    expect(take()).toEqual([CLEAR]);
  });
});

describe('a countdown', () => {
  test('is rewritten each second, and removed when the next request is sent', async () => {
    const { status, take, clock } = statusScreen({ now });
    status.onEvent(rateLimit);
    status.onEvent(wait(12_000));
    const line = `${CLEAR}Rate limit reached (60/min). Retrying in 12 s, at 14:05:10. Press ^C to stop.`;
    expect(take()).toEqual([line]);
    await clock.advance(1_000);
    expect(take()).toEqual([line.replace('12 s', '11 s')]);
    status.onEvent(request);
    await clock.advance(100);
    expect(take()).toEqual([CLEAR]);
  });

  test('ends by itself when the time is over', async () => {
    const { status, take, clock } = statusScreen();
    status.onEvent(wait(1_500));
    await clock.advance(1_500);
    expect(take().at(-1)).toBe(CLEAR);
    expect(clock.pending).toBe(0);
  });

  test('is shown instead of other waits', async () => {
    const { status, take, clock } = statusScreen({ now });
    status.startWait('Checking the set-up');
    status.onEvent(wait(3_000));
    await clock.advance(2_000);
    for (const text of take()) expect(text).toContain('Retrying in');
  });

  test.each([
    ['rate-limited', [], 'Rate limit reached. Retrying in 12 s, at 14:05:10.\n'],
    ['paced', [], 'Rate limit used up. Sending in 12 s, at 14:05:10.\n'],
    ['backoff', [], 'Request failed. Retrying in 12 s, at 14:05:10.\n'],
    ['backoff', [response], 'Request failed (503). Retrying in 12 s, at 14:05:10.\n'],
    ['backoff', [response, failure], 'Request failed (reset). Retrying in 12 s, at 14:05:10.\n'],
  ] as const)('is one plain line in a pipe, for waits with the same end: %s %#', (reason, events, line) => {
    const { status, take, clock } = statusScreen({ now, isTTY: false });
    events.forEach(status.onEvent);
    status.onEvent(wait(12_000, reason));
    status.onEvent(wait(12_000, reason));
    status.onEvent(request);
    expect({ written: take(), pending: clock.pending }).toEqual({ written: [line], pending: 0 });
    status.mute();
    status.onEvent(wait(60_000));
    expect(take()).toEqual([]);
  });

  test.each([[wait(999)], [wait()]])('is not shown for a short wait, or one without an end', (event) => {
    for (const isTTY of [true, false]) {
      const { status, take } = statusScreen({ isTTY });
      status.onEvent(event);
      expect(take()).toEqual([]);
    }
  });
});

describe('progress', () => {
  test('is updated at most ten times a second, always with the last text', async () => {
    const { status, clock, take } = statusScreen();
    for (let step = 0; step <= 1_000; step += 10) {
      status.show(() => String(step));
      await clock.advance(10);
    }
    await clock.advance(90);
    const drawn = take();
    expect(drawn[0]).toBe(`${CLEAR}0`);
    expect(drawn.at(-1)).toBe(`${CLEAR}1000`);
    expect(drawn.length).toBeLessThanOrEqual(12);
    expect(drawn.length).toBeGreaterThan(9);
  });

  test('is updated each second, and written only if it changed', async () => {
    const { status, clock, take } = statusScreen();
    const until = clock.now() + 2_500;
    status.show(() => String(Math.max(500, until - clock.now())));
    await clock.advance(9_000);
    expect(take()).toEqual([`${CLEAR}2500`, `${CLEAR}1500`, `${CLEAR}500`]);
  });

  test('leaves room for an echoed ^C, also after a resize', async () => {
    const { status, clock, stderr } = statusScreen();
    const widths: number[] = [];
    status.show((columns) => String(widths.push(columns)));
    stderr.columns = 40;
    await clock.advance(1_000);
    stderr.columns = undefined;
    await clock.advance(1_000);
    expect(widths).toEqual([117, 37, 77]);
  });

  test('replaces the waits until it is cleared', async () => {
    const { status, clock, take } = statusScreen();
    status.startWait('a');
    await clock.advance(500);
    status.show(() => 'line');
    status.onEvent(wait(5_000));
    await clock.advance(2_000);
    expect(take()).toEqual([`${CLEAR}- a`, `${CLEAR}line`]);
    expect(status.waitUntil).toBe(clock.now() + 3_000);
    status.clear();
    status.clear();
    expect({ written: take(), pending: clock.pending }).toEqual({ written: [CLEAR], pending: 0 });
  });
});

test.each([
  ['in a pipe', { isTTY: false }],
  ['with --quiet', { quiet: true }],
  ['with CI', { env: { CI: 'true' } }],
  ['on a dumb terminal', { env: { TERM: 'dumb' } }],
  ['with annotations', { env: { PETSTORE_ANNOTATIONS: 'github' } }],
])('draws nothing %s', async (_, given) => {
  const { status, clock, take } = statusScreen(given);
  status.show(() => 'line');
  status.startWait('a');
  status.onEvent(request);
  await clock.advance(20_000);
  status.onEvent(wait(12_000));
  status.hide();
  status.clear();
  expect(take().join('')).not.toContain(CLEAR);
  expect(clock.pending).toBe(0);
});

test('a notice is a plain, wrapped line where no line can be drawn, except with --quiet', async () => {
  for (const [given, written] of [
    [{ env: { TERM: 'dumb' }, columns: 10 }, ['a long\n  line\n']],
    [{ quiet: true }, []],
  ] as const) {
    const { status, clock, take } = statusScreen(given);
    status.startWait('short', true)();
    status.startWait('a long line', true);
    await clock.advance(500);
    expect(take()).toEqual(written);
  }
});
