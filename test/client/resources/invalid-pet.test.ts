import { describe, expect, test } from 'vitest';
import { explainPet, explainPets } from '../../../src/client/resources/invalid-pet.js';

const REX = { id: 1, name: 'Rex', categoryId: 2 };

describe('the explanation of a wrong shape', () => {
  test.each([
    [undefined, /^its body is empty$/],
    [null, /\(body: /],
    [{}, /\(body: .*array/],
    [[{ ...REX, id: '1' }], /\(\[0\]\.id: expected an int64\)/],
    [[REX, { ...REX, categoryId: 1.5 }], /\(\[1\]\.categoryId: expected an int64\)/],
    [[{ ...REX, name: null }], /\(\[0\]\.name: .*string/],
    [[{}, {}], /, and 3 more\)/],
  ])('of a list, for %j', (body, expected) => {
    expect(explainPets(body)).toMatch(expected);
  });

  test.each([
    [[REX], /\(body: .*object/],
    [{ ...REX, id: 2n ** 63n }, /\(id: .*9223372036854775807/],
    [{ ...REX, status: 1 }, /\(status: .*string/],
  ])('of one animal', (body, expected) => {
    expect(explainPet(body)).toMatch(expected);
  });
});
