import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { stringifyJson } from '../../../src/schema/json.js';
import { SEED_PETS_DEFAULT, generatePets } from '../../../src/mock/service/seed-pets.js';

test('the same seed makes the same store on every machine, and another seed another', () => {
  const digest = (seed: number) =>
    createHash('sha256')
      .update(stringifyJson(generatePets(500, seed)))
      .digest('hex')
      .slice(0, 16);
  expect(digest(1)).toBe('eceaae6306479a47');
  expect(digest(2)).not.toBe(digest(1));
});

test('a larger store begins with the smaller one', () => {
  expect(generatePets(200, 3).slice(0, 40)).toEqual(generatePets(40, 3));
});

test.each([1, 2, 3, 4, 5, 99])('the first page from seed %i shows what lists get wrong', (seed) => {
  const page = generatePets(SEED_PETS_DEFAULT, seed).slice(0, 20);
  expect(SEED_PETS_DEFAULT).toBeGreaterThan(page.length);
  expect(page.map(({ name }) => name)).toEqual(expect.arrayContaining(['Möhre', '小春', 'Žofie']));
  expect(page.map(({ id }) => id)).toContain(9_007_199_254_740_993n);
  expect(new Set(page.map(({ status }) => status))).toEqual(new Set(['available', 'pending', 'sold']));
});

test('no two ids are the same, and every name is one', () => {
  const pets = generatePets(1_000, 1);
  expect(new Set(pets.map(({ id }) => id)).size).toBe(1_000);
  expect(pets.every(({ name }) => name.length > 1)).toBe(true);
  expect(generatePets(0, 1)).toEqual([]);
});
