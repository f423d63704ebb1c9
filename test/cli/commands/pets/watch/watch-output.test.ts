import { expect, test } from 'vitest';
import { isWatchFormat } from '../../../../../src/cli/commands/pets/watch/watch-output.js';
import { OUTPUT_FORMATS } from '../../../../../src/cli/output/index.js';

// How each is written, test/cli/commands/pets/watch/watch.test.ts reads.
test('formats that can be written bit by bit', () => {
  expect(OUTPUT_FORMATS.filter(isWatchFormat)).toEqual(['table', 'ndjson', 'csv', 'tsv']);
});
