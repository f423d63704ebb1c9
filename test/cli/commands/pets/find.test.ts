import { describe, expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';

const REX = '{"id":7,"name":"T-Rex","categoryId":3,"status":"sold"}';
const TOM = '{"id":42,"name":"Tom 7","categoryId":3}';
const BOTH = [{ body: `[${REX},${TOM}]` }];
const FULL = `[${Array.from({ length: 100 }, (_, at) => `{"id":${String(at + 100)},"name":"Mia","categoryId":1}`).join()}]`;

test.each([
  ['rex', '7\tT-Rex\t3\tsold\n'],
  ['t', '7\tT-Rex\t3\tsold\n42\tTom 7\t3\t\n'],
  ['zoe', ''],
  // An identifier is no part of a name.
  ['7', '7\tT-Rex\t3\tsold\n'],
  // No int64.
  ['07', ''],
  ['9223372036854775808', ''],
])('pets find %s', async (word, stdout) => {
  const found = await runFake(['pets', 'find', word], { responses: BOTH });
  expect(found).toMatchObject({ exitCode: 0, stdout });
  expect(found.requests.map(({ path }) => path)).toEqual(['/v1/pets?limit=100']);
});

test('is always a list', async () => {
  for (const word of ['7', 'rex']) {
    const { stdout } = await runFake(`pets find ${word} --json id`, { responses: BOTH });
    expect(stdout).toBe('[{"id":7}]\n');
  }
});

test('says what was searched', async () => {
  expect((await runFake('pets find rex', { responses: BOTH })).stderr).toBe(
    "Filtered from 2 listed pets; the service can't filter by name.\n",
  );
  expect((await runFake('pets find rex', { responses: [{ body: FULL }] })).stderr).toBe(
    "Filtered from 100 listed pets; the service can't filter by name. There may be more pets.\n",
  );
  expect((await runFake('pets find zoe', { responses: BOTH, terminals: ['stdout'] })).stderr).toBe(
    'Nothing matches. Searched the 2 listed pets. To list them, run: petstore pets list --all\n',
  );
});

test.each([
  ['', BOTH],
  ['It may still exist: a list has at most 100 pets. ', [{ body: FULL }, ...BOTH]],
])('an id that is not listed: exit code 4. %s', async (mayExist, responses) => {
  const { exitCode, stdout, stderr } = await runFake('pets find 8 --base-url https://pets.test/v1', {
    responses,
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' });
  expect(stderr).toBe(
    'error: Pet 8 was not found among the pets that can be listed\n' +
      `hint: ${mayExist}To request it by its id, run: petstore pets get 8 --base-url https://pets.test/v1. ` +
      'To search the names for it, run: petstore pets list --all --name 8 --base-url https://pets.test/v1\n',
  );
});

test('an id in a list of a status, after a full list', async () => {
  const { stdout, requests } = await runFake('pets find 7', { responses: [{ body: FULL }, ...BOTH] });
  expect(stdout).toBe('7\tT-Rex\t3\tsold\n');
  expect(requests.map(({ path }) => path)).toEqual([
    '/v1/pets?limit=100',
    '/v1/pets?limit=100&status=available',
  ]);
});

describe('errors before a request', () => {
  test.each([
    [['pets', 'find'], 'Missing required argument "text|id"'],
    [['pets', 'find', ''], 'TEXT|ID is empty'],
    [['pets', 'find', 'rex', '--fields', 'nmae'], 'Unknown field "nmae" in --fields'],
  ])('%j', async (line, message) => {
    const { exitCode, stderr, requests } = await runFake(line);
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 2, sent: 0 });
    expect(stderr).toContain(`error: ${message}\nhint: `);
  });
});

test.each(['rex', '7'])('--dry-run of %s shows the first request', async (word) => {
  const { stdout, stderr } = await runFake(`pets find ${word} --dry-run`);
  expect(stdout).toMatch(/^GET .*\/pets\?limit=100\n/);
  expect(stderr).toContain('the first of up to 4 requests');
});
