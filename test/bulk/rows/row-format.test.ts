import { expect, test } from 'vitest';
import { formatOfName, formatOfText } from '../../../src/bulk/rows/row-format.js';

test.each([
  ['pets.csv', { format: 'csv' }],
  ['a.b/PETS.CSV', { format: 'csv' }],
  ['pets.tsv', { format: 'csv', delimiter: '\t' }],
  ['pets.json', { format: 'json' }],
  ['pets.ndjson', { format: 'ndjson' }],
  ['pets.jsonl', { format: 'ndjson' }],
  ['pets.txt', undefined],
  ['csv', undefined],
])('detects the format of %s', (name, format) => {
  expect(formatOfName(name)).toEqual(format);
});

test.each([
  ['\n [', 'json'],
  [' {', 'ndjson'],
  ['name,', 'csv'],
  ['"name"', 'csv'],
  [' \n', undefined],
])('detects the format of text that begins with %j', (text, format) => {
  expect(formatOfText(text)).toBe(format);
});
