import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadWithCompileCache } from '../../../src/cli/startup/compile-cache.js';
import { changeOwner } from '../../support/change-owner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const OWNER = process.geteuid?.() ?? 0;

interface World {
  env?: Record<string, string>;
  userId?: number;
  isNode20?: boolean;
  /** Node can't write to the directory. */
  isFull?: boolean;
}

/** Loads a program. @returns what happens, in order. */
function stepsOf(cache: string, { env, userId = OWNER, isNode20, isFull }: World = {}): string[] {
  const steps: string[] = [];
  const modules: Record<string, object> = {
    'node:module': {
      ...(!isNode20 && {
        enableCompileCache(directory: string) {
          steps.push(directory);
          return isFull ? {} : { directory };
        },
      }),
    },
    'node:v8': { setFlagsFromString: (flag: string) => steps.push(flag) },
  };
  const host = {
    env: { XDG_CACHE_HOME: cache, ...env },
    platform: 'linux' as const,
    geteuid: () => userId,
    getBuiltinModule: ((id: string) => modules[id]) as NodeJS.Process['getBuiltinModule'],
  };
  loadWithCompileCache(() => steps.push('load'), host);
  return steps;
}

/** The directories that Node's compile cache is enabled with. */
function enable(cache: string, world: World = {}): string[] {
  return stepsOf(cache, world).filter((step) => step.startsWith('/'));
}

test('all functions of the program are compiled for the cache, later ones when they are called', () => {
  const folder = temporaryFolder();
  const directory = join(folder, 'petstore', 'compiled');
  expect(stepsOf(folder)).toEqual([directory, '--no-lazy', 'load', '--lazy']);
});

test('without a cache, functions are compiled when they are called', () => {
  const folder = temporaryFolder();
  expect(stepsOf(folder, { isNode20: true })).toEqual(['load']);
  expect(stepsOf(folder, { env: { NODE_DISABLE_COMPILE_CACHE: '1' } })).toEqual(['load']);
  expect(stepsOf(folder, { isFull: true })).toEqual([join(folder, 'petstore', 'compiled'), 'load']);
});

describe('the compile cache', () => {
  test('is created for its owner alone, and used again', () => {
    const folder = temporaryFolder();
    const directory = join(folder, 'petstore', 'compiled');
    expect(enable(folder)).toEqual([directory]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(enable(folder)).toEqual([directory]);
  });

  test.each([
    { what: 'is relative', env: { XDG_CACHE_HOME: 'cache' } },
    { what: 'is empty', env: { XDG_CACHE_HOME: '' } },
  ])('is off if XDG_CACHE_HOME $what and HOME is not set', ({ env }) => {
    expect(enable('', { env })).toEqual([]);
  });

  test.each(['petstore/compiled', 'petstore', '.'])('is off if others can write %s', (name) => {
    const folder = temporaryFolder();
    enable(folder);
    chmodSync(join(folder, name), 0o777);
    expect(enable(folder)).toEqual([]);
  });

  test.each(['petstore/compiled', 'petstore', '.'])('is off if %s belongs to another user', (name) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, name), { recursive: true });
    expect(enable(folder, { userId: changeOwner(join(folder, name)) })).toEqual([]);
    expect(existsSync(join(folder, 'petstore', 'compiled'))).toBe(name === 'petstore/compiled');
  });

  test('is in the directory that a link leads to', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'elsewhere'));
    mkdirSync(join(folder, 'petstore'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'petstore', 'compiled'));
    expect(enable(folder)).toEqual([join(folder, 'elsewhere')]);
    chmodSync(join(folder, 'elsewhere'), 0o777);
    expect(enable(folder)).toEqual([]);
  });
});
