import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  HIDDEN_JOURNAL,
  hiddenJournalDirectory,
  hiddenJournalName,
} from '../../../../../src/cli/commands/pets/import/hidden-journals.js';

test('are in the state directory', () => {
  const env = { PETSTORE_STATE_DIR: '/state' };
  expect(hiddenJournalDirectory({ env, homeDirectory: '/home/ida', platform: 'linux' })).toBe(
    '/state/imports',
  );
});

test('are recognised by name, with the files next to them', () => {
  const name = hiddenJournalName(Date.UTC(2026, 0, 2, 3, 4, 5, 678), '0a1b2c3d-4e5f');
  expect(name).toBe('20260102T030405Z-0a1b2c3d.journal');
  for (const own of [name, `${name}.lock`, `${name}.input`, hiddenJournalName(0, randomUUID())])
    expect(own).toMatch(HIDDEN_JOURNAL);
  for (const other of ['pets.csv.journal', `${name}s`, `my-${name}`])
    expect(other).not.toMatch(HIDDEN_JOURNAL);
});
