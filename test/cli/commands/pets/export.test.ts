import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Interruption } from '../../../../src/cli/system/context.js';
import { PET_FIELDS } from '../../../../src/schema/pet-reader.js';
import { ENV, runFake, type Scripted, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const pet = (id: number | string, name = 'Rex') =>
  `{"id":${String(id)},"name":${JSON.stringify(name)},"categoryId":7,"status":"sold"}`;
const listOf = (...pets: string[]): Scripted => ({ body: `[${pets.join()}]` });
const full = listOf(...Array.from({ length: 100 }, (_, at) => pet(at + 1)));
const two = [listOf(pet(2), pet('9007199254740993', '=1+1'))];

describe('flags', () => {
  test.each([
    ['--status lost', '--status: "lost" is not one of'],
    ['-o table', 'petstore pets export does not support -o table'],
    ['-o ids', 'petstore pets export does not support -o ids'],
    ['--out pets.xlsx', 'Unknown format of pets.xlsx'],
    ['--out pets', 'Unknown format of pets'],
    ['--force', '--force needs --out'],
    ['--out - --force', '--force needs --out'],
    ['-s sold,lost', '--status: "lost" is not one of'],
    ['--fields id', 'petstore pets export does not support --fields'],
    ['--sort id', 'petstore pets export does not support --sort'],
    ['--query [0]', 'petstore pets export does not support --query'],
    ['--no-header', 'petstore pets export does not support --no-header'],
    ['--out /nowhere/at/all/pets.csv', "Can't write /nowhere/at/all/pets.csv (no such file or folder)"],
  ])('%s: exit code 2, nothing sent', async (flags, message) => {
    const { exitCode, stdout, stderr, requests } = await runFake(`pets export ${flags}`);
    expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
    expect(stderr).toContain(`error: ${message}`);
  });
});

/** A table of pets without newer fields. */
function csvOf(...rows: readonly string[]): string {
  const head = PET_FIELDS.join(',');
  return [head, ...rows.map((row) => row + ','.repeat(PET_FIELDS.length - row.split(',').length))]
    .map((line) => `${line}\r\n`)
    .join('');
}

describe('on stdout', () => {
  test.each([
    ['', csvOf('2,Rex,7,sold', "9007199254740993,'=1+1,7,sold")],
    ['--csv-raw', csvOf('2,Rex,7,sold', '9007199254740993,=1+1,7,sold')],
    ['--out - -o ndjson', `${pet(2)}\n${pet('9007199254740993', '=1+1')}\n`],
    ['-o json', `[\n${pet(2)},\n${pet('9007199254740993', '=1+1')}\n]\n`],
    ['-o tsv', '2\tRex\t7\tsold\n9007199254740993\t=1+1\t7\tsold\n'],
    [
      '-o yaml',
      '- id: 2\n  name: Rex\n  categoryId: 7\n  status: sold\n- id: 9007199254740993\n  name: "=1+1"\n  categoryId: 7\n  status: sold\n',
    ],
  ])('%s', async (flags, stdout) => {
    expect(await runFake(`pets export ${flags}`, { responses: two })).toMatchObject({
      exitCode: 0,
      stdout,
      stderr: 'Exported 2 pets; the export is complete.\n',
    });
  });

  test.each([
    ['csv', 'a\u001b[2J'],
    ['ndjson', 'a\u009b2J'],
  ])('%s: exact in a pipe, escaped on a terminal', async (format, name) => {
    const responses = [listOf(pet(1, name))];
    expect((await runFake(`pets export -o ${format}`, { responses })).stdout).toContain(name);
    const { stdout } = await runFake(`pets export -o ${format}`, { responses, terminals: ['stdout'] });
    expect(stdout).not.toMatch(/[\u001b\u009b]/);
  });

  test('PETSTORE_OUTPUT gives the format without a flag and a file name, except for table', async () => {
    const out = (format: string) =>
      runFake('pets export', { responses: two, env: { ...ENV, PETSTORE_OUTPUT: format } });
    expect((await out('ndjson')).stdout).toMatch(/^\{/);
    expect((await out('table')).stdout).toMatch(/^id,name,/);
  });

  test('--status requests this status only', async () => {
    const { requests } = await runFake('pets export --status sold', { responses: [full] });
    expect(requests.map(({ path }) => path)).toEqual(['/v1/pets?limit=100&status=sold']);
  });

  test('-s with several statuses: one request each, merged by id', async () => {
    const responses = [listOf(pet(3), pet(2)), listOf(pet(1), pet(3, 'Rex II'))];
    const { stdout, stderr, requests } = await runFake('pets export -s sold,pending', { responses });
    expect(requests.map(({ path }) => path)).toEqual([
      '/v1/pets?limit=100&status=sold',
      '/v1/pets?limit=100&status=pending',
    ]);
    expect(stdout).toBe(csvOf('1,Rex,7,sold', '2,Rex,7,sold', '3,Rex II,7,sold'));
    expect(stderr).toBe('Exported 3 pets; the export is complete.\n');
  });

  test('-s with several statuses is incomplete if one list is full', async () => {
    const responses = [full, listOf(pet(200))];
    const { exitCode, stderr } = await runFake('pets export -s sold,pending', { responses });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Exported 101 pets, but the export may be incomplete');
  });
});

describe('an export that may be incomplete', () => {
  const lists = (...counts: number[]) =>
    ['', 'available', 'pending', 'sold'].map((status, at) =>
      listOf(
        ...Array.from({ length: counts[at] ?? 0 }, (_, id) =>
          pet(100 * at + id + 1).replace('sold', status || 'available'),
        ),
      ),
    );

  test.each([
    ['', lists(100, 20, 30, 40)],
    ['--status sold', [full]],
  ])('pets export %s: is written, and exits 1', async (flags, responses) => {
    const { exitCode, stdout, stderr } = await runFake(`pets export -q ${flags}`, { responses });
    const count = stdout.split('\r\n').length - 2;
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `error: Exported ${String(count)} pets, but the export may be incomplete\nhint: The service lists at most 100 pets per request, so pets may be missing. If that is acceptable, pass --allow-incomplete.\n`,
    });
  });

  test('with a JSON format, the error is JSON', async () => {
    const { exitCode, stdout, stderr } = await runFake('pets export -o ndjson', { responses: [full] });
    expect({ exitCode, lines: stdout.split('\n').length }).toEqual({ exitCode: 1, lines: 101 });
    expect(JSON.parse(stderr)).toEqual({
      error: expect.objectContaining({ type: 'incomplete', exitCode: 1, retryable: false }),
    });
  });

  test('--allow-incomplete: exits 0, with a note', async () => {
    const flags = '--status sold --allow-incomplete';
    expect(await runFake(`pets export ${flags}`, { responses: [full] })).toMatchObject({
      exitCode: 0,
      stderr: 'Exported 100 pets. The service lists at most 100 pets per request, so pets may be missing.\n',
    });
  });

  test.each([
    ['', 1],
    ['--allow-incomplete', 0],
  ])('--out %s: the file is there', async (flags, code) => {
    const folder = temporaryFolder();
    const world = { responses: [full], currentDirectory: folder };
    const { exitCode, stderr } = await runFake(`pets export --out pets.csv ${flags}`, world);
    expect(exitCode).toBe(code);
    expect(stderr).toContain('Exported 100 pets to pets.csv');
    expect(readdirSync(folder)).toEqual(['pets.csv']);
    expect(readFileSync(join(folder, 'pets.csv'), 'utf8').split('\r\n')).toHaveLength(102);
  });
});

