import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fileGate } from '../../../../src/client/gate/file/file-gate.js';
import { ConfigurationError } from '../../../../src/errors.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folderOf = (digit: string): string => `petstore-${digit.repeat(32)}`;

test('stores of one directory have the same id, however the path is written', () => {
  const directory = temporaryFolder();
  expect(fileGate({ directory: relative(process.cwd(), directory) }).id).toBe(fileGate({ directory }).id);
  expect(fileGate({ directory: join(directory, 'a') }).id).not.toBe(fileGate({ directory }).id);
});

test.each([{ directory: '' }, { directory: 5 }])('rejects %j', (options) => {
  // What a caller without TypeScript may pass.
  expect(() => fileGate(options as never)).toThrow(
    expect.objectContaining({ message: 'fileGate needs a directory', option: 'gate' }),
  );
});

test('uses the directory of the command by default', () => {
  vi.stubEnv('PETSTORE_STATE_DIR', '/state');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(fileGate().id).toBe(fileGate({ directory: '/state/gate' }).id);
});

test('creates a folder per budget at the first write', async () => {
  const directory = join(temporaryFolder(), 'deep', 'gate');
  const store = fileGate({ directory });
  const budgetStore = store.open('a'.repeat(32));
  const seen = await budgetStore.read();
  expect(existsSync(directory)).toBe(false);
  await budgetStore.swap(seen, 'text', 1_000);
  expect(readdirSync(resolve(directory))).toEqual([folderOf('a')]);
  await store.close();
});

test('a new budget removes only budgets unused for days', async () => {
  const directory = temporaryFolder();
  const longAgo = new Date(Date.now() - 4 * 86_400_000);
  const others = ['d41d8cd98f00b204e9800998ecf8427e', 'notes', 'petstore-notes'];
  for (const name of [folderOf('b'), folderOf('c'), ...others]) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, '1'), 'x');
    if (name !== folderOf('c')) utimesSync(join(directory, name), longAgo, longAgo);
  }
  const budgetStore = fileGate({ directory }).open('a'.repeat(32));
  await budgetStore.swap(await budgetStore.read(), 'text', 1_000);
  expect(readdirSync(directory).sort()).toEqual([...others, folderOf('a'), folderOf('c')].sort());
});

test.each([
  [null, 'The options of fileGate must be an object'],
  ['/tmp', 'The options of fileGate must be an object'],
  [{ directory: 'x', direktory: 1 }, 'Unknown option of fileGate "direktory"'],
])('explains the invalid options %j', (options, message) => {
  expect(() => fileGate(options as never)).toThrow(ConfigurationError);
  expect(() => fileGate(options as never)).toThrow(message);
});
