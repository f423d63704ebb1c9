import { describe, expect, test } from 'vitest';
import type { GateStore } from '../../../src/client/gate/gate-store.js';
import { fetchTransport } from '../../../src/client/transport/fetch.js';
import { ConfigurationError } from '../../../src/errors.js';
import { rateLimitHeaders } from '../../support/rate-limit-headers.js';
import { REX } from '../../support/rex.js';
import { json, startScriptedServer } from '../../support/scripted-server.js';
import { openScripted, openStore, rejection } from '../../support/stores.js';
import { createTestStorage } from '../../support/test-storage.js';
import { createVirtualClock, settle, until } from '../../support/virtual-clock.js';

/** A server that responds when it is released. */
async function slowServer(): Promise<{ baseUrl: string; seen: () => number; release: () => void }> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const server = await startScriptedServer(async (socket, request) => {
    await released;
    await json([REX])(socket, request);
  });
  return { baseUrl: server.baseUrl, seen: () => server.requests.length, release };
}

describe('close()', () => {
  test('waits for requests in flight', async () => {
    const { baseUrl, seen, release } = await slowServer();
    const { store } = openStore(baseUrl);
    const call = store.pets.list();
    await until(() => seen() === 1);
    let isClosed = false;
    const closed = store.close().then(() => (isClosed = true));
    await settle();
    expect(isClosed).toBe(false);
    release();
    expect(await call).toHaveLength(1);
    await closed;
  });

  test('waits for retries, and for every request of listAll', async () => {
    const { server, store, clock, events } = await openScripted([
      json({}, 503),
      json(Array.from({ length: 100 }, (_, index) => ({ ...REX, id: index + 1 }))),
      json([]),
    ]);
    const call = store.pets.listAll();
    const closed = store.close();
    await until(() => events.some(({ type }) => type === 'wait'));
    await clock.advance(10_000);
    expect(await call).toMatchObject({ complete: false });
    await closed;
    expect(server.requests).toHaveLength(5);
  });

  test('rejects new calls at once', async () => {
    const { baseUrl, release } = await slowServer();
    const { store } = openStore(baseUrl);
    const call = store.pets.list();
    const closed = store.close();
    const calls = [
      store.pets.list(),
      store.pets.listAll(),
      store.pets.create({ name: 'Rex', categoryId: 1 }),
      store.pets.get(1),
      store.pets.find(1),
      store.request('GET', '/pets'),
      store.budget(),
      store.with({ timeoutMs: 5 }).pets.list(),
    ];
    for (const each of calls) {
      const error = await rejection(each);
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error).toMatchObject({
        message: 'The client is closed',
        outcome: 'not-sent',
        hint: expect.stringContaining('createPetStore()') as string,
      });
    }
    release();
    await Promise.all([call, closed]);
  });

  test('reports the last response to the gate, and closes the store of the gate and the transport', async () => {
    const clock = createVirtualClock();
    const storage = createTestStorage(clock);
    const closed: string[] = [];
    const gate: GateStore = {
      id: 'own',
      open: () => storage.open('me'),
      close: () => Promise.resolve(void closed.push('gate')),
    };
    const headers = rateLimitHeaders({ remaining: 5, resetInSeconds: 60 });
    const transport = {
      ...fetchTransport(() => Promise.resolve(new Response('[]', { headers }))),
      close: () => Promise.resolve(void closed.push('transport')),
    };
    const { store } = openStore('https://api.test/v1', { clock, gate, transport });
    await store.pets.list();
    await store.close();
    expect(closed).toEqual(['gate', 'transport']);
    expect(storage.text).toContain('"remaining":5');
  });

  test('can be called again, and is called by `await using`', async () => {
    const { store } = openStore('https://api.test/v1');
    const closed = store.close();
    expect(store.close()).toBe(closed);
    expect(store[Symbol.asyncDispose]()).toBe(closed);
    await closed;
  });

  test('also waits after calls that failed', async () => {
    const { store } = openStore('https://api.test/v1');
    await rejection(store.pets.list({ limit: 0 }));
    await rejection(store.pets.find('x'));
    await rejection(store.request(undefined as never, undefined as never));
    await store.close();
  });
});