describe('an existing file', () => {
  const exists = async (line: string, world: World = {}) => {
    const folder = temporaryFolder({ 'prices.csv': 'my prices' });
    const outcome = await runFake(line, { responses: two, currentDirectory: folder, ...world });
    expect(readdirSync(folder)).toEqual(['prices.csv']);
    return { ...outcome, content: readFileSync(join(folder, 'prices.csv'), 'utf8') };
  };

  test.each(['', '--dry-run', '--mock', '-y'])(
    '%s: exit code 2, nothing requested, untouched',
    async (flags) => {
      expect(await exists(`pets export --out prices.csv ${flags}`)).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: 'error: prices.csv exists\nhint: Pass another path with --out, or --force to replace it.\n',
        requests: [],
        content: 'my prices',
      });
    },
  );

  test('--force replaces it', async () => {
    const { exitCode, content } = await exists('pets export --out prices.csv --force');
    expect({ exitCode, content }).toEqual({ exitCode: 0, content: expect.stringMatching(/^id,name/) });
  });

  test('--force keeps it if the command is stopped or the service fails', async () => {
    const controller = new AbortController();
    const onSend = () => {
      controller.abort(new Interruption(130));
    };
    const line = 'pets export --out prices.csv --force';
    const stopped = await exists(line, { signal: controller.signal, onSend });
    expect(stopped).toMatchObject({ exitCode: 130, content: 'my prices' });
    expect(await exists(line, { responses: [{ status: 401 }] })).toMatchObject({
      exitCode: 3,
      content: 'my prices',
    });
  });
});

test.skipIf(process.platform !== 'linux')(
  'a folder without write permission: nothing is requested',
  async () => {
    // Nobody can write there, not even root.
    expect(await runFake('pets export --out /sys/pets.csv')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /^error: Can't write \/sys\/pets\.csv \((permission denied|not permitted|the file system is read-only)\)\nhint: .*folder/,
      ),
      requests: [],
    });
  },
);

describe('--out', () => {
  test.each<[string, string, RegExp, string?]>([
    ['pets.csv', '', /^id,name,/],
    ['pets.NDJSON', '', /^\{.*\}\n\{/],
    ['pets.jsonl', '', /^\{.*\}\n\{/],
    ['pets.json', '', /^\[\n\{/],
    ['pets.tsv', '', /^2\t/],
    ['pets.yml', '', /^- id: 2\n/],
    ['pets.csv', '-o json', /^\[\n\{/, 'The format of pets.csv is json, as -o says, and not csv.\n'],
    ['pets.txt', '-o json', /^\[\n\{/],
  ])('%s %s', async (name, flags, content, note = '') => {
    const folder = temporaryFolder();
    const line = `pets export --out ${name} ${flags}`;
    // Also on a terminal: no colour in the file, no indentation, no escapes.
    const world = { responses: two, currentDirectory: folder, terminals: ['stdout', 'stderr'] as const };
    const { exitCode, stdout, stderr } = await runFake(line, world);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `${note}\u001b[32m✓\u001b[0m Exported 2 pets to ${name}; the export is complete.\n`,
    });
    expect(readFileSync(join(folder, name), 'utf8')).toMatch(content);
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('--dry-run writes nothing', async () => {
    const folder = temporaryFolder();
    const { exitCode, stdout } = await runFake('pets export --out pets.csv --dry-run', {
      currentDirectory: folder,
    });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^GET .*limit=100\n/),
    });
    expect(existsSync(join(folder, 'pets.csv'))).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});
