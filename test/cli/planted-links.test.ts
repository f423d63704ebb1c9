import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ENV, fakeContext, runFake } from '../support/fake-context.js';
import { replaceFile } from '../../src/cli/system/files/safe-file.js';
import { storeSeenPets } from '../../src/cli/commands/completion/seen-pets.js';
import { keyFileOf } from '../support/auth.js';
import { changeOwner } from '../support/change-owner.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const FOREIGN = 'is a link that another user made';
/** A file of the user. Another user has planted links to it. */
const PRECIOUS = 'must not be overwritten';
let folder: string;
let precious: string;
beforeEach(() => {
  folder = temporaryFolder({ precious: PRECIOUS });
  precious = join(folder, 'precious');
});

const logIn = () =>
  runFake('auth login --with-key --base-url https://pets.test/v1', {
    env: { PETSTORE_CONFIG_DIR: folder },
    stdin: 'sk-secret\n',
  });

describe.skipIf(process.platform === 'win32')('a link at the path of a private file is not followed', () => {
  test('a key file is replaced', async () => {
    mkdirSync(join(folder, 'keys'));
    const path = join(folder, keyFileOf());
    symlinkSync(precious, path);
    expect(await logIn()).toMatchObject({ exitCode: 0 });
    expect(readFileSync(precious, 'utf8')).toBe(PRECIOUS);
    expect(lstatSync(path).isSymbolicLink()).toBe(false);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('config.json is rejected', async () => {
    writeFileSync(precious, '{}');
    symlinkSync(precious, join(folder, 'config.json'));
    expect(await logIn()).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('config.json is a symbolic link'),
    });
    expect(readFileSync(precious, 'utf8')).toBe('{}');
  });

  test('a broken link as the lock of config.json is rejected', async () => {
    const nowhere = join(folder, 'nowhere');
    symlinkSync(nowhere, join(folder, 'config.json.lock'));
    expect(await logIn()).toMatchObject({ exitCode: 2 });
    expect(existsSync(nowhere)).toBe(false);
  });

  test('seen-pets.json is replaced', () => {
    mkdirSync(join(folder, 'state'), { mode: 0o700 });
    symlinkSync(precious, join(folder, 'state/seen-pets.json'));
    const { context } = fakeContext({ env: { PETSTORE_STATE_DIR: join(folder, 'state') } });
    storeSeenPets([{ id: 7n, name: 'Rex' }], context);
    expect(readFileSync(precious, 'utf8')).toBe(PRECIOUS);
    expect(readFileSync(join(folder, 'state/seen-pets.json'), 'utf8')).toContain('Rex');
  });

  test.each([
    ['the export', 'pets export --force --out out.json', 'out.json', 'out.json is a symbolic link'],
    ['the journal of an import', 'pets import pets.csv --yes', 'pets.csv.journal', FOREIGN],
    ['the journal of --journal', 'pets import pets.csv --yes --journal j', 'j', FOREIGN],
  ])('%s is not written through a link of another user', async (_, line, name, message) => {
    const nowhere = join(folder, 'nowhere');
    writeFileSync(join(folder, 'pets.csv'), 'name,categoryId\nRex,7\n');
    for (const target of [precious, nowhere]) {
      symlinkSync(target, join(folder, name));
      const userId = changeOwner(join(folder, name));
      const { exitCode, stderr, requests } = await runFake(line, { currentDirectory: folder, userId });
      expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
      expect(stderr).toContain(message);
      rmSync(join(folder, name));
    }
    expect(readFileSync(precious, 'utf8')).toBe(PRECIOUS);
    expect(existsSync(nowhere)).toBe(false);
  });

  test('an import rejects a link of the user to a file that is not a journal', async () => {
    writeFileSync(join(folder, 'pets.csv'), 'name,categoryId\nRex,7\n');
    symlinkSync(precious, join(folder, 'pets.csv.journal'));
    for (const flags of ['', '--resume']) {
      const line = `pets import pets.csv --yes ${flags}`;
      expect(await runFake(line, { currentDirectory: folder })).toMatchObject({ exitCode: 2, requests: [] });
    }
    expect(readFileSync(precious, 'utf8')).toBe(PRECIOUS);
  });

  test('an import rejects a broken link of the user as its journal', async () => {
    writeFileSync(join(folder, 'pets.csv'), 'name,categoryId\nRex,7\n');
    symlinkSync('nowhere', join(folder, 'pets.csv.journal'));
    const outcome = await runFake('pets import pets.csv --yes', { currentDirectory: folder });
    expect(outcome).toMatchObject({ exitCode: 2, requests: [] });
    expect(outcome.stderr).toContain('Journal pets.csv.journal is a symbolic link');
    expect(outcome.stderr).toContain('Pass another path with --journal.');
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  test.each([
    ['belongs to another user', 0o600, 'Check the journal, its owner and its permissions.'],
    ['can be written by others', 0o660, 'chmod 600 pets.csv.journal'],
  ])('an import rejects a journal that %s, and sends no row twice', async (_, mode, hint) => {
    writeFileSync(join(folder, 'pets.csv'), 'name,categoryId\nRex,7\nMia,8\n');
    const pet = { status: 201, body: '{"id":1,"name":"Rex","categoryId":7}' };
    const world = { currentDirectory: folder, responses: [pet, new Error('reset')] };
    await runFake('pets import pets.csv --yes --concurrency 1', world);
    const journal = join(folder, 'pets.csv.journal');
    const content = readFileSync(journal, 'utf8');
    expect(content).toContain('=1:1');
    chmodSync(journal, mode);
    const userId = mode === 0o600 ? changeOwner(journal) : (process.geteuid?.() ?? 0);
    for (const flags of ['', '--resume', '--resume --on-unknown retry']) {
      const line = `pets import pets.csv --yes ${flags}`;
      const outcome = await runFake(line, { ...world, userId });
      expect(outcome).toMatchObject({ exitCode: 2, requests: [] });
      expect(outcome.stderr).toContain(hint);
    }
    expect(readFileSync(journal, 'utf8')).toBe(content);
  });

  test('an import in a folder that all users can write says how to protect the folder', async () => {
    writeFileSync(join(folder, 'pets.csv'), 'name,categoryId\nRex,7\n');
    chmodSync(folder, 0o777);
    const world = { currentDirectory: folder, userId: process.geteuid?.() ?? 0 };
    for (const file of ['pets.csv', join(folder, 'pets.csv')]) {
      const { exitCode, stderr, requests } = await runFake(`pets import ${file} --yes`, world);
      expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
      expect(stderr).toContain(
        `hint: If only you have changed it, run: chmod o-w ${folder}\nhint: Otherwise`,
      );
    }
    chmodSync(folder, 0o700);
    expect(await runFake('pets import pets.csv --yes --dry-run', world)).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['a file', 'pets.csv', 'pets.rejected'],
    ['stdin', '-', 'stdin.rejected'],
  ])('the rejected rows of %s get a new name, without following links', async (_, input, rejected) => {
    const rows = 'name,categoryId\nRex,7\n';
    writeFileSync(join(folder, 'pets.csv'), rows);
    const planted = [`${rejected}.csv`, `${rejected}.csv.part`, `${rejected}-2.csv.part`];
    for (const name of planted) symlinkSync(precious, join(folder, name));
    const { exitCode } = await runFake(`pets import ${input} --yes`, {
      currentDirectory: folder,
      env: { ...ENV, PETSTORE_STATE_DIR: join(folder, 'state') },
      stdin: rows,
      responses: [{ status: 422, body: '{"message":"no"}' }],
    });
    expect(exitCode).toBe(1);
    expect(readFileSync(precious, 'utf8')).toBe(PRECIOUS);
    for (const name of planted) expect(lstatSync(join(folder, name)).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, `${rejected}-2.csv`), 'utf8')).toContain('Rex,7,');
    expect(statSync(join(folder, `${rejected}-2.csv`)).mode & 0o777).toBe(0o600);
  });

  test('the ready file is replaced, and its temporary file has another name each time', () => {
    symlinkSync(precious, join(folder, 'ready.json'));
    symlinkSync(precious, join(folder, `ready.json.${String(process.pid)}.tmp`));
    replaceFile(join(folder, 'ready.json'), ['{}']);
    expect(readFileSync(precious, 'utf8')).toBe(PRECIOUS);
    expect(readFileSync(join(folder, 'ready.json'), 'utf8')).toBe('{}');
  });
});

test.each(['../escape', 'a/b', '..', '/abs'])(
  'profile %j creates no file outside the directory',
  async (profile) => {
    const env = { PETSTORE_CONFIG_DIR: join(folder, 'config') };
    const line = ['auth', 'login', '--with-key', '--profile', profile];
    const outcome = await runFake([...line, '--base-url', 'https://pets.test/v1'], {
      env,
      stdin: 'sk-secret\n',
    });
    expect(outcome).toMatchObject({ exitCode: 2 });
    expect(existsSync(join(folder, 'config'))).toBe(false);
  },
);
