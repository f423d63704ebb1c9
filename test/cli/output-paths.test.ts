import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { runLine } from '../../src/cli/program/run-line.js';
import { Interruption } from '../../src/cli/system/context.js';
import { fakeContext, runFake, type World } from '../support/fake-context.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROWS = 'name,categoryId\nRex,7\n';
const RECORD = 'mock --port 0 --upstream http://127.0.0.1:1/v1';
let folder: string;
beforeEach(() => {
  folder = temporaryFolder({ 'pets.csv': ROWS });
});

/** Runs a command that must end on its own, with exit code 2 and without a request. */
async function refusalOf(line: string | readonly string[], more: World = {}): Promise<string> {
  const { exitCode, requests, stdout, stderr } = await runFake(line, {
    currentDirectory: folder,
    stdin: ROWS,
    ...more,
  });
  expect({ exitCode, requests, stdout }).toEqual({ exitCode: 2, requests: [], stdout: '' });
  return stderr;
}

const makePipe = (name: string) => execFileSync('mkfifo', [join(folder, name)]);
const isPipe = (name: string) => lstatSync(join(folder, name)).isFIFO();

describe.skipIf(process.platform === 'win32')('a named pipe is not replaced', () => {
  test.each([
    ['mock --port 0 --ready-file pipe', 'pipe is not a regular file'],
    [`${RECORD} --record r.har --ready-file pipe`, 'pipe is not a regular file'],
    [`${RECORD} --record pipe`, 'pipe is not a regular file'],
    ['mock --port 0 --data pipe', "Can't read pipe (it is a named pipe)"],
    ['pets export --out pipe --force', 'pipe is not a regular file'],
  ])('%s', async (line, message) => {
    makePipe('pipe');
    expect(await refusalOf(line)).toContain(`error: ${message}\n`);
    expect(isPipe('pipe')).toBe(true);
    expect(readdirSync(folder)).toEqual(['pets.csv', 'pipe']);
  });

  test('j.input, next to the journal of a stream', async () => {
    makePipe('j.input');
    expect(await refusalOf('pets import - --yes --journal j')).toContain(
      'error: j.input is not a regular file\n',
    );
    expect(isPipe('j.input')).toBe(true);
    expect(readdirSync(folder)).toEqual(['j.input', 'pets.csv']);
  });

  test('a key file', async () => {
    mkdirSync(join(folder, 'keys'));
    makePipe('keys/default.key');
    const line = 'auth login --with-key --base-url https://pets.test/v1';
    const message = await refusalOf(line, { env: { PETSTORE_CONFIG_DIR: folder }, stdin: 'sk-secret\n' });
    expect(message).toContain('default.key (it is a named pipe)');
    expect(isPipe('keys/default.key')).toBe(true);
  });
});

describe('a ready file', () => {
  test.skipIf(process.platform === 'win32').each(['pets.csv', 'nowhere'])(
    'a symbolic link to %s is not replaced',
    async (target) => {
      symlinkSync(target, join(folder, 'ready.json'));
      expect(await refusalOf('mock --port 0 --ready-file ready.json')).toBe(
        'error: ready.json is a symbolic link\nhint: Pass the path of the file itself.\n',
      );
      expect(lstatSync(join(folder, 'ready.json')).isSymbolicLink()).toBe(true);
    },
  );

  test.each(['my notes', '{"name":"x"}', 'null', '[]'])(
    'does not replace a file with %s',
    async (content) => {
      writeFileSync(join(folder, 'ready.json'), content);
      expect(await refusalOf('mock --port 0 --ready-file ready.json')).toBe(
        'error: ready.json exists and is not a ready file\nhint: Pass another file with --ready-file, or remove this one.\n',
      );
      expect(readFileSync(join(folder, 'ready.json'), 'utf8')).toBe(content);
    },
  );

  test.each(['', '{"pid":1,"id":"x","url":"http://127.0.0.1:1"}'])(
    'replaces an empty file and one of an ended mock: %j',
    async (content) => {
      writeFileSync(join(folder, 'ready.json'), content);
      const controller = new AbortController();
      const fake = fakeContext({ currentDirectory: folder, env: {}, signal: controller.signal });
      const ended = runLine(['mock', '--port', '0', '--ready-file', 'ready.json'], fake.context);
      await vi.waitFor(() => expect(fake.stdout()).toContain('export PETSTORE_BASE_URL='), {
        timeout: 30_000,
      });
      expect(JSON.parse(readFileSync(join(folder, 'ready.json'), 'utf8'))).toMatchObject({ pid: 4242 });
      controller.abort(new Interruption(143));
      expect(await ended).toBe(0);
      expect(readdirSync(folder)).toEqual(['pets.csv']);
    },
  );
});

describe('a path with a slash at its end names a directory', () => {
  test.each([
    'pets export -o csv --out new.csv/',
    'pets export -o csv --out new.csv/.',
    'mock --port 0 --ready-file new.csv/',
    'mock --port 0 --data new.csv/',
    `${RECORD} --record new.csv/`,
    'pets import pets.csv --yes --journal new.csv/',
  ])('%s', async (line) => {
    const file = line.split(' ').at(-1) ?? '';
    expect(await refusalOf(line)).toBe(
      `error: ${file} names a directory\nhint: Pass the path of a file, without a slash at its end.\n`,
    );
    expect(readdirSync(folder)).toEqual(['pets.csv']);
  });
});

describe('a path that can never be written is an error of usage', () => {
  test.skipIf(process.platform === 'win32').each([
    [`${'a'.repeat(300)}.csv`, 'the name is too long'],
    ['loop/new.csv', 'too many symbolic links'],
    ['pets.csv/new.csv', 'a part of the path is not a folder'],
    ['nowhere/new.csv', 'no such file or folder'],
  ])('--out %s (%s)', async (file, reason) => {
    symlinkSync('loop', join(folder, 'loop'));
    expect(await refusalOf(['pets', 'export', '--out', file])).toBe(
      `error: Can't write ${file} (${reason})\nhint: Check the path, and the permissions of its folder.\n`,
    );
  });
});

test('an import from a stream does not replace a file of the user next to the journal', async () => {
  writeFileSync(join(folder, 'j.input'), 'mine');
  expect(await refusalOf('pets import - --yes --journal j')).toContain(
    'error: j.input exists, without its journal j\n',
  );
  expect(readFileSync(join(folder, 'j.input'), 'utf8')).toBe('mine');
  expect(readdirSync(folder)).toEqual(['j.input', 'pets.csv']);
});
