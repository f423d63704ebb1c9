import { expect, test } from 'vitest';
import { readImportOptions } from '../../../../../src/cli/commands/pets/import/import-options.js';

test('only onUnknown has a default', () => {
  expect(readImportOptions('pets.csv', { onUnknown: 'stop' })).toEqual({
    ...{ file: 'pets.csv', resume: false, onUnknown: 'stop', ignoreColumns: false },
  });
});
