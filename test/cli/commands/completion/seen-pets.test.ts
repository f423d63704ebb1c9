import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeSeenPets, readSeenPets } from '../../../../src/cli/commands/completion/seen-pets.js';
import { ENV, runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const locationIn = (folder: string) => ({
  env: { PETSTORE_STATE_DIR: folder },
  homeDirectory: '/nowhere',
  platform: 'linux',
});

test('stores every digit of ids in a file that only its owner can read', () => {
  const folder = temporaryFolder();
  storeSeenPets([{ id: 9007199254740993n, name: 'Rex' }], locationIn(folder));
  expect(readSeenPets(locationIn(folder))).toEqual([{ value: '9007199254740993', summary: 'Rex' }]);
  expect(statSync(join(folder, 'seen-pets.json')).mode & 0o777).toBe(0o600);
});

test('stores a hundred pets with truncated names', () => {
  const location = locationIn(temporaryFolder());
  storeSeenPets(
    Array.from({ length: 101 }, (_, index) => ({ id: BigInt(index), name: 'x'.repeat(50) })),
    location,
  );
  const seen = readSeenPets(location);
  expect(seen).toHaveLength(100);
  expect(seen[0]?.summary).toHaveLength(40);
});

test('ignores an empty list, and a file that cannot be written', () => {
  const location = locationIn(temporaryFolder());
  storeSeenPets([{ id: 1n, name: 'Rex' }], location);
  storeSeenPets([], location);
  expect(readSeenPets(location)).toHaveLength(1);
  const folder = temporaryFolder({ taken: '' });
  expect(() => {
    storeSeenPets([{ id: 1n, name: 'Rex' }], locationIn(join(folder, 'taken')));
  }).not.toThrow();
});

test.skipIf(process.platform === 'win32')('does not wait for a pipe at that path', () => {
  const folder = temporaryFolder();
  expect(spawnSync('mkfifo', [join(folder, 'seen-pets.json')]).status).toBe(0);
  expect(() => readSeenPets(locationIn(folder))).toThrow('seen-pets.json is a named pipe');
});

test('stores no API key that is in a name, not even a truncated one', async () => {
  const folder = temporaryFolder();
  const names = [`is ${ENV.PETSTORE_API_KEY}?`, `${'x'.repeat(36)}${ENV.PETSTORE_API_KEY}`];
  const { exitCode } = await runFake('pets list', {
    env: { ...ENV, PETSTORE_STATE_DIR: folder },
    terminals: ['stdout'],
    responses: [{ body: JSON.stringify(names.map((name, id) => ({ id: id + 1, name, categoryId: 7 }))) }],
  });
  expect(exitCode).toBe(0);
  expect(readSeenPets(locationIn(folder)).map(({ summary }) => summary)).toEqual([
    'is [key]?',
    `${'x'.repeat(36)}[key`,
  ]);
  expect(readFileSync(join(folder, 'seen-pets.json'), 'utf8')).not.toContain('sk-');
});
