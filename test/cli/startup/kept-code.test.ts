import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CodeHost, type KeptCode, openKeptCode } from '../../../src/cli/startup/kept-code.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const STAMP = '100 5';

/** Code that says what it is of. */
const compiled = (text: string, cachedDataRejected = false) => ({
  cachedDataRejected,
  createCachedData: () => Buffer.from(text),
});

function hostWith(changes: Partial<CodeHost> = {}): CodeHost {
  const { getuid } = process;
  return {
    env: {},
    platform: 'linux',
    arch: 'x64',
    version: 'v20.20.2',
    ...(getuid === undefined ? {} : { geteuid: () => getuid() }),
    ...changes,
  };
}

interface Opening {
  argv?: readonly string[];
  build?: string;
  host?: Partial<CodeHost>;
}

function open(
  cache: string,
  { argv = ['pets', 'list'], build = '000000000001', host = {} }: Opening = {},
): KeptCode {
  const env = { XDG_CACHE_HOME: cache, ...host.env };
  const kept = openKeptCode(argv, build, hostWith({ ...host, env }));
  if (kept === undefined) throw new Error('no place for code');
  return kept;
}

/** Keeps the code of two files, as a first run does. */
function keepTwo(cache: string, opening?: Opening): void {
  const kept = open(cache, opening);
  kept.add('core.cjs', STAMP, compiled('of the core'));
  kept.add('client.cjs', STAMP, compiled('of the client, longer'));
  kept.save();
}

const filesIn = (cache: string): string[] => readdirSync(join(cache, 'petstore', 'compiled')).sort();

test.each([
  [{ HOME: 'home' }, 'linux', 'home/.cache/petstore/compiled'],
  [{ HOME: 'home', XDG_CACHE_HOME: 'relative' }, 'linux', 'home/.cache/petstore/compiled'],
  [{ HOME: 'home' }, 'darwin', 'home/Library/Caches/petstore/compiled'],
  [{ LOCALAPPDATA: 'local' }, 'win32', 'local/petstore/Cache/compiled'],
])('with %j on %s the code is kept in %s', (names, platform, expected) => {
  const root = temporaryFolder();
  const env = Object.fromEntries(
    Object.entries(names).map(([name, value]) => [name, value === 'relative' ? value : join(root, value)]),
  );
  const kept = openKeptCode(['pets'], '000000000001', hostWith({ env, platform }));
  kept?.add('core.cjs', STAMP, compiled('x'));
  kept?.save();
  expect(readdirSync(join(root, expected))).toEqual(['pets-v20.20.2-x64-000000000001.code']);
});

test.each([
  ['linux', {}],
  ['win32', {}],
  ['linux', { HOME: '.' }],
  ['linux', { HOME: '/home/ada', NODE_DISABLE_COMPILE_CACHE: '1' }],
])('on %s with %j nothing is kept', (platform, env) => {
  expect(openKeptCode(['pets'], '000000000001', hostWith({ platform, env }))).toBeUndefined();
});

test('what one run kept, the next finds, each file its own', () => {
  const cache = temporaryFolder();
  keepTwo(cache);
  const next = open(cache);
  expect(String(next.find('core.cjs', STAMP))).toBe('of the core');
  expect(String(next.find('client.cjs', STAMP))).toBe('of the client, longer');
  expect(next.find('other.cjs', STAMP)).toBeUndefined();
});

test('nothing is written where all was there', () => {
  const cache = temporaryFolder();
  keepTwo(cache);
  const path = join(cache, 'petstore', 'compiled', String(filesIn(cache)[0]));
  const before = statSync(path).ino;
  const next = open(cache);
  next.add('core.cjs', STAMP, compiled('never asked for'));
  next.save();
  expect(statSync(path).ino).toBe(before);
  expect(readFileSync(path, 'latin1')).not.toContain('never asked for');
});

test('a file that is new, or whose code was refused, is added to what is there', () => {
  const cache = temporaryFolder();
  keepTwo(cache);
  const second = open(cache);
  second.add('core.cjs', STAMP, compiled('of the core, anew', true));
  second.add('render.cjs', STAMP, compiled('of the renderer'));
  second.save();
  const third = open(cache);
  expect(['core.cjs', 'client.cjs', 'render.cjs'].map((name) => String(third.find(name, STAMP)))).toEqual([
    'of the core, anew',
    'of the client, longer',
    'of the renderer',
  ]);
});

test('first words, engines and machines have files of their own', () => {
  const cache = temporaryFolder();
  keepTwo(cache);
  keepTwo(cache, { argv: ['domain', 'verify'] });
  keepTwo(cache, { argv: ['--profile', 'live', 'pets'] });
  keepTwo(cache, { argv: ['../../../etc/x'] });
  keepTwo(cache, { host: { version: 'v24.1.0' } });
  keepTwo(cache, { host: { arch: 'arm64' } });
  expect(filesIn(cache)).toEqual([
    'domain-v20.20.2-x64-000000000001.code',
    'pets-v20.20.2-arm64-000000000001.code',
    'pets-v20.20.2-x64-000000000001.code',
    'pets-v24.1.0-x64-000000000001.code',
    'petstore-v20.20.2-x64-000000000001.code',
  ]);
});

