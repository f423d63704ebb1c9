import { describe, expect, test } from 'vitest';
import { InvalidResponseError, UnknownOutcomeError } from '../../../src/errors.js';
import { fetchTransport } from '../../../src/client/transport/fetch.js';
import { NEW_PET, REX } from '../../support/rex.js';
import { json, startScriptedServer } from '../../support/scripted-server.js';
import { KEY, openScripted, openStore, rejection, TRANSPORTS } from '../../support/stores.js';

describe.each(TRANSPORTS)('with the transport %s', (_, makeTransport) => {
  test.each([
    [307, { type: 'invalid-response', outcome: 'refused' }],
    [308, { type: 'invalid-response', outcome: 'refused' }],
    [302, { type: 'unknown-outcome', outcome: 'unknown' }],
    [301, { type: 'unknown-outcome', outcome: 'unknown' }],
  ])('sends nothing to another origin after a %i to a POST', async (status, expected) => {
    const other = await startScriptedServer(json(REX, 201));
    const { server, store } = await openScripted(
      [json({}, status, { location: `${other.origin}/v1/pets` })],
      { transport: makeTransport() },
    );
    const error = await rejection(store.pets.create(NEW_PET));
    expect(error).toMatchObject({ response: { status }, ...expected });
    expect([server.requests.length, other.connections]).toEqual([1, 0]);
  });

  test('sends nothing to another origin after a redirect of a GET', async () => {
    const other = await startScriptedServer(json([]));
    const { server, store } = await openScripted([json({}, 307, { location: `${other.origin}/v1/pets` })], {
      transport: makeTransport(),
    });
    expect(await rejection(store.pets.list())).toMatchObject({
      type: 'invalid-response',
      response: { status: 307 },
    });
    expect([server.requests.length, other.connections]).toEqual([1, 0]);
  });

  test('follows a redirect of a GET within the origin, which does not count as an attempt', async () => {
    const { server, store } = await openScripted(
      [json({}, 308, { location: '/v2/pets?limit=1' }), json([REX])],
      { transport: makeTransport() },
    );
    expect(await store.pets.list({}, { retry: { attemptsMax: 1 } })).toHaveLength(1);
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/pets', '/v2/pets?limit=1']);
    expect(server.requests[1]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });
});

describe('a GET', () => {
  test('follows at most five redirects', async () => {
    const { server, store } = await openScripted([json({}, 302, { location: '/v1/pets' })]);
    expect(await rejection(store.pets.list())).toMatchObject({
      message: 'The service redirects too many times',
    });
    expect(server.requests).toHaveLength(6);
  });

  const INVALID = 'The service redirects without a valid Location header';
  const foreign = (origin: string) =>
    `The service redirects to ${origin}, but the API key is only sent to the base URL`;
  const notHttp = (scheme: string) => `The service redirects to a URL that is not http or https (${scheme})`;
  test.each([
    [undefined, INVALID],
    ['http://[', INVALID],
    ['//evil.test/v1/pets?secret', foreign('http://evil.test')],
    ['https://127.0.0.1/', foreign('https://127.0.0.1')],
    ['data:,x', notHttp('data:')],
    ['javascript:1', notHttp('javascript:')],
    [`${'x'.repeat(99)}:1`, notHttp(`${'x'.repeat(40)}…`)],
    ['ftp://127.0.0.1/v1/pets', notHttp('ftp:')],
    ['blob:ORIGIN/v1/pets', notHttp('blob:')],
  ])('is not redirected to %s', async (location, message) => {
    const server = await startScriptedServer((socket, request) => {
      const origin = `http://${request.headers.host!}`;
      const headers = location === undefined ? {} : { location: location.replace('ORIGIN', origin) };
      return json({}, 302, headers)(socket, request);
    });
    const error = await rejection(openStore(server.baseUrl).store.pets.list());
    expect(error).toMatchObject({ type: 'invalid-response', message, response: { status: 302 } });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a POST', () => {
  const inMemory = (status: number, headers: Record<string, string>) => ({
    transport: fetchTransport(() =>
      // The constructor of Response takes no status below 200. A browser's Response has status 0 after a redirect.
      Promise.resolve(Object.defineProperty(new Response(null, { headers }), 'status', { value: status })),
    ),
  });

  test.each([
    ...[300, 301, 302, 303, 305, 306, 399].map((status) => [status, { location: '/v1/pets/1' }] as const),
    ...[302, 304, 0, 101, 199, 204, 205, 500, 600, 408].map((status) => [status, {}] as const),
  ])('may have been carried out after status %i with %j', async (status, headers) => {
    const { store } = openStore('http://127.0.0.1:1/v1', inMemory(status, headers));
    const error = await rejection(store.pets.create(NEW_PET));
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({
      response: { status },
      request: { method: 'POST' },
      cause: { response: { status }, outcome: 'unknown', retryable: false },
    });
    expect((error as Error).message).toMatch(/; the pet may or may not have been created$/);
  });

  test.each([307, 308])('was not carried out after a %i, which asks for it elsewhere', async (status) => {
    for (const headers of [{}, { location: '/v1/other' }]) {
      const { store } = openStore('http://127.0.0.1:1/v1', inMemory(status, headers));
      const error = await rejection(store.pets.create(NEW_PET));
      expect(error).toBeInstanceOf(InvalidResponseError);
      expect(error).toMatchObject({ response: { status }, outcome: 'refused' });
      if ('location' in headers)
        expect(error).toMatchObject({ message: 'The service redirects a write, which is never sent twice' });
    }
  });

  test('of store.request may have been carried out after a 302', async () => {
    const { store } = openStore('http://127.0.0.1:1/v1', inMemory(302, { location: '/' }));
    const call = store.request('PUT', '/pets/1', { body: {} });
    expect(await rejection(call)).toMatchObject({
      type: 'unknown-outcome',
      response: { status: 302 },
    });
  });
});
