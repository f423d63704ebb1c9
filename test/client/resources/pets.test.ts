import { describe, expect, test } from 'vitest';
import { NotFoundError, TimeoutError } from '../../../src/errors.js';
import type { Pet } from '../../../src/schema/pet-reader.js';
import {
  type Responder,
  bytes,
  json,
  type SeenRequest,
  silence,
  startScriptedServer,
} from '../../support/scripted-server.js';
import { nthWait, openScripted, openStore, rejection } from '../../support/stores.js';
import { until } from '../../support/virtual-clock.js';

const REX = { id: 7, name: 'Rex', categoryId: 2, status: 'available' };
const NOT_FOUND = { code: 'pet_not_found', message: 'No such pet.', status: 404 };
const manyPets = (from: number, count: number, status = 'available'): object[] =>
  Array.from({ length: count }, (_, index) => ({ ...REX, id: from + index, status }));

/** Lists by status filter; without a filter under `all`. */
function lists(of: Readonly<Record<string, readonly object[]>>): Responder {
  return (socket, request: SeenRequest) => {
    const { searchParams } = new URL(request.path, 'http://x');
    return json(of[searchParams.get('status') ?? 'all'] ?? [])(socket, request);
  };
}

describe('listAll', () => {
  const ids = (pets: readonly Pet[]): number[] => pets.map(({ id }) => Number(id));

  test('is complete after one response that is not full', async () => {
    const server = await startScriptedServer(lists({ all: [...manyPets(50, 2), ...manyPets(3, 1)] }));
    const { pets, complete } = await openStore(server.baseUrl).store.pets.listAll();
    expect([ids(pets), complete, server.requests.length]).toEqual([[3, 50, 51], true, 1]);
    expect(server.requests[0]?.path).toBe('/v1/pets?limit=100');
  });

  test('requests each status if the response is full, and merges by id in order', async () => {
    const server = await startScriptedServer(
      lists({
        all: manyPets(200, 100),
        available: manyPets(200, 100),
        pending: manyPets(1, 3, 'pending'),
        sold: [...manyPets(2, 2, 'sold'), ...manyPets(1_000, 1, 'sold')],
      }),
    );
    const { pets, complete } = await openStore(server.baseUrl).store.pets.listAll();
    expect(ids(pets)).toEqual([1, 2, 3, ...Array.from({ length: 100 }, (_, index) => 200 + index), 1_000]);
    expect(complete).toBe(false);
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/v1/pets?limit=100',
      '/v1/pets?limit=100&status=available',
      '/v1/pets?limit=100&status=pending',
      '/v1/pets?limit=100&status=sold',
    ]);
  });

  test('sorts ids as numbers, also beyond 2^53', async () => {
    const server = await startScriptedServer(
      json(
        '[9007199254740993,9007199254740992,-1,10,9]'.replace(
          /-?\d+/g,
          '{"id":$&,"name":"x","categoryId":1}',
        ),
      ),
    );
    const { pets } = await openStore(server.baseUrl).store.pets.listAll();
    expect(pets.map(({ id }) => id)).toEqual([-1n, 9n, 10n, 9007199254740992n, 9007199254740993n]);
  });

  test('with a status sends one request and reports whether it was complete', async () => {
    const server = await startScriptedServer(lists({ sold: manyPets(1, 100, 'sold') }));
    const { pets, complete } = await openStore(server.baseUrl).store.pets.listAll({ status: 'sold' });
    expect([pets.length, complete, server.requests.length]).toEqual([100, false, 1]);
  });

  test('has one deadline for all its requests', async () => {
    const { server, store, clock, events } = await openScripted([
      json({}, 503),
      json(manyPets(1, 100)),
      silence,
    ]);
    const failed = rejection(store.pets.listAll({}, { deadlineMs: 400 }));
    await clock.advance((await nthWait(events, 1)) ?? 0);
    await until(() => server.requests.length === 3);
    await clock.advance(150);
    const error = (await failed) as TimeoutError;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ limit: 'deadline', message: expect.stringContaining('400 ms') as string });
    expect([server.requests.length, clock.monotonic(), clock.pending]).toEqual([3, 400, 0]);
  });
});

describe('find', () => {
  test.each([
    ['the first list', 7n, 1],
    ['the list of its status', 300, 3],
    ['no list', '999', 4],
  ])('stops as soon as the pet is found: %s', async (_, id, requests) => {
    const server = await startScriptedServer(
      lists({ all: manyPets(1, 100), available: manyPets(1, 100), pending: manyPets(300, 1), sold: [] }),
    );
    const pet = await openStore(server.baseUrl).store.pets.find(id);
    expect(pet?.id).toBe(requests === 4 ? undefined : BigInt(id));
    expect(server.requests).toHaveLength(requests);
  });

  test('emits no warning', async () => {
    const { store, warnings } = await openScripted([json([])]);
    await store.pets.find(1);
    expect(warnings).toEqual([]);
  });
});

