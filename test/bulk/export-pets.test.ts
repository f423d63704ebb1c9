import { expect, test } from 'vitest';
import { exportPets } from '../../src/bulk/export-pets.js';
import { RowReader } from '../../src/bulk/rows/row-reader.js';
import { createPetStore } from '../../src/client/index.js';
import { createMock } from '../../src/mock/index.js';
import { collect, pieces } from '../support/pieces.js';

function storeWith(pets: number) {
  const mock = createMock({ pets, plan: 'unlimited' });
  return createPetStore({
    apiKey: 'mock-key',
    baseUrl: 'http://127.0.0.1/v1',
    fetch: (url, init) => mock.fetch(url, init),
  });
}

test('exports all pets that can be listed, and reports whether the list is complete', async () => {
  const all = await exportPets(storeWith(3), { format: 'ndjson' });
  expect([all.count, all.complete]).toEqual([3, true]);
  const lines = await collect(all.text);
  expect(JSON.parse(lines[0]!)).toMatchObject({ id: 1, name: expect.any(String) });
  const part = await exportPets(storeWith(500), { format: 'csv' });
  expect(part.complete).toBe(false);
  expect((await collect(part.text)).join('').split('\r\n')).toHaveLength(part.count + 2);
});

test('exports one status only', async () => {
  const { text } = await exportPets(storeWith(30), { format: 'csv', status: 'sold' });
  const [head, ...rows] = (await collect(text)).join('').trimEnd().split('\r\n');
  expect(head).toBe('id,name,categoryId,status');
  expect(rows.every((row) => row.endsWith(',sold'))).toBe(true);
});

test('writes what an import reads, except for the ids', async () => {
  const { text, count } = await exportPets(storeWith(30), { format: 'csv' });
  const table = (await collect(text)).join('').replaceAll(/^(?:\d+|id),/gm, '');
  const reader = new RowReader({ path: 'pets.csv', name: 'pets.csv' });
  const batches = await collect(reader.read(pieces(table)));
  expect(batches.flatMap(({ errors }) => errors)).toEqual([]);
  expect(batches.flatMap(({ rows }) => rows)).toHaveLength(count);
});
