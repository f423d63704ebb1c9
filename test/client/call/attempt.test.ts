import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { awaitAttempt } from '../../../src/client/call/attempt.js';
import type { Exchange, TransportResponse } from '../../../src/client/transport/transport.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const RESPONSE: TransportResponse = { status: 200, headers: {}, body: new Uint8Array(), end: 'complete' };

/** An exchange that counts its aborts; a request of which a byte has left, unless told otherwise. */
function exchangeOf(response: Promise<TransportResponse>, sent = true): Exchange & { aborts: number } {
  return {
    response: response,
    sent,
    aborts: 0,
    abort() {
      this.aborts += 1;
    },
  };
}
const never = (): Promise<TransportResponse> => new Promise(() => undefined);

describe('an attempt', () => {
  test('ends with its response, and leaves nothing behind', async () => {
    const clock = createVirtualClock();
    const { signal } = new AbortController();
    const result = await awaitAttempt(exchangeOf(Promise.resolve(RESPONSE)), clock, 1_000, signal);
    expect(result).toEqual({ kind: 'response', response: RESPONSE });
    expect([clock.pending, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });

  test.each([true, false])('ends with the failure of its exchange (sent: %s)', async (sent) => {
    const cause = new Error('broken');
    const clock = createVirtualClock();
    const result = await awaitAttempt(exchangeOf(Promise.reject(cause), sent), clock, 1_000, undefined);
    expect(result).toEqual({ kind: 'failed', reason: 'connection', sent, cause });
    expect(clock.pending).toBe(0);
  });

  test('ends at its time limit, and ends its exchange', async () => {
    const clock = createVirtualClock();
    const exchange = exchangeOf(never());
    const ended = awaitAttempt(exchange, clock, 1_000, undefined);
    await clock.advance(1_000);
    expect(await ended).toEqual({ kind: 'failed', reason: 'timeout', sent: true, cause: undefined });
    expect(exchange.aborts).toBe(1);
  });

  test.each(['before', 'during'])('ends by the signal that is aborted %s it', async (when) => {
    const clock = createVirtualClock();
    const exchange = exchangeOf(never());
    const controller = new AbortController();
    if (when === 'before') controller.abort('enough');
    const ended = awaitAttempt(exchange, clock, 1_000, controller.signal);
    controller.abort('enough');
    expect(await ended).toEqual({ kind: 'failed', reason: 'aborted', sent: true, cause: 'enough' });
    expect([exchange.aborts, clock.pending]).toEqual([1, 0]);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('does not mind what its exchange says after the end', async () => {
    const clock = createVirtualClock();
    let fail: (error: Error) => void = () => undefined;
    const exchange = exchangeOf(new Promise((_, reject) => (fail = reject)));
    const ended = awaitAttempt(exchange, clock, 1_000, undefined);
    await clock.advance(1_000);
    fail(new Error('late'));
    expect(await ended).toMatchObject({ reason: 'timeout' });
  });
});