describe('withComplete', () => {
  test.each<[string, Record<string, readonly object[]>, object]>([
    ['a list that is not full', { all: manyPets(1, 2) }, { pet: undefined, complete: true }],
    ['a full list', { all: manyPets(10, 100) }, { pet: undefined, complete: false }],
    ['a full list with the pet', { all: manyPets(1, 100) }, { pet: { id: 7n }, complete: false }],
  ])('of find says whether all pets were listed: %s', async (_, listed, expected) => {
    const server = await startScriptedServer(lists(listed));
    const found = openStore(server.baseUrl).store.pets.find(7);
    expect(await found.withComplete()).toMatchObject(expected);
    expect(await found).toEqual((await found.withComplete()).pet);
  });

  test.each([
    [undefined, 20, false],
    [undefined, 19, true],
    [5, 5, false],
    [5, 4, true],
    [100, 100, false],
  ])('of list with the limit %j and %i pets is %j', async (limit, count, complete) => {
    const server = await startScriptedServer(json(manyPets(1, count)));
    const { pets, ...rest } = await openStore(server.baseUrl).store.pets.list({ limit }).withComplete();
    expect([pets.length, rest]).toEqual([count, { complete }]);
  });

  test('rejects as the call does, and leaves no unhandled rejection', async () => {
    const server = await startScriptedServer(json(NOT_FOUND, 404));
    const { pets } = openStore(server.baseUrl).store;
    expect(await rejection(pets.find(7).withComplete())).toBeInstanceOf(NotFoundError);
    expect(await rejection(pets.list().withComplete())).toBeInstanceOf(NotFoundError);
  });
});

test('create with a schema that rejects the pet has an unknown outcome, and closes the connection', async () => {
  const { server, store } = await openScripted([json(REX, 201)]);
  const schema = {
    parse(pet: unknown): Pet {
      throw new Error(`pet ${String((pet as Pet).id)} belongs to another request`);
    },
  };
  expect(await rejection(store.pets.create({ name: 'Rex', categoryId: 2 }, { schema }))).toMatchObject({
    type: 'unknown-outcome',
    message:
      'Invalid response: the body does not match the schema (body: pet 7 belongs to another request); ' +
      'the pet may or may not have been created',
  });
  await store.pets.create({ name: 'Rex', categoryId: 2 });
  expect(server.connections).toBe(2);
});

describe('get', () => {
  test('requests the pet and warns once about the deprecation', async () => {
    const body = (id: string) => json(`{"id":${id},"name":"Rex","categoryId":3}`);
    const { server, store, warnings } = await openScripted([body('9007199254740993'), body('-1')]);
    expect(await store.pets.get('9007199254740993')).toMatchObject({ id: 9007199254740993n });
    await store.pets.get(-1n);
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/pets/9007199254740993', '/v1/pets/-1']);
    expect(warnings).toEqual([
      { code: 'deprecated-operation', message: expect.stringContaining('5 December 2030') as string },
    ]);
  });

  test('rejects the response to another request', async () => {
    const server = await startScriptedServer(json('{"id":9007199254740992,"name":"Rex","categoryId":3}'));
    const error = await rejection(openStore(server.baseUrl).store.pets.get('9007199254740993'));
    expect(error).toMatchObject({
      type: 'invalid-response',
      message: 'Invalid response: the pet has id 9007199254740992 instead of 9007199254740993',
    });
  });

  test('rejects with the 404 of the service if there is no such pet', async () => {
    const server = await startScriptedServer(json(NOT_FOUND, 404));
    const error = await rejection(openStore(server.baseUrl).store.pets.get(7));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code: 'pet_not_found', message: 'No such pet.' });
    expect(server.requests).toHaveLength(1);
  });

  const REMOVED: readonly (readonly [string, Responder])[] = [
    ['410', json({ code: 'gone', message: 'Gone.', status: 410 }, 410)],
    ['a 404 without a body', bytes('', 404)],
    ['a 404 in HTML', bytes('<h1>Not found</h1>', 404, { 'content-type': 'text/html' })],
    ['a 404 in JSON that is no Error', json({ error: 'Cannot GET' }, 404)],
    ['any 404 after the removal', json(NOT_FOUND, 404, { date: 'Thu, 05 Dec 2030 00:00:00 GMT' })],
  ];
  test.each(REMOVED)('searches the lists after %s', async (_, removed) => {
    const server = await startScriptedServer(removed, json([REX], 200, { 'x-request-id': 'of-the-list' }));
    const { data, response } = await openStore(server.baseUrl).store.pets.get(7).withResponse();
    expect(data.id).toBe(7n);
    expect(response).toMatchObject({ status: 200, requestId: 'of-the-list' });
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/pets/7', '/v1/pets?limit=100']);
  });

  test.each(REMOVED)('rejects if the pet is not in the lists after %s', async (_, removed) => {
    const server = await startScriptedServer(removed, json([]));
    const error = await rejection(openStore(server.baseUrl).store.pets.get(8));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      message: 'Pet 8 was not found among the pets that can be listed',
      status: 404,
    });
  });

  test('rejects with the 404 on the day before the removal', async () => {
    const server = await startScriptedServer(json(NOT_FOUND, 404, { date: 'Wed, 04 Dec 2030 23:59:59 GMT' }));
    await rejection(openStore(server.baseUrl).store.pets.get(7));
    expect(server.requests).toHaveLength(1);
  });

  test('has one deadline for itself and the lists', async () => {
    const { server, store, clock, events } = await openScripted([
      json({}, 503),
      bytes('', 404),
      json({}, 503),
    ]);
    const failed = rejection(store.pets.get(7, { deadlineMs: 400 }));
    await clock.advance((await nthWait(events, 1)) ?? 0);
    expect(await failed).toMatchObject({ type: 'timeout', limit: 'deadline' });
    await until(() => clock.pending === 0);
    expect(server.requests).toHaveLength(3);
  });
});
