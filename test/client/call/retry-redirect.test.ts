import { describe, expect, test } from 'vitest';
import { InvalidResponseError } from '../../../src/errors.js';
import { NEW_PET, REX } from '../../support/rex.js';
import { json, startScriptedServer } from '../../support/scripted-server.js';
import { KEY, openStore, rejection, TRANSPORTS } from '../../support/stores.js';

describe.each(TRANSPORTS)('with the transport %s', (_, makeTransport) => {
  test.each([307, 308, 302, 301])('sends nothing to another origin after a %i to a POST', async (status) => {
    const other = await startScriptedServer(json(REX, 201));
    const server = await startScriptedServer(json({}, status, { location: `${other.origin}/v1/pets` }));
    const { store } = openStore(server.baseUrl, { transport: makeTransport() });
    const error = await rejection(store.pets.create(NEW_PET));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ status, outcome: 'refused' });
    expect([server.requests.length, other.connections]).toEqual([1, 0]);
  });

  test('sends nothing to another origin after a redirect of a GET', async () => {
    const other = await startScriptedServer(json([]));
    const server = await startScriptedServer(json({}, 307, { location: `${other.origin}/v1/pets` }));
    const { store } = openStore(server.baseUrl, { transport: makeTransport() });
    expect(await rejection(store.pets.list())).toMatchObject({ type: 'invalid-response', status: 307 });
    expect([server.requests.length, other.connections]).toEqual([1, 0]);
  });

  test('follows a redirect of a GET within the origin, which does not count as an attempt', async () => {
    const server = await startScriptedServer(json({}, 308, { location: '/v2/pets?limit=1' }), json([REX]));
    const { store } = openStore(server.baseUrl, { transport: makeTransport() });
    expect(await store.pets.list({}, { retry: { attemptsMax: 1 } })).toHaveLength(1);
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/pets', '/v2/pets?limit=1']);
    expect(server.requests[1]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });
});

describe('a GET', () => {
  test('follows at most five redirects', async () => {
    const server = await startScriptedServer(json({}, 302, { location: '/v1/pets' }));
    const { store } = openStore(server.baseUrl);
    expect(await rejection(store.pets.list())).toBeInstanceOf(InvalidResponseError);
    expect(server.requests).toHaveLength(6);
  });

  test.each([undefined, 'http://[', '//evil.test/v1/pets', 'https://127.0.0.1/', 'data:,x'])(
    'is not redirected to %s',
    async (location) => {
      const server = await startScriptedServer(json({}, 302, location === undefined ? {} : { location }));
      const { store } = openStore(server.baseUrl);
      expect(await rejection(store.pets.list())).toMatchObject({ type: 'invalid-response', status: 302 });
      expect(server.requests).toHaveLength(1);
    },
  );
});
