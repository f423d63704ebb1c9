import { describe, expect, test } from 'vitest';
import type { ClientEvent } from '../../src/client/contract/events.js';
import { fetchTransport } from '../../src/client/transport/fetch.js';
import { type RateLimitError } from '../../src/errors.js';
import { NEW_PET, REX } from '../support/rex.js';
import { hangUp, json, type Responder, startScriptedServer } from '../support/scripted-server.js';
import { openScripted, openStore, rejection } from '../support/stores.js';
import { createVirtualClock } from '../support/virtual-clock.js';
describe('events', () => {
  const calls = (events: readonly ClientEvent[]): unknown[] =>
    events
      .filter(({ type }) => type.startsWith('call-'))
      .map((event) => ('durationMs' in event ? { ...event, durationMs: typeof event.durationMs } : event));
  /** What the end of a call of one request with a response has. */
  const ended = { type: 'call-end', durationMs: 'number', attempts: 1, status: 200, outcome: 'succeeded' };

  test('and the budget have whole milliseconds, which round a wait up', async () => {
    const clock = createVirtualClock();
    const responses = [
      () => new Response('{}', { status: 503 }),
      () => new Response('{}', { status: 429, headers: { 'retry-after': '50' } }),
    ];
    const fetch = async (): Promise<Response> => {
      await clock.advance(10.4);
      return responses.shift()!();
    };
    const options = { transport: fetchTransport(fetch), clock, random: () => 0.123_45 };
    const { store, events } = openStore('https://api.test/v1', options);
    const failed = rejection(store.pets.list({}, { retry: { waitMaxMs: 20_000 } }));
    await clock.advance(1_000);
    const { retryAfterMs } = (await failed) as RateLimitError;
    const { heldForMs } = await store.budget();
    const durations = events.flatMap((event) => [
      ...('elapsedMs' in event ? [event.elapsedMs] : []),
      ...('durationMs' in event ? [event.durationMs] : []),
      ...('delayMs' in event ? [event.delayMs] : []),
    ]);
    expect(durations).toHaveLength(4);
    for (const value of [...durations, retryAfterMs, heldForMs])
      expect(value).toSatisfy((each) => Number.isInteger(each));
    // 429 at about 301 ms; 699 ms have passed since.
    expect(heldForMs).toBeGreaterThan(49_000);
  });

  test('name the operation of a call, and its error', async () => {
    const { store, events } = await openScripted([json(REX), json({}, 404), json([])]);
    await store.pets.get(1);
    await rejection(store.pets.create(NEW_PET));
    await store.request('GET', '/pets');
    expect(calls(events)).toEqual([
      { type: 'call-start', call: 1, operation: 'getPet' },
      { ...ended, call: 1, operation: 'getPet' },
      { type: 'call-start', call: 2, operation: 'createPet' },
      {
        ...ended,
        call: 2,
        operation: 'createPet',
        status: 404,
        outcome: 'refused',
        errorType: 'not-found',
      },
      { type: 'call-start', call: 3, operation: 'request' },
      { ...ended, call: 3, operation: 'request' },
    ]);
  });

  test('name the parent of the parts of listAll and find', async () => {
    const { store, events } = await openScripted([json([REX])]);
    await store.pets.listAll();
    await store.pets.find(1);
    expect(calls(events)).toEqual([
      { type: 'call-start', call: 1, operation: 'listAll' },
      { type: 'call-start', call: 2, operation: 'listPets', parent: 1 },
      { ...ended, call: 2, operation: 'listPets', parent: 1 },
      { ...ended, call: 1, operation: 'listAll' },
      { type: 'call-start', call: 3, operation: 'find' },
      { type: 'call-start', call: 4, operation: 'listPets', parent: 3 },
      { ...ended, call: 4, operation: 'listPets', parent: 3 },
      { ...ended, call: 3, operation: 'find' },
    ]);
  });
});

test.each<[string, Responder[], string, object]>([
  ['nothing sent', [json({})], 'authorization', { attempts: 0, outcome: 'not-sent' }],
  ['no response', [hangUp], 'x-a', { attempts: 1, outcome: 'unknown' }],
  ['a status, then none', [json({}, 401), hangUp], 'x-a', { attempts: 2, outcome: 'unknown' }],
])('the event of the end of a call with %s', async (_, responders, name, expected) => {
  const server = await startScriptedServer(...responders);
  let key = 0;
  const { store, events } = openStore(server.baseUrl, {
    apiKey: () => `key-${String((key += 1))}`,
    headers: () => ({ [name]: '1' }),
  });
  await rejection(store.pets.create(NEW_PET));
  const end = events.find(({ type }) => type === 'call-end');
  expect(end).toMatchObject(expected);
  expect(end).not.toHaveProperty('status');
});
