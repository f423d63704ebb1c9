import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { enableCompileCache } from '../../../src/cli/startup/compile-cache.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const OWNER = process.geteuid?.() ?? 0;

/** The directories that Node's compile cache is enabled with. */
function enable(cache: string, { env = {}, userId = OWNER, isNode20 = false } = {}): string[] {
  const directories: string[] = [];
  const module = isNode20
    ? {}
    : { enableCompileCache: (directory: string) => void directories.push(directory) };
  enableCompileCache({
    env: { XDG_CACHE_HOME: cache, ...env },
    platform: 'linux',
    geteuid: () => userId,
    getBuiltinModule: () => module,
  });
  return directories;
}

describe('the compile cache', () => {
  test('is created for its owner alone, and used again', () => {
    const folder = temporaryFolder();
    const directory = join(folder, 'petstore', 'compiled');
    expect(enable(folder)).toEqual([directory]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(enable(folder)).toEqual([directory]);
  });

  test('is off on Node 20, which does not have it', () => {
    const folder = temporaryFolder();
    expect(enable(folder, { isNode20: true })).toEqual([]);
    expect(existsSync(join(folder, 'petstore'))).toBe(false);
  });

  test('is turned off by NODE_DISABLE_COMPILE_CACHE', () => {
    expect(enable(temporaryFolder(), { env: { NODE_DISABLE_COMPILE_CACHE: '1' } })).toEqual([]);
  });

  test.each([
    { what: 'is relative', env: { XDG_CACHE_HOME: 'cache' } },
    { what: 'is empty', env: { XDG_CACHE_HOME: '' } },
  ])('is off if XDG_CACHE_HOME $what and HOME is not set', ({ env }) => {
    expect(enable('', { env })).toEqual([]);
  });

  test('is off if the parent directory belongs to another user', () => {
    const folder = temporaryFolder();
    expect(enable(folder, { userId: OWNER + 1 })).toEqual([]);
    expect(existsSync(join(folder, 'petstore'))).toBe(false);
  });

  test('is off if others can write to the directory', () => {
    const folder = temporaryFolder();
    enable(folder);
    chmodSync(join(folder, 'petstore', 'compiled'), 0o770);
    expect(enable(folder)).toEqual([]);
  });

  test('is off if the directory belongs to another user', () => {
    const folder = temporaryFolder();
    enable(folder);
    expect(enable(folder, { userId: OWNER + 1 })).toEqual([]);
  });

  test('is off if the directory is a link', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'elsewhere'));
    mkdirSync(join(folder, 'petstore'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'petstore', 'compiled'));
    expect(enable(folder)).toEqual([]);
  });
});
