import { expect, test } from 'vitest';
import {
  isBareTextFormat,
  isDocumentFormat,
  isTabularFormat,
  reshapingFlag,
} from '../../../src/cli/output/format-kind.js';
import { OUTPUT_FORMATS } from '../../../src/cli/output/view.js';

test('classifies formats', () => {
  expect(OUTPUT_FORMATS.filter(isDocumentFormat)).toEqual(['json', 'ndjson', 'yaml']);
  expect(OUTPUT_FORMATS.filter(isTabularFormat)).toEqual(['table', 'csv', 'tsv']);
  expect(OUTPUT_FORMATS.filter(isBareTextFormat)).toEqual(['table', 'tsv']);
});

test.each([
  [{}, undefined],
  [{ fields: ['id'] }, '--fields'],
  [{ fields: ['id'], fieldsFlag: '--json' }, '--json'],
  [{ query: '@' }, '--query'],
  [{ sort: '-id' }, '--sort'],
  [{ sort: 'id', query: '@', fields: ['id'] }, '--fields'],
] as const)('%j is reshaped by %s', (options, flag) => {
  expect(reshapingFlag(options)).toBe(flag);
});
