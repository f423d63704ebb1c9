import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { AbortedError } from '../../../src/errors.js';
import { NEW_PET, REX } from '../../support/rex.js';
import {
  type Answer,
  head,
  json,
  limited,
  rawThenSilence,
  silence,
  startScriptedServer,
} from '../../support/scripted-server.js';
import { KEY, nthWait, openStore, rejection } from '../../support/stores.js';
import { createVirtualClock, settle, until } from '../../support/virtual-clock.js';

describe('an abort', () => {
  const reason = new Error('enough');

  test('before the call sends nothing', async () => {
    const server = await startScriptedServer(json([]));
    const { store } = openStore(server.baseUrl);
    const error = await rejection(store.pets.list({}, { signal: AbortSignal.abort(reason) }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ cause: reason, outcome: 'not-sent', attempts: [] });
    expect(server.connections).toBe(0);
  });

  test.each<[string, Answer]>([
    ['before the answer', silence],
    ['while the body comes', rawThenSilence(`${head(200, { 'content-length': '50' })}[`)],
  ])('%s ends the call and its connection', async (_, answer) => {
    const server = await startScriptedServer(answer);
    const { store, clock } = openStore(server.baseUrl);
    const controller = new AbortController();
    const failed = rejection(store.pets.list({}, { signal: controller.signal }));
    await until(() => server.requests.length === 1);
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', cause: reason, outcome: 'unknown' });
    await until(() => server.closed > 0);
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('of a POST under way says that its outcome is unknown', async () => {
    const server = await startScriptedServer(silence);
    const { store } = openStore(server.baseUrl);
    const controller = new AbortController();
    const failed = rejection(store.pets.create(NEW_PET, { signal: controller.signal }));
    await until(() => server.requests.length === 1);
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', outcome: 'unknown' });
  });

  test('in the middle of a backoff ends it without time passing', async () => {
    const server = await startScriptedServer(json({}, 503));
    const { store, clock, events } = openStore(server.baseUrl);
    const controller = new AbortController();
    const failed = rejection(store.pets.list({}, { signal: controller.signal }));
    await nthWait(events, 1);
    await clock.advance(100);
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', cause: reason });
    expect([clock.monotonic(), clock.pending, server.requests.length]).toEqual([100, 0, 1]);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('in the queue of the gate ends it, and leaves no place behind', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '30' }), json([]));
    const { store, clock, events } = openStore(server.baseUrl);
    const controller = new AbortController();
    const first = store.pets.list();
    await nthWait(events, 1);
    const failed = rejection(store.pets.create(NEW_PET, { signal: controller.signal }));
    await nthWait(events, 2);
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', cause: reason, outcome: 'not-sent' });
    expect(clock.pending).toBe(1);
    await clock.advance(30_000);
    await first;
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  test('by whoever hears of the request sends nothing', async () => {
    const server = await startScriptedServer(json([]));
    const controller = new AbortController();
    const { store } = openStore(server.baseUrl, {
      onEvent: (event) => {
        if (event.type === 'request') controller.abort(reason);
      },
    });
    const error = await rejection(store.pets.create(NEW_PET, { signal: controller.signal }));
    expect(error).toMatchObject({ type: 'aborted', outcome: 'not-sent' });
    expect(server.requests).toHaveLength(0);
  });

  test('at the very moment at which the gate opens sends nothing, and the gate stays open for others', async () => {
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

  test('while the key is fetched ends the call', async () => {
    const server = await startScriptedServer(json([]));
    const { store } = openStore(server.baseUrl, { apiKey: () => new Promise(() => undefined) });
    const controller = new AbortController();
    const failed = rejection(store.pets.list({}, { signal: controller.signal }));
    await settle();
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', cause: reason, outcome: 'not-sent' });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('together with the arrival of the key sends nothing', async () => {
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

describe('the abort of the waits', () => {
  test('leaves alone what is under way', async () => {
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

  test.each<[string, Answer, string]>([
    ['the rate limit', limited({ 'retry-after': '30' }), 'refused'],
    ['another try', json({}, 503), 'unknown'],
  ])('ends what waits for %s, and sends nothing more', async (_, answer, outcome) => {
    const server = await startScriptedServer(answer);
    const { store, clock, events } = openStore(server.baseUrl);
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
