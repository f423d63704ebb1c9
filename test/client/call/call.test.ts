import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  InvalidResponseError,
  type PetStoreError,
  ServerError,
  UnknownOutcomeError,
} from '../../../src/errors.js';
import { closedPort } from '../../support/loopback-port.js';
import { NEW_PET, REX } from '../../support/rex.js';
import {
  type Responder,
  bytes,
  head,
  json,
  rawThenEnd,
  rawThenSilence,
  reset,
  startScriptedServer,
} from '../../support/scripted-server.js';
import { nthWait, openScripted, openStore, rejection, TRANSPORTS } from '../../support/stores.js';
import { NOON, until } from '../../support/virtual-clock.js';

describe.each(TRANSPORTS)('with the transport %s', (_, makeTransport) => {
  const MALFORMED: [string, string, string][] = [
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.2 {key}\r\n', 'Invalid response: not HTTP'],
    [
      'has an invalid header',
      'HTTP/1.1 200 OK\r\nx y: {key}\r\n\r\n',
      'Invalid response: not valid HTTP (Invalid header token)',
    ],
    [
      'has endless headers',
      `HTTP/1.1 200 OK\r\nx: ${'{key}'.repeat(5_000)}`,
      'Invalid response: more than 16 KiB of headers',
    ],
  ];
  test.each(MALFORMED)('rejects at once if the response %s', async (__, text, message) => {
    const server = await startScriptedServer((socket, { headers }) => {
      socket.end(text.replaceAll('{key}', headers.authorization?.replace('Bearer ', '') ?? ''));
    });
    const { store, clock, events } = openStore(server.baseUrl, { transport: makeTransport() });
    const error = await rejection(store.pets.list());
    expect(error).toBeInstanceOf(InvalidResponseError);
    const isHttp = !message.endsWith('not HTTP');
    expect(error).toMatchObject({ message, isHttp, retryable: false, outcome: 'unknown' });
    expect(error).not.toHaveProperty('response');
    expect((error as PetStoreError).attempts).toMatchObject([{ number: 1, failure: 'invalid-response' }]);
    expect(inspect([error, events], { depth: 20, showHidden: true })).not.toContain('SSH');

    const unknown = await rejection(store.pets.create(NEW_PET));
    expect(unknown).toBeInstanceOf(UnknownOutcomeError);
    expect(unknown).toMatchObject({ cause: { type: 'invalid-response', message } });
    expect(unknown).not.toHaveProperty('response');
    expect(server.requests).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  test('retries a POST if the connection was refused', async () => {
    const port = await closedPort();
    const { store, clock, events } = openStore(`http://127.0.0.1:${String(port)}/v1`, {
      transport: makeTransport(),
    });
    const failed = rejection(store.pets.create(NEW_PET, { retry: { attemptsMax: 3 } }));
    for (const count of [1, 2]) {
      const delayMs = await nthWait(events, count);
      await clock.advance(delayMs ?? 0);
    }
    const error = (await failed) as ConnectionError;
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', outcome: 'not-sent', retryable: true });
    expect(error.attempts.map(({ number, waitedMs, failure }) => [number, waitedMs, failure])).toEqual([
      [1, 0, 'connection'],
      [2, 250, 'connection'],
      [3, 500, 'connection'],
    ]);
  });

  test('applies timeoutMs to a body that stalls', async () => {
    const { server, store, clock, events } = await openScripted(
      [rawThenSilence(`${head(200, { 'content-length': '50' })}[`)],
      { transport: makeTransport() },
    );
    const failed = rejection(store.pets.list({}, { timeoutMs: 800, retry: { attemptsMax: 2 } }));
    await until(() => server.requests.length === 1);
    await clock.advance(800);
    await clock.advance((await nthWait(events, 1)) ?? 0);
    await until(() => server.requests.length === 2);
    await clock.advance(800);
    expect(await failed).toMatchObject({ type: 'timeout', limit: 'attempt', outcome: 'unknown' });
    await until(() => server.closed > 1);
    expect(clock.pending).toBe(0);
  });

  test('leaves no listener and no timer after 50 calls with one signal', async () => {
    const { store, clock } = await openScripted([json([])], { transport: makeTransport() });
    const { signal } = new AbortController();
    for (let count = 0; count < 50; count += 1) {
      await store.pets.list({}, count % 2 === 0 ? { signal } : { signal, deadlineMs: 5_000 });
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(clock.pending).toBe(0);
  });
});

describe('a GET', () => {
  test.each([408, 500, 502, 503, 504])('is retried after %i', async (status) => {
    const { server, store, clock, events } = await openScripted([json({}, status), json([REX])]);
    const listed = store.pets.list();
    expect(await nthWait(events, 1)).toBe(250);
    await clock.advance(249);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    expect(await listed).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 409, 418, 422, 501, 505, 599])('is not retried after %i', async (status) => {
    const { server, store, clock } = await openScripted([
      json({ code: 'x', message: 'No.', status }, status),
    ]);
    const error = (await rejection(store.pets.list())) as PetStoreError;
    expect(error).toMatchObject({ status, code: 'x', message: 'No.', retryable: false });
    expect(server.requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test.each<[string, Responder]>([
    ['the connection breaks', reset],
    ['the body is truncated', rawThenEnd(`${head(200, { 'content-length': '50' })}[`)],
  ])('is retried if %s', async (_, respond) => {
    const { store, clock, events } = await openScripted([respond, json([REX])]);
    const listed = store.pets.list();
    await clock.advance((await nthWait(events, 1)) ?? 0);
    expect(await listed).toHaveLength(1);
    const once = await startScriptedServer(respond);
    const error = await rejection(openStore(once.baseUrl, { retry: { attemptsMax: 1 } }).store.pets.list());
    expect(error).toMatchObject({ retryable: true, attempts: [{ number: 1 }] });
  });

  test.each<[string, Responder]>([
    ['HTML', bytes('<html>Maintenance</html>', 200, { 'content-type': 'text/html' })],
    ['null', json('null')],
    ['an object', json('{}')],
    ['nothing', bytes('')],
    ['204', rawThenSilence(head(204))],
    ['half a document', json('[{"id":1')],
    ['a wrong shape', json([{ id: '1', name: 'Rex', categoryId: 2 }])],
    ['UTF-16', bytes(Buffer.from('\ufeff[]', 'utf16le'))],
    ['an encoding that was not accepted', bytes('[]x', 200, { 'content-encoding': 'zstd' })],
  ])('rejects at once with InvalidResponseError for %s', async (_, respond) => {
    const { server, store, clock } = await openScripted([respond]);
    const error = await rejection(store.pets.list());
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(server.requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test('accepts a byte order mark before the body', async () => {
    const server = await startScriptedServer(json('\ufeff[]'));
    expect(await openStore(server.baseUrl).store.pets.list()).toEqual([]);
  });

  test('gives up after attemptsMax and lists its attempts', async () => {
    const { store, clock, events } = await openScripted([json({}, 503)]);
    const failed = rejection(store.pets.list());
    for (const [index, delayMs] of [250, 500, 1_000].entries()) {
      expect(await nthWait(events, index + 1)).toBe(delayMs);
      await clock.advance(delayMs);
    }
    const error = (await failed) as ServerError;
    expect(error).toBeInstanceOf(ServerError);
    expect(
      error.attempts.map(({ startedAt, waitedMs, status }) => [startedAt.getTime() - NOON, waitedMs, status]),
    ).toEqual([
      [0, 0, 503],
      [250, 250, 503],
      [750, 500, 503],
      [1_750, 1_000, 503],
    ]);
  });

  test('does not wait for a Retry-After of a 503 above waitMaxMs', async () => {
    const { store, clock } = await openScripted([json({}, 503, { 'retry-after': '76' })]);
    expect(await rejection(store.pets.list())).toMatchObject({ status: 503 });
    expect(clock.pending).toBe(0);
  });
});

test.each<[number, Responder, new (...rest: never[]) => Error]>([
  [400, json({ code: 'x', message: 'm', status: 400 }, 400), BadRequestError],
  [401, json({ code: 'x', message: 'm', status: 401 }, 401), AuthenticationError],
])('a POST with the response %i was not carried out', async (status, respond, kind) => {
  const server = await startScriptedServer(respond);
  const error = await rejection(openStore(server.baseUrl).store.pets.create(NEW_PET));
  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject({ status, outcome: 'refused', code: 'x', message: 'm' });
});
