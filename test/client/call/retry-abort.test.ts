import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ApiKey } from '../../../src/client/contract/options.js';
import { fetchTransport } from '../../../src/client/transport/fetch.js';
import { AbortedError } from '../../../src/errors.js';
import { NEW_PET, REX } from '../../support/rex.js';
import {
  type Responder,
  head,
  json,
  limited,
  rawThenSilence,
  silence,
  startScriptedServer,
} from '../../support/scripted-server.js';
import { KEY, nthWait, openScripted, openStore, rejection } from '../../support/stores.js';
import { createVirtualClock, settle, until } from '../../support/virtual-clock.js';

describe('the signal', () => {
  const reason = new Error('enough');

  test('aborted before the call, sends nothing', async () => {
    const server = await startScriptedServer(json([]));
    let keys = 0;
    const { store } = openStore(server.baseUrl, { apiKey: () => `key-${String((keys += 1))}` });
    const error = await rejection(store.pets.list({}, { signal: AbortSignal.abort(reason) }));
    expect(keys).toBe(0);
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ cause: reason, outcome: 'not-sent', attempts: [] });
    expect(server.connections).toBe(0);
  });

  test.each<['signal' | 'waitSignal', ApiKey]>([
    ['signal', KEY],
    ['waitSignal', KEY],
    // A key function has returned the key to an earlier call.
    ['signal', () => KEY],
    ['waitSignal', () => Promise.resolve(KEY)],
  ])('aborted before the call, shows no key in the reason: %s, %o', async (name, apiKey) => {
    const { store } = await openScripted([json([])], { apiKey });
    if (typeof apiKey === 'function') await store.pets.list();
    const signal = AbortSignal.abort(new Error(`stopped ${KEY}`, { cause: { key: KEY } }));
    const error = await rejection(store.pets.list({}, { [name]: signal }));
    expect(error).toMatchObject({ type: 'aborted', cause: { message: 'stopped [redacted]' } });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(KEY);
  });

  test.each<[string, Responder]>([
    ['before the response', silence],
    ['within the body', rawThenSilence(`${head(200, { 'content-length': '50' })}[`)],
  ])('aborted %s, ends the call and its connection', async (_, respond) => {
    const { server, store, clock } = await openScripted([respond]);
    const controller = new AbortController();
    const failed = rejection(store.pets.list({}, { signal: controller.signal }));
    await until(() => server.requests.length === 1);
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', cause: reason, outcome: 'unknown' });
    await until(() => server.closed > 0);
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('aborted during a backoff, ends the call at once', async () => {
    const { server, store, clock, events } = await openScripted([json({}, 503)]);
    const controller = new AbortController();
    const failed = rejection(store.pets.list({}, { signal: controller.signal }));
    await nthWait(events, 1);
    await clock.advance(100);
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', cause: reason });
    expect([clock.monotonic(), clock.pending, server.requests.length]).toEqual([100, 0, 1]);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('aborted in the queue of the gate, removes the call from it', async () => {
    const { server, store, clock, events } = await openScripted([limited({ 'retry-after': '30' }), json([])]);
    const controller = new AbortController();
    const first = store.pets.list();
    await nthWait(events, 1);
    const failed = rejection(store.pets.create(NEW_PET, { signal: controller.signal }));
    await nthWait(events, 2);
    controller.abort(reason);
    const message = 'The call was aborted';
    expect(await failed).toMatchObject({ type: 'aborted', message, cause: reason, outcome: 'not-sent' });
    expect(await failed).not.toHaveProperty('hint');
    expect(clock.pending).toBe(1);
    await clock.advance(30_000);
    await first;
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  test('aborted by the listener of the request event, sends nothing', async () => {
    let sent = 0;
    const controller = new AbortController();
    const { store } = openStore('https://api.test/v1', {
      transport: fetchTransport(() => {
        sent += 1;
        return Promise.reject(new Error('sent'));
      }),
      onEvent: (event) => {
        if (event.type === 'request') controller.abort(reason);
      },
    });
    const error = await rejection(store.pets.create(NEW_PET, { signal: controller.signal }));
    expect(error).toMatchObject({ type: 'aborted', outcome: 'not-sent', attempts: [{ failure: 'aborted' }] });
    expect(sent).toBe(0);
  });

  test('aborted while the transport starts the request, ends the call', async () => {
    const controller = new AbortController();
    const transport = fetchTransport(() => {
      controller.abort(reason);
      return new Promise(() => undefined);
    });
    const { store, clock } = openStore('https://api.test/v1', { transport });
    const error = await rejection(store.pets.list({}, { signal: controller.signal }));
    expect(error).toMatchObject({ type: 'aborted', cause: reason, outcome: 'unknown' });
    expect(clock.pending).toBe(0);
  });

  test('aborted just as the gate opens, sends nothing, and the gate stays open for others', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '20' }), json([]));
    const controller = new AbortController();
    const time = createVirtualClock();
    const clock = {
      ...time,
      setTimeout: (callback: () => void, delayMs: number) =>
        time.setTimeout(() => {
          callback();
          if (delayMs === 20_000) controller.abort(reason);
        }, delayMs),
    };
    const { store, events } = openStore(server.baseUrl, { clock });
    const failed = rejection(store.pets.list({}, { signal: controller.signal }));
    await nthWait(events, 1);
    await time.advance(20_000);
    expect(await failed).toMatchObject({ type: 'aborted', outcome: 'refused' });
    expect(server.requests).toHaveLength(1);
    expect(await store.pets.list()).toEqual([]);
  });

  test('aborted while the key is fetched, ends the call', async () => {
    const { store } = await openScripted([json([])], { apiKey: () => new Promise(() => undefined) });
    const controller = new AbortController();
    const failed = rejection(store.pets.list({}, { signal: controller.signal }));
    await settle();
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', cause: reason, outcome: 'not-sent' });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('aborted as the key arrives, sends nothing', async () => {
    const server = await startScriptedServer(json([]));
    const controller = new AbortController();
    const { store, clock } = openStore(server.baseUrl, {
      apiKey: () => Promise.resolve(KEY),
    });
    const failed = rejection(store.pets.list({}, { signal: controller.signal }));
    for (let tick = 0; tick < 3; tick += 1) await Promise.resolve();
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', outcome: 'not-sent' });
    expect([server.requests.length, clock.pending]).toEqual([0, 0]);
  });
});

describe('waitSignal', () => {
  test('does not abort a request in flight', async () => {
    const server = await startScriptedServer(json(REX, 201));
    const controller = new AbortController();
    const { store } = openStore(server.baseUrl, {
      onEvent: ({ type }) => {
        if (type === 'request') controller.abort();
      },
    });
    expect(await store.pets.create(NEW_PET, { waitSignal: controller.signal })).toMatchObject({ id: 1n });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test.each<[string, Responder, string]>([
    ['the rate limit', limited({ 'retry-after': '30' }), 'refused'],
    ['a retry', json({}, 503), 'unknown'],
  ])('ends a wait for %s and sends nothing more', async (_, respond, outcome) => {
    const { server, store, clock, events } = await openScripted([respond]);
    const controller = new AbortController();
    const options = { signal: new AbortController().signal, waitSignal: controller.signal };
    const failed = rejection(store.pets.list({}, options));
    await nthWait(events, 1);
    controller.abort('stopped');
    expect(await failed).toMatchObject({ type: 'aborted', cause: 'stopped', outcome });
    expect([clock.monotonic(), server.requests.length]).toEqual([0, 1]);
    expect(getEventListeners(options.signal, 'abort')).toHaveLength(0);
  });
});
