import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePrivateFolder } from '../../src/security/private-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('creates a folder and its parents, with access for their owner only', () => {
  const root = temporaryFolder();
  expect(makePrivateFolder(join(root, 'a', 'b', 'c'))).toBe(true);
  expect(makePrivateFolder(join(root, 'a', 'b', 'c'))).toBe(false);
  if (process.platform === 'win32') return;
  for (const folder of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, folder)).mode & 0o777).toBe(0o700);
});

test('leaves the mode of an existing folder unchanged', () => {
  const folder = join(temporaryFolder(), 'own');
  mkdirSync(folder, { mode: 0o755 });
  const { mode } = statSync(folder);
  expect(makePrivateFolder(folder)).toBe(false);
  expect(statSync(folder).mode).toBe(mode);
});

test.each(['file', 'file/below'])('reports a file in the way of %s', (path) => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'file'), '');
  expect(() => makePrivateFolder(join(root, path))).toThrow(/EEXIST|ENOTDIR/);
});

test.skipIf(process.platform !== 'linux')('ends for a path where nothing can be created', () => {
  expect(() => makePrivateFolder('/proc/x/y')).toThrow('ENOENT');
});
