import { describe, expect, test } from 'vitest';
import { ENV, runFake } from '../../../support/fake-context.js';
import { shellWords } from '../../../support/parse-line.js';

const pet = (id: number | string, more = '') =>
  `{"id":${String(id)},"name":"Rex","categoryId":7,"status":"sold"${more}}`;
const listOf = (count: number) => `[${Array.from({ length: count }, (_, at) => pet(at + 1)).join()}]`;

describe('flags', () => {
  test.each([
    ['pets list --limit 0', '--limit: "0" is not a whole number from 1 to 100'],
    ['pets list --limit 101', '--limit: "101" is not a whole number from 1 to 100'],
    ['pets list --limit 1.5', '--limit: "1.5" is not a whole number from 1 to 100'],
    ...['abc', '1e2', '0x10', '+5', '-1', 'Infinity'].map((limit) => [
      `pets list --limit=${limit}`,
      `--limit: "${limit}" is not a whole number from 1 to 100`,
    ]),
    ['pets list --status Available', '--status: "Available" is not one of available, pending, sold'],
    ['pets list --status sold,', '--status: "" is not one of available, pending, sold'],
    ['pets list --status sold,Pending', '--status: "Pending" is not one of available, pending, sold'],
    ['pets list --all --limit 3', '--all and --limit contradict each other'],
    ['pets list --category dogs', '--category: "dogs" is not an int64'],
    ['pets list --category-id dogs', '--category: "dogs" is not an int64'],
    ['pets list --category 7 --category-id 8', '--category is given twice'],
    ['pets list --category 9223372036854775808', '--category: "9223372036854775808" is not an int64'],
    ['pets list --name=', '--name is empty'],
    ['pets list extra', 'Too many arguments for "list", which takes none'],
    ['pets list -o ids --fields name', "--fields can't be combined with -o ids"],
    ['pets list --limit', '--limit needs a value'],
  ])('%s: exit code 2, nothing sent', async (line, message) => {
    const { exitCode, stdout, stderr, requests } = await runFake(line);
    expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
    expect(stderr).toMatch(/^error: .*\nhint: .*\n$/);
    expect(stderr).toContain(`error: ${message}\n`);
  });
});

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

  test.each([
    ['', 'Showing 21 pets; there may be more. Use --all or a higher --limit.\n'],
    ['--limit 20', ''],
    [
      '--category 7',
      "Filtered from 21 listed pets; the service can't filter by category. There may be more pets. Use --all or a higher --limit.\n",
    ],
  ])('one full response %s', async (flags, note) => {
    const responses = [{ body: `[${pet(21)}]` }, { body: listOf(20) }];
    const { stderr } = await runFake(`pets list -s sold,pending ${flags}`, { responses });
    expect(stderr).toBe(note);
  });

  test('--dry-run shows the first request', async () => {
    const { stdout, stderr } = await runFake('pets list -s sold,pending --dry-run');
    expect(stdout).toMatch(/^GET .*status=sold\n/);
    expect(stderr).toBe('This is the first of 2 requests, one per status.\nNothing was sent.\n');
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

  test('--json with fields', async () => {
    const { stdout } = await runFake('pets list --json id', { responses: [{ body: listOf(2) }] });
    expect(JSON.parse(stdout)).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test.each([
    ['--fields category,id', '7\t2\n5\t1\n'],
    ['--fields categoryId,category', '7\n5\n'],
    ['--fields category -o csv', 'categoryId\r\n7\r\n5\r\n'],
    ['--json id,category', '[{"id":2,"categoryId":7},{"id":1,"categoryId":5}]\n'],
    ['--sort category -o ids', '1\n2\n'],
    ['--sort=-category -o ids', '2\n1\n'],
    ['--sort=-categoryId -o ids', '2\n1\n'],
    // A query sees the data as it is.
    ['--query [].category', ''],
    ['--query [].categoryId', '7\n5\n'],
  ])('category is a name of categoryId: %s', async (flags, stdout) => {
    const stderr = flags.endsWith('.category')
      ? 'The data has no field category. Use categoryId in --query.\n'
      : '';
    const responses = [{ body: '[{"id":2,"name":"b","categoryId":7},{"id":1,"name":"a","categoryId":5}]' }];
    expect(await runFake(`pets list ${flags}`, { responses })).toMatchObject({
      exitCode: 0,
      stdout,
      stderr,
    });
  });

  test('a field category of a newer service is a field of its own', async () => {
    const responses = [{ body: `[${pet(1, ',"category":"dogs"')}]` }];
    expect((await runFake('pets list --fields category', { responses })).stdout).toBe('dogs\n');
  });

  test('an empty list: [] and a note only on a terminal', async () => {
    expect(await runFake('pets list --json')).toMatchObject({ exitCode: 0, stdout: '[]\n', stderr: '' });
    expect((await runFake('pets list -q', { terminals: ['stdout'] })).stderr).toBe('');
  });
});

describe('truncated lists', () => {
  test.each([
    ['pets list', 20, 'Showing 20 pets; there may be more. Use --all or a higher --limit.\n'],
    ['pets list', 19, ''],
    ['pets list --limit 1', 1, ''],
    ['pets list --limit 100', 100, ''],
    [
      'pets list --sort name',
      20,
      'Sorted only the 20 listed pets. There may be more pets. Use --all or a higher --limit.\n',
    ],
    [
      'pets list --sort name --limit 1',
      1,
      'Sorted only the 1 listed pet. There may be more pets. Use --all or a higher --limit.\n',
    ],
    ['pets list --sort name', 19, ''],
    ['pets list --sort name -q', 20, ''],
    ['pets list --limit 5', 4, ''],
    ['pets list -q', 20, ''],
  ])('%s with %d pets', async (line, count, note) => {
    const { exitCode, stderr } = await runFake(line, { responses: [{ body: listOf(count) }] });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: note });
  });

  test('--all reports an incomplete list', async () => {
    const { stderr, requests } = await runFake('pets list --all --status sold', {
      responses: [{ body: listOf(100) }],
    });
    expect(stderr).toMatch(/^Showing 100 pets; there may be more\.\n$/);
    expect(requests).toHaveLength(1);
  });

  test('--all reports nothing for a complete list', async () => {
    expect((await runFake('pets list --all', { responses: [{ body: listOf(20) }] })).stderr).toBe('');
  });
});