test('two builds that are used in turn leave each other alone, and one that was not for a month goes', () => {
  const cache = temporaryFolder({ 'petstore/compiled/notes.txt': 'not ours' });
  for (const build of ['000000000001', '000000000002', '000000000003']) keepTwo(cache, { build });
  const at = (name: string): string => join(cache, 'petstore', 'compiled', name);
  const now = statSync(at('pets-v20.20.2-x64-000000000003.code')).mtimeMs / 1_000;
  utimesSync(at('pets-v20.20.2-x64-000000000001.code'), now, now - 31 * 86_400);
  utimesSync(at('notes.txt'), now, now - 31 * 86_400);
  utimesSync(at('pets-v20.20.2-x64-000000000002.code'), now, now - 29 * 86_400);
  keepTwo(cache, { argv: ['limits'], build: '000000000003' });
  expect(filesIn(cache)).toEqual([
    'limits-v20.20.2-x64-000000000003.code',
    'notes.txt',
    'pets-v20.20.2-x64-000000000002.code',
    'pets-v20.20.2-x64-000000000003.code',
  ]);
});

test.each<[string, (path: string) => void]>([
  [
    'cut short',
    (path) => {
      writeFileSync(path, readFileSync(path).subarray(0, 20));
    },
  ],
  [
    'of other bytes',
    (path) => {
      writeFileSync(path, 'x'.repeat(500));
    },
  ],
  [
    'wrong in one bit',
    (path) => {
      const bytes = readFileSync(path);
      bytes[bytes.length - 3]! ^= 4;
      writeFileSync(path, bytes);
    },
  ],
  [
    'empty',
    (path) => {
      writeFileSync(path, '');
    },
  ],
])('a file that is %s counts for none', (_, damage) => {
  const cache = temporaryFolder();
  keepTwo(cache);
  damage(join(cache, 'petstore', 'compiled', String(filesIn(cache)[0])));
  expect(open(cache).find('core.cjs', STAMP)).toBeUndefined();
});

describe.skipIf(process.platform === 'win32')('what others could have put there', () => {
  const pathIn = (cache: string): string => join(cache, 'petstore', 'compiled', String(filesIn(cache)[0]));

  test('the code is for its owner alone', () => {
    const cache = temporaryFolder();
    keepTwo(cache);
    expect(statSync(pathIn(cache)).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(pathIn(cache))).mode & 0o777).toBe(0o700);
  });

  test.each<[string, (path: string) => void]>([
    [
      'a file that others can write',
      (path) => {
        chmodSync(path, 0o620);
      },
    ],
    [
      'a link',
      (path) => {
        renameSync(path, `${path}.real`);
        symlinkSync(`${path}.real`, path);
      },
    ],
  ])('%s is not read', (_, change) => {
    const cache = temporaryFolder();
    keepTwo(cache);
    change(pathIn(cache));
    expect(open(cache).find('core.cjs', STAMP)).toBeUndefined();
  });

  test.each<[string, (folder: string) => void, number | undefined]>([
    ['whose owner is another', () => undefined, 4242],
    [
      'that others can write',
      (folder) => {
        chmodSync(folder, 0o770);
      },
      undefined,
    ],
    [
      'whose own folder others can write',
      (folder) => {
        chmodSync(dirname(folder), 0o707);
      },
      undefined,
    ],
    [
      'that is a link',
      (folder) => {
        renameSync(folder, `${folder}.real`);
        symlinkSync(`${folder}.real`, folder);
      },
      undefined,
    ],
  ])('nothing is kept in a folder %s', (_, change, user) => {
    const cache = temporaryFolder();
    keepTwo(cache);
    change(join(cache, 'petstore', 'compiled'));
    const host = hostWith({
      env: { XDG_CACHE_HOME: cache },
      ...(user === undefined ? {} : { geteuid: () => user }),
    });
    expect(openKeptCode(['pets'], '000000000001', host)).toBeUndefined();
  });
});

test.skipIf(process.platform === 'win32')('a link in its place is replaced and not followed', () => {
  const cache = temporaryFolder({ 'elsewhere.txt': 'precious' });
  keepTwo(cache);
  const path = join(cache, 'petstore', 'compiled', 'limits-v20.20.2-x64-000000000001.code');
  symlinkSync(join(cache, 'elsewhere.txt'), path);
  keepTwo(cache, { argv: ['limits'] });
  expect(readFileSync(join(cache, 'elsewhere.txt'), 'utf8')).toBe('precious');
  expect(String(open(cache, { argv: ['limits'] }).find('core.cjs', STAMP))).toBe('of the core');
});

test.skipIf(process.platform === 'win32')('a pipe in its place is not waited for, and gives way', () => {
  const cache = temporaryFolder();
  keepTwo(cache);
  const path = join(cache, 'petstore', 'compiled', String(filesIn(cache)[0]));
  rmSync(path);
  expect(spawnSync('mkfifo', ['-m', '600', path]).status).toBe(0);
  expect(open(cache).find('core.cjs', STAMP)).toBeUndefined();
  keepTwo(cache);
  expect(String(open(cache).find('core.cjs', STAMP))).toBe('of the core');
});

test('where nothing can be written nothing is thrown', () => {
  const cache = temporaryFolder();
  const kept = open(cache);
  kept.add('core.cjs', STAMP, compiled('x'));
  writeFileSync(join(cache, 'petstore'), 'in the way');
  expect(() => {
    kept.save();
  }).not.toThrow();
});

test('a file that was changed since does not get the code of what it was', () => {
  const cache = temporaryFolder();
  keepTwo(cache);
  expect(open(cache).find('core.cjs', '100 6')).toBeUndefined();
});
