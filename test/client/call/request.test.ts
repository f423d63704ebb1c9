import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../src/security/redact-secret.js';
import type { Operation } from '../../../src/client/response/classify-response.js';
import type { CallState } from '../../../src/client/call/call-state.js';
import type { ClientEvent } from '../../../src/client/contract/options.js';
import { awaitResponse, sendRequest } from '../../../src/client/call/request.js';
import { DEFAULT_SETTINGS } from '../../../src/client/call/settings.js';
import type {
  Exchange,
  TransportRequest,
  TransportResponse,
} from '../../../src/client/transport/transport.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';

const RESPONSE: TransportResponse = {
  status: 200,
  headers: { date: 'now', 'set-cookie': 'a=b' },
  body: Buffer.from('[]'),
  end: 'complete',
};
const list: Operation<unknown> = {
  name: 'listPets',
  method: 'GET',
  path: '/v1/pets',
  validate: (data) => ({ data }),
  explain: () => Promise.resolve(''),
};

/** Sends one request over a transport that responds or fails after 120 ms. */
async function send(
  operation: Operation<unknown>,
  { failure, hasListener = true }: { failure?: Error; hasListener?: boolean } = {},
): Promise<{ sent: TransportRequest[]; events: ClientEvent[]; clock: VirtualClock; kind: string }> {
  const clock = createVirtualClock();
  const sent: TransportRequest[] = [];
  const events: ClientEvent[] = [];
  const client = {
    clock,
    base: { origin: 'https://api.test', prefix: '/v1' },
    emit: hasListener ? (event: ClientEvent) => events.push(event) : undefined,
    transport: {
      send(request: TransportRequest) {
        sent.push(request);
        const response = new Promise<TransportResponse>((resolve, reject) => {
          clock.setTimeout(() => {
            if (failure === undefined) resolve(RESPONSE);
            else reject(failure);
          }, 120);
        });
        return { response, sent: true, abort: () => undefined };
      },
      close: () => Promise.resolve(),
    },
  };
  const call = {
    client,
    operation,
    path: '/v1/pets?limit=1',
    settings: { ...DEFAULT_SETTINGS, bodyMaxBytes: 77 },
    deadline: { signal: undefined },
    id: 3,
    attempts: [{ number: 1, startedAt: new Date(0), waitedMs: 0 }],
    apiKey: 'k3y',
    redactor: createRedactor('k3y'),
    // sendRequest reads no other fields.
  } as unknown as CallState<unknown>;
  const result = sendRequest(call);
  await clock.advance(120);
  return { sent, events, clock, kind: (await result).kind };
}

describe('sendRequest', () => {
  test('sends the path, the key and the maximum body size', async () => {
    const { sent } = await send(list);
    expect(sent).toEqual([
      {
        method: 'GET',
        origin: 'https://api.test',
        path: '/v1/pets?limit=1',
        headers: {
          accept: 'application/json',
          'accept-encoding': 'gzip, deflate, br',
          authorization: 'Bearer k3y',
          'user-agent': expect.stringMatching(/^petstore\//) as string,
        },
        bodyMaxBytes: 77,
      },
    ]);
  });

  test('sends a body as JSON', async () => {
    const { sent } = await send({ ...list, method: 'POST', body: '{"a":1}' });
    expect(sent[0]).toMatchObject({ body: '{"a":1}', headers: { 'content-type': 'application/json' } });
  });

  test('emits the request and its response, without the key', async () => {
    const { events } = await send(list);
    expect(events).toEqual([
      {
        type: 'request',
        call: 3,
        attempt: 2,
        method: 'GET',
        url: 'https://api.test/v1/pets?limit=1',
        headers: expect.objectContaining({ authorization: '[redacted]' }) as object,
      },
      {
        type: 'response',
        call: 3,
        attempt: 2,
        status: 200,
        headers: { date: 'now', 'set-cookie': '[redacted]' },
        bytes: 2,
        elapsedMs: 120,
      },
    ]);
  });

  test('emits a failure, without the key', async () => {
    const { events, kind } = await send(list, { failure: new Error('no k3y') });
    expect(kind).toBe('failed');
    expect(events[1]).toEqual({
      type: 'failure',
      call: 3,
      attempt: 2,
      message: 'connection: no [redacted]',
      elapsedMs: 120,
    });
  });

  test('works without a listener and leaves no timer', async () => {
    const { kind, clock } = await send(list, { hasListener: false });
    expect([kind, clock.pending]).toEqual(['response', 0]);
  });
});

/** An exchange that counts its aborts. */
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

describe('awaitResponse', () => {
  test('resolves with the response and leaves no timer and no listener', async () => {
    const clock = createVirtualClock();
    const { signal } = new AbortController();
    const result = await awaitResponse(exchangeOf(Promise.resolve(RESPONSE)), clock, 1_000, signal);
    expect(result).toEqual({ kind: 'response', response: RESPONSE });
    expect([clock.pending, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });

  test.each([true, false])('resolves with the failure of its exchange (sent: %s)', async (sent) => {
    const cause = new Error('broken');
    const clock = createVirtualClock();
    const result = await awaitResponse(exchangeOf(Promise.reject(cause), sent), clock, 1_000, undefined);
    expect(result).toEqual({ kind: 'failed', reason: 'connection', sent, cause });
    expect(clock.pending).toBe(0);
  });

  test('aborts the exchange at the time-out', async () => {
    const clock = createVirtualClock();
    const exchange = exchangeOf(never());
    const result = awaitResponse(exchange, clock, 1_000, undefined);
    await clock.advance(1_000);
    expect(await result).toEqual({ kind: 'failed', reason: 'timeout', sent: true, cause: undefined });
    expect(exchange.aborts).toBe(1);
  });

  test.each(['before', 'during'])('aborts the exchange if the signal aborts %s it', async (when) => {
    const clock = createVirtualClock();
    const exchange = exchangeOf(never());
    const controller = new AbortController();
    if (when === 'before') controller.abort('enough');
    const result = awaitResponse(exchange, clock, 1_000, controller.signal);
    controller.abort('enough');
    expect(await result).toEqual({ kind: 'failed', reason: 'aborted', sent: true, cause: 'enough' });
    expect([exchange.aborts, clock.pending]).toEqual([1, 0]);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('ignores a failure after the time-out', async () => {
    const clock = createVirtualClock();
    let fail: (error: Error) => void = () => undefined;
    const exchange = exchangeOf(new Promise((_, reject) => (fail = reject)));
    const result = awaitResponse(exchange, clock, 1_000, undefined);
    await clock.advance(1_000);
    fail(new Error('late'));
    expect(await result).toMatchObject({ reason: 'timeout' });
  });
});