test.each([
  ['45', 'No room for CATEGORY. Widen the terminal, or\n  choose columns with --fields.\n'],
  ['80', ''],
])('at %s columns, a terminal names the columns that are left out', async (columns, said) => {
  const pet = `{"id":9223372036854775807,"name":"Rex the Third","categoryId":9223372036854775807,"status":"sold"}`;
  const env = { ...ENV, PETSTORE_FORCE_TTY: columns };
  const { stderr } = await runFake('pets list -L 1', { env, responses: [{ body: `[${pet}]` }] });
  expect(stderr).toBe(said);
});

describe('nothing matches, on a terminal', () => {
  const ALL = 'To search all pets that can be listed, run: petstore pets list';
  test.each([
    ['', 0, 'The service lists no pets. To create one, run: petstore pets create\n'],
    ['--all', 0, 'The service lists no pets. To create one, run: petstore pets create\n'],
    [
      '-s sold,pending --base-url https://pets.test/v1',
      0,
      'Nothing matches. Searched the 0 listed pets with status sold or pending. To search every status, run: petstore pets list --base-url https://pets.test/v1\n',
    ],
    ['--name zoe', 3, 'Nothing matches. Searched the 3 listed pets. To list them, run: petstore pets list\n'],
    ['--name zoe -L 1', 1, `Nothing matches. Searched the 1 listed pet. ${ALL} --all --name zoe\n`],
    [
      '-s sold --category 8 -L 5',
      5,
      `Nothing matches. Searched the 5 listed pets with status sold. ${ALL} --all --status sold --category 8\n`,
    ],
    [
      '--name zoe --all -s sold',
      3,
      'Nothing matches. Searched the 3 listed pets with status sold. To search every status, run: petstore pets list --all --name zoe\n',
    ],
    [
      '--name zoe --all',
      100,
      'Nothing matches. Searched the 100 listed pets. There may be more, which the service does not list. To show one by its id, run: petstore pets get ID\n',
    ],
    [
      "--query '[?id==`0`]' -L 3",
      3,
      `Nothing matches. Searched the 3 listed pets. ${ALL} --all --query '[?id==\`0\`]'\n`,
    ],
    ["--query '[].category' -L 3", 3, 'The data has no field category. Use categoryId in --query.\n'],
    [
      '--json --name zoe',
      3,
      'Nothing matches. Searched the 3 listed pets. To list them, run: petstore pets list\n',
    ],
    ['--name zoe -q', 3, ''],
  ])('%s of %d pets', async (flags, count, note) => {
    const { exitCode, stderr } = await runFake(shellWords(`pets list ${flags}`), {
      responses: [{ body: listOf(count) }],
      terminals: ['stdout'],
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: note });
  });

  test('in a pipe, only a filter is noted', async () => {
    expect((await runFake('pets list')).stderr).toBe('');
    expect((await runFake('pets list --name zoe')).stderr).toBe(
      "Filtered from 0 listed pets; the service can't filter by name.\n",
    );
  });
});

