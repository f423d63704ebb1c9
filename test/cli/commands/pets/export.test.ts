import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENV, runFake, type Scripted } from '../../../support/fake-context.js';
import { parseLine } from '../../../support/parse-line.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const pet = (id: number | string, name = 'Rex') =>
  `{"id":${String(id)},"name":${JSON.stringify(name)},"categoryId":7,"status":"sold"}`;
const listOf = (...pets: string[]): Scripted => ({ body: `[${pets.join()}]` });
const full = listOf(...Array.from({ length: 100 }, (_, at) => pet(at + 1)));
const two = [listOf(pet(2), pet('9007199254740993', '=1+1'))];

describe('flags', () => {
  test.each([
    ['pets export', {}],
    ['pets export --out -', {}],
    ['pets export --status sold --out pets.csv', { status: 'sold', file: 'pets.csv' }],
  ])('%s', async (line, options) => {
    expect((await parseLine(line)).options).toEqual(options);
  });

  test.each([
    ['--status lost', '--status: "lost" is not one of'],
    ['-o table', 'petstore pets export does not support -o table'],
    ['-o ids', 'petstore pets export does not support -o ids'],
    ['--out pets.xlsx', 'Unknown format of pets.xlsx'],
    ['--out pets', 'Unknown format of pets'],
    ['--fields id', 'petstore pets export does not support --fields'],
    ['--sort id', 'petstore pets export does not support --sort'],
    ['--query [0]', 'petstore pets export does not support --query'],
    ['--no-header', 'petstore pets export does not support --no-header'],
    ['--out /nowhere/at/all/pets.csv', "Can't write /nowhere/at/all/pets.csv (ENOENT)"],
  ])('%s: exit code 2, nothing sent', async (flags, message) => {
    const { exitCode, stdout, stderr, requests } = await runFake(`pets export ${flags}`);
    expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
    expect(stderr).toContain(`error: ${message}`);
  });
});

describe('on stdout', () => {
  test.each([
    ['', "id,name,categoryId,status\r\n2,Rex,7,sold\r\n9007199254740993,'=1+1,7,sold\r\n"],
    ['--csv-raw', 'id,name,categoryId,status\r\n2,Rex,7,sold\r\n9007199254740993,=1+1,7,sold\r\n'],
    ['-o ndjson', `${pet(2)}\n${pet('9007199254740993', '=1+1')}\n`],
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
      stderr: 'Exported 2 pets. The export is complete.\n',
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

  test('reports an incomplete export', async () => {
    const { exitCode, stderr, requests } = await runFake('pets export', { responses: [full] });
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 0, sent: 4 });
    expect(stderr).toMatch(/^Exported 100 pets\. There may be more: .*\.\n$/);
  });

  test('--status requests this status only', async () => {
    const { requests } = await runFake('pets export --status sold', { responses: [full] });
    expect(requests.map(({ path }) => path)).toEqual(['/v1/pets?limit=100&status=sold']);
  });
});

describe('--out', () => {
  test.each([
    ['pets.csv', '', /^id,name,/],
    ['pets.NDJSON', '', /^\{.*\}\n\{/],
    ['pets.jsonl', '', /^\{.*\}\n\{/],
    ['pets.json', '', /^\[\n\{/],
    ['pets.tsv', '', /^2\t/],
    ['pets.yml', '', /^- id: 2\n/],
    ['pets.csv', '-o json', /^\[\n\{/],
    ['pets.txt', '-o json', /^\[\n\{/],
  ])('%s %s', async (name, flags, content) => {
    const folder = temporaryFolder();
    const line = `pets export --out ${name} ${flags}`;
    // Also on a terminal: no colour, no indentation, no escapes.
    const world = { responses: two, currentDirectory: folder, terminals: ['stdout', 'stderr'] as const };
    const { exitCode, stdout, stderr } = await runFake(line, world);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `Exported 2 pets to ${name}. The export is complete.\n`,
    });
    expect(readFileSync(join(folder, name), 'utf8')).toMatch(content);
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('keeps an existing file if the service fails', async () => {
    const folder = temporaryFolder({ 'pets.csv': 'yesterday' });
    const outcome = await runFake('pets export --out pets.csv', {
      responses: [{ status: 401 }],
      currentDirectory: folder,
    });
    expect(outcome).toMatchObject({ exitCode: 3, stdout: '' });
    expect(readdirSync(folder)).toEqual(['pets.csv']);
    expect(readFileSync(join(folder, 'pets.csv'), 'utf8')).toBe('yesterday');
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
