import { expect, test } from 'vitest';
import { filteredFields, filterPets, hasFilter } from '../../../../src/cli/commands/pets/pet-filter.js';

const pet = (name: string, categoryId = 7n) => ({ id: 1n, name, categoryId });
const matches = (name: string, part: string) => filterPets([pet(name)], { name: part }).length === 1;

test.each([
  ['Rex', 'rex'],
  ['Rex', 'EX'],
  ['T-REX', 'rex'],
  // One rule for every locale: neither a Turkish nor an English terminal changes it.
  ['INDIGO', 'indigo'],
  ['Ilse', 'ı'],
  ['Straße', 'STRASSE'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
  ['Οδυσσεύς', 'ΟΔΥΣΣΕΎΣ'],
  ['Jose\u0301', 'JOSÉ'],
  ['José', 'jose\u0301'],
  ['Рекс', 'рЕКС'],
  ['猫🐈', '🐈'],
])('%s contains %s', (name, part) => {
  expect(matches(name, part)).toBe(true);
});

test.each([
  ['Rex', 'rexx'],
  ['José', 'jose'],
  ['Rex', ' rex'],
  ['a.b', 'a?b'],
])('%s does not contain %s', (name, part) => {
  expect(matches(name, part)).toBe(false);
});

test('compares every digit of a category', () => {
  const pets = [pet('a', 9007199254740993n), pet('b', 9007199254740992n)];
  expect(filterPets(pets, { categoryId: 9007199254740993n })).toEqual([pets[0]]);
  expect(filterPets(pets, { categoryId: 9007199254740993n, name: 'b' })).toEqual([]);
});

test('keeps all pets without a condition', () => {
  expect(hasFilter({})).toBe(false);
  expect(filterPets([pet('a'), pet('b')], {})).toHaveLength(2);
  expect(filteredFields({ name: 'a', categoryId: 1n })).toBe('name or category');
});
