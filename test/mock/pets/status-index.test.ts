import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStatusIndex } from '../../../src/mock/pets/status-index.js';
import { createStore } from '../../../src/mock/pets/store.js';
import { runs } from '../../support/random-runs.js';

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

test('a filter returns what a scan of all pets returns, after any changes', () => {
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
      }
    }),
    { numRuns: runs(300) },
  );
});

test('a filter with few matches visits no other pet', () => {
  let visits = 0;
  const pets = new Map(
    Array.from({ length: 1_000 }, (_, index) => {
      const pet = {
        id: BigInt(index),
        get status() {
          visits += 1;
          return index === 999 ? 'sold' : 'available';
        },
      };
      return [pet.id, pet] as const;
    }),
  );
  const index = createStatusIndex(pets);
  expect([...index.get('sold')].map(({ id }) => id)).toEqual([999n]);
  visits = 0;
  expect([...index.get('sold')]).toHaveLength(1);
  expect([...index.get('pending')]).toEqual([]);
  expect(visits).toBe(0);
});
