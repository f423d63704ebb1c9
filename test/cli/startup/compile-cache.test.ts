import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CompileCacheHost, loadWithCompileCache } from '../../../src/cli/startup/compile-cache.js';
import { changeOwner } from '../../support/change-owner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const OWNER = process.geteuid?.() ?? 0;
const PROGRAM = 'exports.load = (id) => require(id).value;';
const CHUNKS = {
  'program.cjs': PROGRAM,
  'one.cjs': "exports.value = [__filename, __dirname, typeof module, require('node:path').sep].join();",
  'two.cjs': "exports.value = require('./one.cjs').value;",
};

interface World {
  folder?: string;
  line?: string;
  modules?: string[];
  env?: Record<string, string>;
  userId?: number;
  versions?: Record<string, string>;
  versionTags?: number[];
  exitCode?: number;
  afterModule?: () => void;
}

/** Runs a command until its end. @returns the values of its modules, and whether some code of it was not stored yet. */
function run(cache: string, world: World = {}): { values: unknown[]; isNew: boolean } {
  const { folder = chunks, line = 'pets list', modules = ['./one.cjs'], userId = OWNER, versionTags } = world;
  const listeners: ((code: number) => void)[] = [];
  const host = {
    arch: 'x64',
    argv: ['node', 'petstore', ...line.split(' ')],
    env: { XDG_CACHE_HOME: cache, ...world.env },
    geteuid: () => userId,
    getBuiltinModule: (id: string) =>
      id === 'node:v8' && versionTags !== undefined
        ? { cachedDataVersionTag: () => versionTags.shift() }
        : process.getBuiltinModule(id),
    once: (_: string, listener: (code: number) => void) => listeners.push(listener),
    pid: 1,
    platform: 'linux',
    versions: { node: '20.0.0', ...world.versions },
  } as unknown as CompileCacheHost;
  const program = loadWithCompileCache(folder, createRequire(import.meta.url), host) as {
    load: (id: string) => unknown;
  };
  const values = modules.map((id) => {
    const value = program.load(id);
    world.afterModule?.();
    return value;
  });
  for (const listener of listeners) listener(world.exitCode ?? 0);
  return { values, isNew: listeners.length > 0 };
}

const folderOf = (cache: string): string => join(cache, 'petstore', 'compiled');
const fileOf = (cache: string): string => join(folderOf(cache), '20.0.0-x64-pets-list');

function filesOf(cache: string): string[] {
  return existsSync(folderOf(cache)) ? readdirSync(folderOf(cache)).sort() : [];
}

let chunks: string;
beforeEach(() => {
  chunks = temporaryFolder(CHUNKS);
});

test('a run stores the code of its chunks, and the next run uses it', () => {
  const cache = temporaryFolder();
  const values = [[join(chunks, 'one.cjs'), chunks, 'object', '/'].join()];
  expect(run(cache)).toEqual({ values, isNew: true });
  expect(run(cache)).toEqual({ values, isNew: false });
  expect(filesOf(cache)).toEqual(['20.0.0-x64-pets-list']);
  expect(statSync(fileOf(cache)).mode & 0o777).toBe(0o600);
});

test('a chunk that a run adds is stored beside the others', () => {
  const cache = temporaryFolder();
  run(cache);
  expect(run(cache, { modules: ['./two.cjs'] }).isNew).toBe(true);
  expect(run(cache).isNew).toBe(false);
  run(temporaryFolder(), { modules: ['./two.cjs'] });
  expect(run(cache, { modules: ['./one.cjs', './two.cjs'] }).isNew).toBe(false);
});

test('the code of another build is dropped, also if the text is as long', () => {
  const cache = temporaryFolder();
  const builds = ['1', '2'].map((value) =>
    temporaryFolder({ 'program.cjs': `${PROGRAM}//${value}`, [`${value}.cjs`]: `exports.value = ${value};` }),
  );
  for (const [index, folder] of builds.entries()) {
    const modules = [`./${String(index + 1)}.cjs`];
    expect(run(cache, { folder, modules })).toEqual({ values: [index + 1], isNew: true });
    expect(run(cache, { folder, modules })).toEqual({ values: [index + 1], isNew: false });
  }
  expect(readFileSync(fileOf(cache), 'latin1')).not.toContain('"1.cjs"');
});

test.each([
  ['empty', () => Buffer.alloc(0)],
  ['cut off', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['changed', (bytes: Buffer) => bytes.fill(0, bytes.length - 9)],
  ['another one', () => Buffer.from('{}\n')],
])('a stored file that is %s is written again', (_, damage) => {
  const cache = temporaryFolder();
  run(cache);
  writeFileSync(fileOf(cache), damage(readFileSync(fileOf(cache))));
  expect(run(cache).isNew).toBe(true);
  expect(run(cache).isNew).toBe(false);
});

test.each([
  ['petstore pets list', '20.0.0-x64-pets-list'],
  ['--profile shop pets get 7', '20.0.0-x64-pets-get'],
  ['pets --help', '20.0.0-x64-pets'],
  ['api GET /pets', '20.0.0-x64-api'],
  ['api pets', '20.0.0-x64-api'],
  ['pets ../../x', '20.0.0-x64-pets'],
  ['rex', '20.0.0-x64'],
])('%s has a file of its own', (line, name) => {
  const cache = temporaryFolder();
  run(cache, { line });
  expect(filesOf(cache)).toEqual([name]);
});

test('own files that are older than 30 days are removed, and no others', () => {
  const cache = temporaryFolder();
  mkdirSync(folderOf(cache), { recursive: true, mode: 0o700 });
  const names = ['18.0.0-x64-pets-get', '20.0.0-x64-api.77', '20.0.1-x64', 'notes.txt', '20-x64-list'];
  const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1_000);
  for (const name of names) {
    writeFileSync(join(folderOf(cache), name), '');
    utimesSync(join(folderOf(cache), name), old, name === '20.0.1-x64' ? new Date() : old);
  }
  run(cache);
  expect(filesOf(cache)).toEqual(['20-x64-list', '20.0.0-x64-pets-list', '20.0.1-x64', 'notes.txt']);
});

