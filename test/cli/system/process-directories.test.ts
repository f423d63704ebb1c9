import { devNull } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { completeLine } from '../../../src/cli/startup/complete-line.js';
import { runProcess } from '../../../src/cli/program/run-process.js';
import { createProcessContext } from '../../../src/cli/system/process-context.js';
import { currentDirectory, hasNoHome, homeDirectory } from '../../../src/cli/system/process-directories.js';
import { readCommandTree } from '../../../src/cli/program/read-command-tree.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const unknown = (): string => {
  throw new Error('ENOENT');
};
const deletedDirectory = (): string => {
  throw Object.assign(new Error('ENOENT: process.cwd failed'), { code: 'ENOENT', syscall: 'uv_cwd' });
};

test.each([
  [[() => '/home/ada', unknown], '/home/ada'],
  [[() => '', () => '/home/ada'], '/home/ada'],
  [[() => '.', () => '/home/ada'], '/home/ada'],
  [[unknown, () => '/home/ada'], '/home/ada'],
])('an empty or relative HOME counts as not set: %#', (says, found) => {
  expect(homeDirectory(says, () => true)).toBe(found);
});

test('a home directory that does not exist counts as none', () => {
  const folder = temporaryFolder({ file: '' });
  expect(homeDirectory([() => folder])).toBe(folder);
  for (const missing of [join(folder, 'missing'), join(folder, 'file')]) {
    const found = homeDirectory([() => missing, () => folder]);
    expect([found.startsWith(devNull), hasNoHome(join(found, '.config'))]).toEqual([true, true]);
  }
  expect(hasNoHome(folder)).toBe(false);
});

test('without a home directory, a path that cannot exist is used', () => {
  expect(homeDirectory([() => '', unknown]).startsWith(devNull)).toBe(true);
});

test('an empty HOME does not make the current directory the home directory', async () => {
  const folder = temporaryFolder({
    '.config/petstore/config.json': { profile: 'evil', profiles: { evil: {} } },
  });
  vi.stubEnv('HOME', '');
  const before = process.cwd();
  const env = { XDG_CONFIG_HOME: '' };
  try {
    process.chdir(folder);
    const host = { env, platform: 'linux', cwd: () => folder } as const;
    expect(await completeLine(['zsh', '1', '--', '--profile', ''], host, readCommandTree)).toBe('');
    expect(createProcessContext(process, new AbortController().signal).homeDirectory).toMatch(/^\//);
  } finally {
    process.chdir(before);
    vi.unstubAllEnvs();
  }
});

test('a deleted current directory is undefined', () => {
  expect(currentDirectory({ cwd: () => '/here' })).toBe('/here');
  expect(currentDirectory({ cwd: deletedDirectory })).toBeUndefined();
});

test.each([
  ['version', 0, ''],
  ['pets list --mock --no-header', 0, ''],
  ['pets create --mock -f rex.json', 2, 'error: The current directory has been deleted'],
])('in a deleted directory: %s', async (line, exitCode, stderr) => {
  const written = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    on: () => undefined,
    write: (text: string) => (written[name] += text),
  });
  const fake = {
    env: { PETSTORE_CONFIG_DIR: '/nowhere' },
    cwd: deletedDirectory,
    platform: 'linux',
    version: 'v1',
    versions: { node: '1' },
    pid: 5,
    argv: [],
    on: () => undefined,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    exitCode: -1,
  };
  // The process has only the members that runProcess() uses.
  await runProcess(line.split(' '), fake as unknown as NodeJS.Process, () => false);
  expect(fake.exitCode).toBe(exitCode);
  expect(written.stderr.slice(0, stderr.length)).toBe(stderr);
});
