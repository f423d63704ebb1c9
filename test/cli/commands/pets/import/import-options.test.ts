import { expect, test } from 'vitest';
import { readImportOptions } from '../../../../../src/cli/commands/pets/import/import-options.js';

// How the line is read, and what is refused, test/cli/commands/pets/import/import.test.ts tells.
test('what is not given is left to others, but for what becomes of unknown rows', () => {
  expect(readImportOptions('pets.csv', { onUnknown: 'stop' })).toEqual({
    ...{ file: 'pets.csv', resume: false, onUnknown: 'stop' },
  });
});
