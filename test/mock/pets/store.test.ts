import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMock, readSnapshot, snapshotJson } from '../../../src/mock/index.js';
import { listJson, petJson } from '../../../src/mock/pets/pet-json.js';
import { SEED_PETS_DEFAULT, generatePets } from '../../../src/mock/pets/seed-pets.js';
import { createStore, readPetSeeds } from '../../../src/mock/pets/store.js';
import { parseJson, stringifyJson } from '../../../src/schema/json.js';
import { runs } from '../../support/random-runs.js';

const LONG = 9_007_199_254_740_993n;

test('new ids continue after the largest id below 2^53, and skip used ids', () => {
  const world = createStore(
    readPetSeeds([
      { id: LONG, name: 'a', categoryId: 1 },
      { id: 4, name: 'b', categoryId: 1 },
    ]),
  );
  expect([1, 2].map(() => world.create({ name: 'c', categoryId: 1n }).id)).toEqual([5n, 6n]);
  const last = BigInt(Number.MAX_SAFE_INTEGER);
  const full = createStore(
    readPetSeeds([last, last + 1n, last + 2n].map((id) => ({ id, name: 'x', categoryId: 1 }))),
  );
  expect(full.create({ name: 'y', categoryId: 1n }).id).toBe(last + 3n);
});

test('two stores of one seed are independent', () => {
  const seed = readPetSeeds([{ name: 'a', categoryId: 1 }]);
  const [one, other] = [createStore(seed), createStore(seed)];
  one.create({ name: 'b', categoryId: 1n });
  expect([one.size, other.size, seed.length]).toEqual([2, 1, 1]);
});

test('pets without an id get free ids', () => {
  const seeds = readPetSeeds([
    { name: 'a', categoryId: 1 },
    { id: 2, name: 'b', categoryId: '5' },
    { name: 'c', categoryId: 1n },
  ]);
  expect(seeds.map(({ id, categoryId }) => [id, categoryId])).toEqual([
    [1n, 1n],
    [2n, 5n],
    [3n, 1n],
  ]);
});

test.each([
  [
    [
      { id: 1, name: 'a', categoryId: 1 },
      { id: '1', name: 'b', categoryId: 1 },
    ],
    'same id',
  ],
  [[{ id: 2 ** 53, name: 'a', categoryId: 1 }], 'not an int64'],
  [[{ name: 'a', categoryId: 'one' }], 'categoryId'],
])('rejects %o', (seeds, message) => {
  expect(() => readPetSeeds(seeds)).toThrow(message);
});

test('writes JSON, with all digits of an int64', () => {
  const pet = {
    id: LONG,
    name: 'a"\u2028\ud800',
    categoryId: -1n,
    status: 'sold',
    more: { deep: [LONG] },
    none: undefined,
  };
  expect(petJson(pet)).toBe(
    `{"id":9007199254740993,"name":${JSON.stringify(pet.name)},"categoryId":-1,"status":"sold","more":{"deep":[9007199254740993]}}`,
  );
});

test('changes of a snapshot do not change the store', () => {
  const world = createStore(readPetSeeds([{ name: 'a', categoryId: 1 }]));
  for (const pet of world.snapshot().pets) pet.name = 'changed';
  expect(world.list(1, undefined).map(petJson)).toEqual(['{"id":1,"name":"a","categoryId":1}']);
});

const STATUSES = ['available', 'sold', undefined] as const;

const change = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), status: fc.constantFrom(...STATUSES) }),
  fc.record({
    kind: fc.constant('put' as const),
    id: fc.bigInt(1n, 6n),
    status: fc.constantFrom(...STATUSES),
  }),
  fc.record({ kind: fc.constant('delete' as const), id: fc.bigInt(1n, 6n) }),
  fc.record({ kind: fc.constant('list' as const), limit: fc.integer({ min: 1, max: 3 }) }),
);

