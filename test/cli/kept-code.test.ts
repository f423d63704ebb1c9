import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { codeDirectory, type CodeHost, type KeptCode, openKeptCode } from '../../src/cli/kept-code.js';
import { temporaryFolder } from '../support/temporary-folder.js';

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
    versions: { v8: '11.3' },
    ...(getuid === undefined ? {} : { geteuid: () => getuid() }),
    ...changes,
  };
}

interface Opening {
  argv?: readonly string[];
  build?: string;
  host?: Partial<CodeHost>;
}

function open(cache: string, { argv = ['pets', 'list'], build = 'b1', host = {} }: Opening = {}): KeptCode {
  const env = { XDG_CACHE_HOME: cache, ...host.env };
  const kept = openKeptCode(argv, build, hostWith({ ...host, env }));
  if (kept === undefined) throw new Error('no place for code');
  return kept;
}

/** Keeps the code of two files, as a first run does. */
function keepTwo(cache: string, opening?: Opening): void {
  const kept = open(cache, opening);
  kept.add('core.cjs', compiled('of the core'));
  kept.add('client.cjs', compiled('of the client, longer'));
  kept.save();
}

const filesIn = (cache: string): string[] => readdirSync(join(cache, 'petstore', 'compiled')).sort();

test('a relative HOME is none: what runs is not for the current directory to say', () => {
  expect(codeDirectory({ env: { HOME: 'home' }, platform: 'linux' })).toBeUndefined();
});

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
  const kept = openKeptCode(['pets'], 'b1', hostWith({ env, platform }));
  kept?.add('core.cjs', compiled('x'));
  kept?.save();
  expect(readdirSync(join(root, expected))).toEqual(['pets-11.3-x64-b1.code']);
});

test.each([
  ['linux', {}],
  ['win32', {}],
  ['linux', { HOME: '/home/ada', NODE_DISABLE_COMPILE_CACHE: '1' }],
])('on %s with %j nothing is kept', (platform, env) => {
  expect(openKeptCode(['pets'], 'b1', hostWith({ platform, env }))).toBeUndefined();
});

test('what one run kept, the next finds, each file its own', () => {
  const cache = temporaryFolder();
  keepTwo(cache);
  const next = open(cache);
  expect(String(next.find('core.cjs'))).toBe('of the core');
  expect(String(next.find('client.cjs'))).toBe('of the client, longer');
  expect(next.find('other.cjs')).toBeUndefined();
});

test('nothing is written where all was there', () => {
  const cache = temporaryFolder();
  keepTwo(cache);
  const path = join(cache, 'petstore', 'compiled', String(filesIn(cache)[0]));
  const before = statSync(path).ino;
  const next = open(cache);
  next.add('core.cjs', compiled('never asked for'));
  next.save();
  expect(statSync(path).ino).toBe(before);
  expect(readFileSync(path, 'latin1')).not.toContain('never asked for');
});

test('a file that is new, or whose code was refused, is added to what is there', () => {
  const cache = temporaryFolder();
  keepTwo(cache);
  const second = open(cache);
  second.add('core.cjs', compiled('of the core, anew', true));
  second.add('render.cjs', compiled('of the renderer'));
  second.save();
  const third = open(cache);
  expect(['core.cjs', 'client.cjs', 'render.cjs'].map((name) => String(third.find(name)))).toEqual([
    'of the core, anew',
    'of the client, longer',
    'of the renderer',
  ]);
});

test('commands, builds, engines and machines have files of their own, and old builds leave', () => {
  const cache = temporaryFolder();
  keepTwo(cache);
  keepTwo(cache, { argv: ['domain', 'verify'] });
  keepTwo(cache, { argv: ['--profile', 'live', 'pets'] });
  keepTwo(cache, { argv: ['../../../etc/x'] });
  keepTwo(cache, { host: { versions: { v8: '13.6' } } });
  keepTwo(cache, { host: { arch: 'arm64' } });
  expect(filesIn(cache)).toEqual([
    'domain-11.3-x64-b1.code',
    'pets-11.3-arm64-b1.code',
    'pets-11.3-x64-b1.code',
    'pets-13.6-x64-b1.code',
    'petstore-11.3-x64-b1.code',
  ]);
  keepTwo(cache, { build: 'b2' });
  expect(filesIn(cache)).toEqual(['pets-11.3-x64-b2.code']);
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
    'empty',
    (path) => {
      writeFileSync(path, '');
    },
  ],
])('a file that is %s counts for none', (_, damage) => {
  const cache = temporaryFolder();
  keepTwo(cache);
  damage(join(cache, 'petstore', 'compiled', String(filesIn(cache)[0])));
  expect(open(cache).find('core.cjs')).toBeUndefined();
});

test.skipIf(process.platform === 'win32')(
  'a file that others can write, or is somebody else’s, is not read',
  () => {
    const cache = temporaryFolder();
    keepTwo(cache);
    const path = join(cache, 'petstore', 'compiled', String(filesIn(cache)[0]));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(open(cache, { host: { geteuid: () => 4242 } }).find('core.cjs')).toBeUndefined();
    chmodSync(path, 0o620);
    expect(open(cache).find('core.cjs')).toBeUndefined();
  },
);

test.skipIf(process.platform === 'win32')('a link in its place is replaced and not followed', () => {
  const cache = temporaryFolder({ 'elsewhere.txt': 'precious' });
  keepTwo(cache);
  const path = join(cache, 'petstore', 'compiled', 'limits-11.3-x64-b1.code');
  symlinkSync(join(cache, 'elsewhere.txt'), path);
  keepTwo(cache, { argv: ['limits'] });
  expect(readFileSync(join(cache, 'elsewhere.txt'), 'utf8')).toBe('precious');
  expect(String(open(cache, { argv: ['limits'] }).find('core.cjs'))).toBe('of the core');
});

test('where nothing can be written nothing is thrown', () => {
  const root = temporaryFolder({ file: '' });
  expect(() => {
    keepTwo(join(root, 'file'));
  }).not.toThrow();
});
