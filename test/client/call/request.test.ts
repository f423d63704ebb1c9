import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/client/response/classify-response.js';
import type { ClientContext } from '../../../src/client/call/client-context.js';
import type { ClientEvent } from '../../../src/client/contract/options.js';
import { sendRequest } from '../../../src/client/call/request.js';
import { DEFAULT_SETTINGS } from '../../../src/client/call/settings.js';
import type { TransportResponse, TransportRequest } from '../../../src/client/transport/transport.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';

const RESPONSE: TransportResponse = {
  status: 200,
  headers: { date: 'now', 'set-cookie': 'a=b' },
  body: Buffer.from('[]'),
  end: 'complete',
};
const list: Operation<unknown> = {
  method: 'GET',
  path: '/v1/pets',
  read: (data) => ({ data }),
  explain: () => Promise.resolve(''),
};

/** Performs one attempt over a transport that answers after 120 ms, or fails. */
async function perform(
  operation: Operation<unknown>,
  { failure, listens = true }: { failure?: Error; listens?: boolean } = {},
): Promise<{ sent: TransportRequest[]; events: ClientEvent[]; clock: VirtualClock; kind: string }> {
  const clock = createVirtualClock();
  const sent: TransportRequest[] = [];
  const events: ClientEvent[] = [];
  const engine = {
    clock,
    base: { origin: 'https://api.test', prefix: '/v1' },
    emit: listens ? (event: ClientEvent) => events.push(event) : undefined,
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
    // An attempt needs no more of an engine than this.
  } as unknown as ClientContext;
  const performed = sendRequest(engine, {
    operation,
    path: '/v1/pets?limit=1',
    settings: { ...DEFAULT_SETTINGS, bodyMaxBytes: 77 },
    signal: undefined,
    call: 3,
    attempt: 2,
    secret: 'k3y',
  });
  await clock.advance(120);
  return { sent, events, clock, kind: (await performed).kind };
}

describe('one attempt', () => {
  test('sends the path of now, the key and the cap', async () => {
    const { sent } = await perform(list);
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
    const { sent } = await perform({ ...list, method: 'POST', body: '{"a":1}' });
    expect(sent[0]).toMatchObject({ body: '{"a":1}', headers: { 'content-type': 'application/json' } });
  });

  test('tells of the request and of its response, without the key', async () => {
    const { events } = await perform(list);
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

  test('tells of a failure, without the key', async () => {
    const { events, kind } = await perform(list, { failure: new Error('no k3y') });
    expect(kind).toBe('failed');
    expect(events[1]).toEqual({
      type: 'failure',
      call: 3,
      attempt: 2,
      message: 'connection: no [redacted]',
      elapsedMs: 120,
    });
  });

  test('needs no listener, and leaves no timer', async () => {
    const { kind, clock } = await perform(list, { listens: false });
    expect([kind, clock.pending]).toEqual(['response', 0]);
  });
});
