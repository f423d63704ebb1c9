import { expect, test } from 'vitest';
import { isKnown } from '../../../src/domain/facts/lookup.js';
import { lookupOf, nodata, nxdomain, refused, silent, value } from '../facts-builder.js';

test.each([
  ['records', value(), true],
  ['no record of the type', nodata(), true],
  ['no such name', nxdomain(), true],
  ['a refusal', refused('REFUSED'), false],
  ['failure', silent(), false],
  ['no time to ask', silent('aborted'), false],
])('the result of %s: %#', (_, answer, expected) => {
  expect(isKnown(lookupOf('A', answer))).toBe(expected);
});

test('nothing is known without a server to query', () => {
  expect(isKnown(undefined)).toBe(false);
});