describe('filters', () => {
  const body = `[${pet(1)},{"id":2,"name":"T-REX","categoryId":8},{"id":3,"name":"Tom","categoryId":7}]`;
  const full = `[${Array.from({ length: 20 }, (_, at) => pet(at + 1)).join()}]`;

  test.each([
    ['--name rex', '1 2', "Filtered from 3 listed pets; the service can't filter by name.\n"],
    ['--category 7', '1 3', "Filtered from 3 listed pets; the service can't filter by category.\n"],
    [
      '--name t --category 7',
      '3',
      "Filtered from 3 listed pets; the service can't filter by name or category.\n",
    ],
    ['--name rex -q', '1 2', ''],
    ['--category -1', '', "Filtered from 3 listed pets; the service can't filter by category.\n"],
    ['--name zoe', '', "Filtered from 3 listed pets; the service can't filter by name.\n"],
  ])('%s', async (flags, ids, note) => {
    const { exitCode, stdout, stderr, requests } = await runFake(`pets list -o ids ${flags}`, {
      responses: [{ body }],
    });
    expect({ exitCode, ids: stdout.trim().replaceAll('\n', ' '), stderr }).toEqual({
      exitCode: 0,
      ids,
      stderr: note,
    });
    expect(requests.map(({ path }) => path)).toEqual(['/v1/pets']);
  });

  test.each([
    ['--name zoe', full, ' Use --all or a higher --limit.'],
    ['--name zoe --limit 20', full, ' Use --all or a higher --limit.'],
    ['--name zoe --all --status sold', listOf(100), ''],
  ])('%s in a truncated list', async (flags, listed, remedy) => {
    const { stderr } = await runFake(`pets list ${flags}`, { responses: [{ body: listed }] });
    expect(stderr).toMatch(/^Filtered from (20|100) listed pets; the service can't filter by name\./);
    expect(stderr.trimEnd()).toMatch(new RegExp(`There may be more pets\\.${remedy}$`));
  });
});

test('keeps an unknown status, with one warning', async () => {
  const body =
    '[{"id":1,"name":"a","categoryId":1,"status":"lent"},{"id":2,"name":"b","categoryId":1,"status":"lent"}]';
  const { exitCode, stdout, stderr } = await runFake('pets list', { responses: [{ body }] });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '1\ta\t1\tlent\n2\tb\t1\tlent\n' });
  expect(stderr).toMatch(/^warning: .*lent.*\n$/);
});

test.each(['--dry-run', '--curl'])('%s with --all reports that more requests may follow', async (flag) => {
  expect((await runFake(`pets list --all ${flag}`)).stderr).toContain('the first of up to 4 requests');
  expect((await runFake(`pets list --all --status sold ${flag}`)).stderr).toBe('Nothing was sent.\n');
});

test('--json rejects a field list that ends in a comma', async () => {
  const { exitCode, stderr } = await runFake('pets list --json id,');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--json has no field after the last comma');
  const whole = await runFake(['pets', 'list', '--json', ''], { responses: [{ body: listOf(1) }] });
  expect(whole).toMatchObject({ exitCode: 2, requests: [] });
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
