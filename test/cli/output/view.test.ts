import { expect, test } from 'vitest';
import { OUTPUT_FORMATS } from '../../../src/cli/output/view.js';

test('the formats are those of the contract', () => {
  expect(OUTPUT_FORMATS).toEqual(['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ids']);
});
