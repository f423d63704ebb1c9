import { describe, expect, test } from 'vitest';
import { explainInvalidPet, explainInvalidPets } from '../../../src/client/resources/invalid-pet.js';

const REX = { id: 1, name: 'Rex', categoryId: 2 };

describe('the explanation of an invalid body', () => {
  test.each([
    [undefined, /^the body is empty$/],
    [null, /\(body: /],
    [{}, /\(body: .*array/],
    [[{ ...REX, id: '1' }], /\(\[0\]\.id: expected an int64\)/],
    [[REX, { ...REX, categoryId: 1.5 }], /\(\[1\]\.categoryId: expected an int64\)/],
    [[{ ...REX, name: null }], /\(\[0\]\.name: .*string/],
    [[{}, {}], /, and 3 more\)/],
  ])('names the problems of the list %j', (body, expected) => {
    expect(explainInvalidPets(body)).toMatch(expected);
  });

  test.each([
    [[REX], /\(body: .*object/],
    [{ ...REX, id: 2n ** 63n }, /\(id: .*9223372036854775807/],
    [{ ...REX, status: 1 }, /\(status: .*string/],
  ])('names the problem of a pet', (body, expected) => {
    expect(explainInvalidPet(body)).toMatch(expected);
  });
});
