import { describe, expect, test } from 'vitest';
import { InvalidInputError } from '../../../src/errors.js';
import { json, startScriptedServer } from '../../support/scripted-server.js';
import { openStore, rejection } from '../../support/stores.js';

describe('input', () => {
  const BAD: readonly (readonly [string, object])[] = [
    ...[0, 101, 1.5, NaN, Infinity, '5', 5n, null, -1].map((limit) => ['limit', { limit }] as const),
    ...['Available', '', 'constructor', 'sold,pending', ['available']].map(
      (status) => ['status', { status }] as const,
    ),
  ];
  test.each(BAD)('of list: rejects an invalid %s (%o) and sends nothing', async (field, query) => {
    const server = await startScriptedServer(json([]));
    const error = await rejection(openStore(server.baseUrl).store.pets.list(query));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ field, outcome: 'not-sent', retryable: false });
    expect(server.connections).toBe(0);
  });

  const REFUSED: readonly (readonly [string, unknown, string?])[] = [
    ['name', { categoryId: 1 }, 'name is missing'],
    ['name', { name: '', categoryId: 1 }, 'name is missing'],
    ['name', { name: 5, categoryId: 1 }, 'name must be a string'],
    ['name', { name: null, categoryId: 1 }, 'name is missing'],
    ['name', undefined],
    ['name', null],
    ['id', { name: 'Rex', categoryId: 1, id: 5 }],
    ['categoryId', { name: 'Rex' }],
    ...[null, '', 2n ** 63n, -(2n ** 63n) - 1n, 2 ** 53, 1.5, '0x10', ' 1', true].map(
      (categoryId) => ['categoryId', { name: 'Rex', categoryId }] as const,
    ),
    ['status', { name: 'Rex', categoryId: 1, status: 'Sold' }],
    ['status', { name: 'Rex', categoryId: 1, status: null }],
  ];
  test.each(REFUSED)('of create: rejects an invalid %s (%o)', async (field, pet, message) => {
    const { store } = openStore('http://127.0.0.1:1/v1');
    const error = await rejection(store.pets.create(pet as never));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ field, ...(message !== undefined && { message }) });
  });

  test('of create: a field that throws is invalid', async () => {
    const pet = {
      categoryId: 1,
      get name(): string {
        throw new Error('not loaded');
      },
    };
    const error = await rejection(openStore('http://127.0.0.1:1/v1').store.pets.create(pet));
    expect(error).toMatchObject({ field: 'pet', message: "A field of the pet can't be read (not loaded)" });
  });

  test.each([2n ** 63n, 2 ** 53, 1.5, NaN, '', 'abc', '0x10', '1e3', '../admin', null, undefined, {}])(
    'of get and find: rejects the id %s',
    async (id) => {
      const { store } = openStore('http://127.0.0.1:1/v1');
      expect(await rejection(store.pets.get(id as never))).toMatchObject({ field: 'id' });
      expect(await rejection(store.pets.find(id as never))).toMatchObject({ field: 'id' });
    },
  );

  test('explains that an unsafe number has lost its digits', async () => {
    const { store } = openStore('http://127.0.0.1:1/v1');
    expect(await rejection(store.pets.get(2 ** 53))).toMatchObject({
      hint: expect.stringContaining('last digits') as string,
    });
  });

  test.each([
    [undefined, '/v1/pets'],
    [{}, '/v1/pets'],
    [{ limit: undefined, status: undefined }, '/v1/pets'],
    [{ limit: 1 }, '/v1/pets?limit=1'],
    [{ limit: 100, status: 'sold' as const }, '/v1/pets?limit=100&status=sold'],
  ])('of list: %o requests %s', async (query, path) => {
    const server = await startScriptedServer(json([]));
    expect(await openStore(server.baseUrl).store.pets.list(query)).toEqual([]);
    expect(server.requests[0]).toMatchObject({ method: 'GET', path, body: '' });
  });

  test.each([
    [{ name: 'Rex', categoryId: 1 }, '{"name":"Rex","categoryId":1}'],
    [{ name: 'Rex', categoryId: 2n ** 63n - 1n }, '{"name":"Rex","categoryId":9223372036854775807}'],
    [
      { name: ' ', categoryId: '-5', status: 'sold' as const },
      '{"name":" ","categoryId":-5,"status":"sold"}',
    ],
    [{ name: 'Rex', categoryId: 1, status: undefined }, '{"name":"Rex","categoryId":1}'],
  ])('of create: %o sends %s', async (pet, body) => {
    const server = await startScriptedServer(json(body.replace('{', '{"id":1,'), 201));
    await openStore(server.baseUrl).store.pets.create(pet);
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/pets', body });
    expect(server.requests[0]?.headers['content-type']).toBe('application/json');
  });
});