test('a named pipe in its place is not waited for, and is replaced', () => {
  const cache = temporaryFolder();
  mkdirSync(folderOf(cache), { recursive: true, mode: 0o700 });
  execFileSync('mkfifo', [fileOf(cache)]);
  run(cache);
  expect(run(cache).isNew).toBe(false);
});

test('a mistyped command leaves no file', () => {
  const cache = temporaryFolder();
  run(cache, { exitCode: 2 });
  expect(filesOf(cache)).toEqual([]);
});

test('nothing is stored if the flags of V8 changed, because V8 would reject it', () => {
  const cache = temporaryFolder();
  run(cache, { versionTags: [1, 2] });
  expect(filesOf(cache)).toEqual([]);
});

test('a command that runs on stores its code after a second, and later chunks at its end', () => {
  const timer = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => {
    timer.mockRestore();
  });
  const cache = temporaryFolder();
  const values = run(cache, {
    modules: ['./one.cjs', './two.cjs'],
    afterModule: () => {
      const [store, delayMs] = timer.mock.calls[0] ?? [];
      expect(delayMs).toBe(1_000);
      // It does not keep the process from its end.
      expect((timer.mock.results[0]?.value as NodeJS.Timeout).hasRef()).toBe(false);
      store?.();
      expect(filesOf(cache)).toEqual(['20.0.0-x64-pets-list']);
    },
  });
  expect(run(cache, { modules: ['./one.cjs', './two.cjs'] })).toEqual({ ...values, isNew: false });
});

test("a file that can't be written is no error, and leaves no draft", () => {
  const cache = temporaryFolder();
  mkdirSync(join(fileOf(cache), 'folder'), { recursive: true });
  expect(run(cache).isNew).toBe(true);
  expect(filesOf(cache)).toEqual(['20.0.0-x64-pets-list']);
});

test.each([
  { what: 'NODE_DISABLE_COMPILE_CACHE is set', env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
  { what: 'XDG_CACHE_HOME is relative and HOME is not set', env: { XDG_CACHE_HOME: 'cache' } },
  { what: 'XDG_CACHE_HOME is empty and HOME is not set', env: { XDG_CACHE_HOME: '' } },
  { what: 'the runtime is Bun', versions: { bun: '1.4.4' } },
  { what: 'the runtime is Deno', versions: { deno: '2.9.6' } },
])('there is no cache if $what', (world) => {
  const cache = temporaryFolder();
  const values = [[join(chunks, 'one.cjs'), chunks, 'object', '/'].join()];
  expect(run(cache, world)).toEqual({ values, isNew: false });
  expect(readdirSync(cache)).toEqual([]);
});

describe('the folder of the cache', () => {
  test('is created for its owner alone', () => {
    const cache = temporaryFolder();
    run(cache);
    expect(statSync(folderOf(cache)).mode & 0o777).toBe(0o700);
  });

  test.each(['petstore/compiled', 'petstore', '.'])('is not used if others can write %s', (name) => {
    const cache = temporaryFolder();
    mkdirSync(folderOf(cache), { recursive: true });
    chmodSync(join(cache, name), 0o777);
    expect(run(cache).isNew).toBe(false);
    expect(filesOf(cache)).toEqual([]);
  });

  test.each(['petstore/compiled', 'petstore', '.'])('is not used if %s belongs to another user', (name) => {
    const cache = temporaryFolder();
    mkdirSync(join(cache, name), { recursive: true });
    expect(run(cache, { userId: changeOwner(join(cache, name)) }).isNew).toBe(false);
    expect(filesOf(cache)).toEqual([]);
  });

  test.for([
    { what: 'others can write', change: (file: string) => void chmodSync(file, 0o622) },
    { what: 'another user made', change: (file: string) => void chownSync(file, 4_242, 4_242) },
  ])('may be one such as /tmp, where a file that $what is not read', ({ what, change }, { skip }) => {
    skip(what === 'another user made' && OWNER !== 0, 'only root can give a file away');
    const cache = temporaryFolder();
    mkdirSync(folderOf(cache), { recursive: true });
    chmodSync(folderOf(cache), 0o1777);
    run(cache);
    expect(run(cache).isNew).toBe(false);
    change(fileOf(cache));
    expect(run(cache).isNew).toBe(true);
  });

  test('may be a link to another one, with the same check', () => {
    const cache = temporaryFolder();
    mkdirSync(join(cache, 'elsewhere'));
    mkdirSync(join(cache, 'petstore'));
    symlinkSync(join(cache, 'elsewhere'), folderOf(cache));
    expect(run(cache).isNew).toBe(true);
    expect(readdirSync(join(cache, 'elsewhere'))).toEqual(['20.0.0-x64-pets-list']);
    chmodSync(join(cache, 'elsewhere'), 0o777);
    expect(run(cache).isNew).toBe(false);
  });
});
