import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../src/security/redact-secret.js';
import type { Operation } from '../../../src/client/response/classify-response.js';
import type { CallState } from '../../../src/client/call/call-state.js';
import type { ClientEvent } from '../../../src/client/contract/options.js';
import { sendRequest } from '../../../src/client/call/request.js';
import { DEFAULT_SETTINGS } from '../../../src/client/call/settings.js';
import type { TransportRequest, TransportResponse } from '../../../src/client/transport/transport.js';
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
