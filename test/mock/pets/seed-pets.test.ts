import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { stringifyJson } from '../../../src/schema/json.js';
import { SEED_PETS_DEFAULT, generatePets } from '../../../src/mock/pets/seed-pets.js';

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
