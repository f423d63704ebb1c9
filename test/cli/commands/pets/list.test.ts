import { describe, expect, test } from 'vitest';
import { ENV, runFake } from '../../../support/fake-context.js';

const pet = (id: number | string, more = '') =>
  `{"id":${String(id)},"name":"Rex","categoryId":7,"status":"sold"${more}}`;
const listOf = (count: number) => `[${Array.from({ length: count }, (_, at) => pet(at + 1)).join()}]`;

describe('requests', () => {
  test.each([
    ['pets list', '/v1/pets'],
    ['pets list -L 5 -s sold', '/v1/pets?limit=5&status=sold'],
    ['pets list --all', '/v1/pets?limit=100'],
  ])('%s -> %s', async (line, path) => {
    const { requests } = await runFake(line);
    expect(requests.map(({ method, origin, path }) => [method, origin, path])).toEqual([
      ['GET', 'https://pets.test', path],
    ]);
  });
});

describe('several statuses', () => {
  const two = [{ body: `[${pet(9)},${pet(2)}]` }, { body: `[${pet(5)},${pet(2, ',"seen":"later"')}]` }];

  test.each([
    ['', ['?status=sold', '?status=available']],
    ['--limit 7', ['?limit=7&status=sold', '?limit=7&status=available']],
    ['--all', ['?limit=100&status=sold', '?limit=100&status=available']],
  ])('%s: one request each, merged by id', async (flags, queries) => {
    const line = `pets list --status sold,available,sold -o json ${flags}`;
    const { exitCode, stdout, stderr, requests } = await runFake(line, { responses: two });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(requests.map(({ path }) => path)).toEqual(queries.map((query) => `/v1/pets${query}`));
    expect(JSON.parse(stdout)).toMatchObject([{ id: 2, seen: 'later' }, { id: 5 }, { id: 9 }]);
  });

  test('sorted as asked', async () => {
    const { stdout } = await runFake('pets list -s sold,available --sort=-id -o ids', { responses: two });
    expect(stdout).toBe('9\n5\n2\n');
  });
});

describe('output', () => {
  test('piped: TSV, every digit, nothing on stderr', async () => {
    const responses = [{ body: `[${pet('9007199254740993')}]` }];
    expect(await runFake('pets list', { responses })).toMatchObject({
      exitCode: 0,
      stdout: '9007199254740993\tRex\t7\tsold\n',
      stderr: '',
    });
  });

  test('PETSTORE_FORCE_TTY makes it a table when piped', async () => {
    const { stdout } = await runFake('pets list', {
      responses: [{ body: listOf(1) }],
      env: { ...ENV, PETSTORE_FORCE_TTY: '40' },
    });
    expect(stdout).toMatch(/NAME/);
  });

  test.each([
    ['--fields category,id', '7\t2\n5\t1\n'],
    ['--fields categoryId,category', '7\n5\n'],
    ['--fields category -o csv', 'categoryId\r\n7\r\n5\r\n'],
    ['--json id,category', '[{"id":2,"categoryId":7},{"id":1,"categoryId":5}]\n'],
    ['--sort category -o ids', '1\n2\n'],
    ['--sort=-category -o ids', '2\n1\n'],
    ['--sort=-categoryId -o ids', '2\n1\n'],
    ['--query [].categoryId', '7\n5\n'],
  ])('category is a name of categoryId: %s', async (flags, stdout) => {
    const responses = [{ body: '[{"id":2,"name":"b","categoryId":7},{"id":1,"name":"a","categoryId":5}]' }];
    const outcome = await runFake(`pets list ${flags}`, { responses });
    expect(outcome).toMatchObject({ exitCode: 0, stdout, stderr: '' });
  });

  test('a field category of a newer service is a field of its own', async () => {
    const responses = [{ body: `[${pet(1, ',"category":"dogs"')}]` }];
    expect((await runFake('pets list --fields category', { responses })).stdout).toBe('dogs\n');
  });
});

describe('an empty list', () => {
  test.each([
    ['', 0, 'The service lists no pets. To create one, run: petstore pets create\n'],
    ['--all', 0, 'The service lists no pets. To create one, run: petstore pets create\n'],
  ])('on a terminal, %s', async (flags, exitCode, stderr) => {
    expect(await runFake(`pets list ${flags}`, { terminals: ['stdout'] })).toMatchObject({
      exitCode,
      stderr,
    });
  });

  test('has no note in a pipe', async () => {
    expect(await runFake('pets list --json')).toMatchObject({ exitCode: 0, stdout: '[]\n', stderr: '' });
  });
});

test.each([
  ['T-REX', 'rex', '1\n'],
  // One rule for every locale: neither a Turkish nor an English terminal changes it.
  ['INDIGO', 'indigo', '1\n'],
  ['Ilse', 'ı', '1\n'],
  ['Straße', 'STRASSE', '1\n'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς', '1\n'],
  ['Οδυσσεύς', 'ΟΔΥΣΣΕΎΣ', '1\n'],
  ['Jose\u0301', 'JOSÉ', '1\n'],
  ['José', 'jose\u0301', '1\n'],
  ['José', 'jose', ''],
  ['Rex', 'rexx', ''],
  ['a.b', 'a?b', ''],
])('among %s, --name %s lists %j', async (name, part, stdout) => {
  const responses = [{ body: JSON.stringify([{ id: 1, name, categoryId: 7 }]) }];
  const line = ['pets', 'list', '--name', part, '-o', 'ids'];
  expect(await runFake(line, { responses })).toMatchObject({ exitCode: 0, stdout });
});