test('a filter returns what a scan of all pets returns, also as JSON, after any changes', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const store = createStore([{ id: 2n, name: 'seed', categoryId: 1n, status: 'sold' }]);
      for (const each of changes) {
        if (each.kind === 'create') store.create({ name: 'new', categoryId: 1n, status: each.status });
        if (each.kind === 'put') store.put({ id: each.id, name: 'put', categoryId: 1n, status: each.status });
        if (each.kind === 'delete') store.delete(each.id);
        if (each.kind !== 'list') continue;
        for (const status of ['available', 'sold', 'pending']) {
          const scanned = store.list(Infinity, undefined).filter((pet) => pet.status === status);
          expect(store.list(each.limit, status)).toEqual(scanned.slice(0, each.limit));
        }
        for (const status of ['sold', 'pending', undefined]) {
          const pets = store.list(each.limit, status).map(petJson);
          expect(listJson(store, each.limit, status)).toBe(`[${pets.join(',')}]`);
        }
      }
    }),
    { numRuns: runs(300) },
  );
});

test('a filter with few matches visits no other pet', () => {
  let visits = 0;
  const pets = Array.from({ length: 1_000 }, (_, index) => ({
    id: BigInt(index),
    name: 'a',
    categoryId: 1n,
    get status() {
      visits += 1;
      return index === 999 ? 'sold' : 'available';
    },
  }));
  const store = createStore(pets);
  expect(store.list(5, 'sold').map(({ id }) => id)).toEqual([999n]);
  visits = 0;
  expect([store.list(5, 'sold').length, store.list(5, 'pending').length, visits]).toEqual([1, 0, 0]);
});

test.each([
  ['two keys', { keys: ['a', 'b'], pets: 3 }],
  ['no pets', { pets: 0 }],
  [
    'unusual pets',
    { pets: [{ id: '9007199254740993', name: 'a"\u2028', categoryId: -1, more: { deep: [1n << 60n] } }] },
  ],
  ['several parts', { pets: 2_000 }],
])('snapshotJson writes what parseJson and readSnapshot read: %s', (_, options) => {
  const snapshot = createMock(options).snapshot();
  const parts = [...snapshotJson(snapshot)];
  const text = parts.join('');
  expect(readSnapshot(parseJson(text)).worlds.map(({ pets }) => pets)).toEqual(
    snapshot.worlds.map(({ pets }) => pets),
  );
  expect(text).toMatch(/\n\]\}\n$/);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(70_000);
});

test('snapshotJson writes one pet a line', () => {
  const text = [...snapshotJson(createMock({ pets: [{ name: 'Rex', categoryId: 1 }] }).snapshot())].join('');
  expect(text).toBe(
    '{"format":"petstore-mock/1","worlds":[\n{"pets":[\n{"id":1,"name":"Rex","categoryId":1}\n]}\n]}\n',
  );
});

test('the same seed gives the same pets on every machine', () => {
  const digest = (seed: number) =>
    createHash('sha256')
      .update(stringifyJson(generatePets(500, seed)))
      .digest('hex')
      .slice(0, 16);
  expect(digest(1)).toBe('eceaae6306479a47');
  expect(digest(2)).not.toBe(digest(1));
});

test('a larger store starts with the pets of a smaller one', () => {
  expect(generatePets(200, 3).slice(0, 40)).toEqual(generatePets(40, 3));
});

test.each([1, 2, 3, 4, 5, 99])('the first page of seed %i contains difficult names and ids', (seed) => {
  const page = generatePets(SEED_PETS_DEFAULT, seed).slice(0, 20);
  expect(SEED_PETS_DEFAULT).toBeGreaterThan(page.length);
  expect(page.map(({ name }) => name)).toEqual(expect.arrayContaining(['Möhre', '小春', 'Žofie']));
  expect(page.map(({ id }) => id)).toContain(9_007_199_254_740_993n);
  expect(new Set(page.map(({ status }) => status))).toEqual(new Set(['available', 'pending', 'sold']));
});

test('ids are unique, and names are not empty', () => {
  const pets = generatePets(1_000, 1);
  expect(new Set(pets.map(({ id }) => id)).size).toBe(1_000);
  expect(pets.every(({ name }) => name.length > 1)).toBe(true);
  expect(generatePets(0, 1)).toEqual([]);
});
