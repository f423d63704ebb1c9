import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ALL_MADE, setUp } from '../import-folder.js';

describe("an import that can't start: exit code 2, nothing sent, no journal", () => {
  test.each([
    ['missing.csv', {}, 'File missing.csv not found'],
    [
      'pets.csv',
      { 'pets.csv': 'name,categoryId\nRex,\n' },
      'pets.csv has 1 error:\n  pets.csv:2:5: category is missing',
    ],
    [
      'pets.csv',
      { 'pets.csv': 'name,categoryId,status\nRex,1,Sold\n' },
      'pets.csv:2:7: status "Sold" is not one of available, pending, sold; did you mean "sold"?',
    ],
    ['- --format json', {}, 'stdin has 1 error:'],
  ])('%s with %j', async (line, files, message) => {
    const { run, folder } = setUp(files);
    const before = readdirSync(folder);
    const { exitCode, stdout, stderr, requests } = await run(line, { stdin: '{' });
    expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
    expect(stderr).toContain(`error: ${message.split('\n')[0]!}`.slice(0, 12));
    expect(stderr).toContain(message);
    expect(readdirSync(folder).filter((name) => name !== 'state')).toEqual(before);
  });

  test.each([
    [{ PETSTORE_API_KEY: '' }, 3],
    [{ PETSTORE_BASE_URL: '' }, 2],
  ])('%j: reported before the rows are read', async (env, exitCode) => {
    const { run, folder } = setUp({ 'pets.csv': 'nonsense' });
    expect(await run('pets.csv', { env })).toMatchObject({ exitCode, stdout: '' });
    expect(readdirSync(folder)).toEqual(['pets.csv']);
  });

  test('a rejected key leaves no journal, so the next import can start', async () => {
    const { run, path } = setUp();
    expect(await run('pets.csv', { responses: [{ status: 401 }] })).toMatchObject({ exitCode: 3 });
    expect(existsSync(path('pets.csv.journal'))).toBe(false);
    expect(await run('pets.csv', { responses: ALL_MADE })).toMatchObject({ exitCode: 0 });
  });
});
