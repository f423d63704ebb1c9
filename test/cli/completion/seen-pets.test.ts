import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeSeenPets, readSeenPets } from '../../../src/cli/completion/seen-pets.js';
import { ENV, runFake } from '../../support/fake-context.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const placeIn = (folder: string) => ({
  env: { PETSTORE_STATE_DIR: folder },
  homeDirectory: '/nowhere',
  platform: 'linux',
});

test('keeps ids with every digit, for their owner alone', () => {
  const folder = temporaryFolder();
  storeSeenPets([{ id: 9007199254740993n, name: 'Rex' }], placeIn(folder));
  expect(readSeenPets(placeIn(folder))).toEqual([{ value: '9007199254740993', summary: 'Rex' }]);
  expect(statSync(join(folder, 'seen-pets.json')).mode & 0o777).toBe(0o600);
});

test('keeps a hundred, with the beginning of their names', () => {
  const place = placeIn(temporaryFolder());
  storeSeenPets(
    Array.from({ length: 101 }, (_, index) => ({ id: BigInt(index), name: 'x'.repeat(50) })),
    place,
  );
  const seen = readSeenPets(place);
  expect(seen).toHaveLength(100);
  expect(seen[0]?.summary).toHaveLength(40);
});

test('an empty list leaves what is kept, and a place that takes nothing is no failure', () => {
  const place = placeIn(temporaryFolder());
  storeSeenPets([{ id: 1n, name: 'Rex' }], place);
  storeSeenPets([], place);
  expect(readSeenPets(place)).toHaveLength(1);
  const folder = temporaryFolder({ taken: '' });
  expect(() => {
    storeSeenPets([{ id: 1n, name: 'Rex' }], placeIn(join(folder, 'taken')));
  }).not.toThrow();
});

test.skipIf(process.platform === 'win32')('a pipe in its place holds up no prompt', () => {
  const folder = temporaryFolder();
  expect(spawnSync('mkfifo', [join(folder, 'seen-pets.json')]).status).toBe(0);
  expect(() => readSeenPets(placeIn(folder))).toThrow('seen-pets.json is a named pipe');
});

test('a key that the service says in a name is not kept, nor the half of it that a cut would leave', async () => {
  const folder = temporaryFolder();
  const names = [`is ${ENV.PETSTORE_API_KEY}?`, `${'x'.repeat(36)}${ENV.PETSTORE_API_KEY}`];
  const { exitCode } = await runFake('pets list', {
    env: { ...ENV, PETSTORE_STATE_DIR: folder },
    terminals: ['stdout'],
    answers: [{ body: JSON.stringify(names.map((name, id) => ({ id: id + 1, name, categoryId: 7 }))) }],
  });
  expect(exitCode).toBe(0);
  expect(readSeenPets(placeIn(folder)).map(({ summary }) => summary)).toEqual([
    'is [key]?',
    `${'x'.repeat(36)}[key`,
  ]);
  expect(readFileSync(join(folder, 'seen-pets.json'), 'utf8')).not.toContain('sk-');
});
