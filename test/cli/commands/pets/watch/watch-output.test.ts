import { expect, test } from 'vitest';
import { isWatchFormat } from '../../../../../src/cli/commands/pets/watch/watch-output.js';
import { OUTPUT_FORMATS } from '../../../../../src/cli/output/index.js';

test('formats that can be written in parts', () => {
  expect(OUTPUT_FORMATS.filter(isWatchFormat)).toEqual(['table', 'ndjson', 'csv', 'tsv']);
});
