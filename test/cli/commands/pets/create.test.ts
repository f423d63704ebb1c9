import { describe, expect, test } from 'vitest';
import { FIELD_NAMES } from '../../../../src/bulk/rows/check-row.js';
import { parseJson } from '../../../../src/schema/json.js';
import { Interruption, type Prompter } from '../../../../src/cli/system/context.js';
import { ENV, runFake, type Scripted, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const CREATED = { status: 201, body: '{"id":9,"name":"Rex","categoryId":9007199254740993,"status":"sold"}' };
const ALL = ['--name', 'Rex', '--category', '9007199254740993', '--status', 'sold'];
const create = (flags: readonly string[], world: World = {}) =>
  runFake(['pets', 'create', ...flags], { responses: [CREATED], ...world });

const scriptedPrompter: Prompter = {
  secret: () => Promise.reject(new Error('unexpected prompt for a secret')),
  text: (question, check) => {
    const [answer, wrong, said] =
      question === 'Name' ? ['Mia', '', /^A pet needs a name\.$/] : ['5', 'seven', /decimal digits/];
    expect(check(answer)).toBe(true);
    expect(check(wrong)).toMatch(said);
    return Promise.resolve(answer);
  },
  choose: () => Promise.reject(new Error('unexpected choice')),
};

test('sends every digit and prints the created pet', async () => {
  const { exitCode, stdout, stderr, requests } = await create(ALL);
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: '9\tRex\t9007199254740993\tsold\n',
    stderr: '',
  });
  expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['POST', '/v1/pets', '{"name":"Rex","categoryId":9007199254740993,"status":"sold"}'],
  ]);
});

const NO_CATEGORY = 'The data has no field category. Use categoryId in --query.\n';
const CARRIED_OUT = '--query selects nothing. The request was carried out (id 9). Do not send it again.\n';

test.each([
  ['category', [], '', CARRIED_OUT + NO_CATEGORY],
  ['category', ['-o', 'json'], 'null\n', CARRIED_OUT + NO_CATEGORY],
  ['tags[]', [], '', CARRIED_OUT],
  ['[name, category]', [], 'Rex\n\n', NO_CATEGORY],
  ['{category: categoryId}.category', [], '9007199254740993\n', ''],
  ["[name, 'category']", [], 'Rex\ncategory\n', ''],
] as const)(
  '--query %s %j: the pet is created, and its id is not lost',
  async (query, flags, stdout, stderr) => {
    const created = await create([...ALL, '--query', query, ...flags]);
    expect(created).toMatchObject({ exitCode: 0, stdout, stderr });
    const body = ['-X', 'POST', '-f', 'name=Rex', '-F', 'categoryId=7'];
    const format = flags.length > 0 ? flags : ['-o', 'tsv'];
    const viaApi = ['api', '/pets', ...body, '--query', query, ...format];
    expect(await runFake(viaApi, { responses: [CREATED] })).toMatchObject({ exitCode: 0, stdout, stderr });
  },
);

describe('invalid input: exit code 2, nothing sent', () => {
  test.each<[readonly string[], string]>([
    [[], '--name and --category are missing'],
    [['--name', 'Rex'], '--category is missing'],
    [['--category', '1'], '--name is missing'],
    [['--name', '', '--category', '1'], '--name is empty'],
    [['--name', 'Rex', '--category', '0x1'], '--category: "0x1" is not an int64'],
    [['--name', 'Rex', '--category', '1', '--status', 'Sold'], '--status: "Sold" is not one of'],
    [[...ALL, '--query', '[?'], 'Invalid --query at column'],
    [[...ALL, '--fields', 'nmae'], 'Unknown field "nmae"'],
    [[...ALL, '-f', 'absent.json'], 'File absent.json not found'],
  ])('%j', async (flags, message) => {
    const { exitCode, stdout, stderr, requests } = await create(flags);
    expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
    expect(stderr).toContain(`error: ${message}`);
  });
});

describe('from a file', () => {
  test.each<[string, string, readonly string[], string]>([
    ['{"name":"Rex","categoryId":9007199254740993}', '-', [], '{"name":"Rex","categoryId":9007199254740993}'],
    [
      '{"name":"Rex","categoryId":"9007199254740993"}',
      'rex.json',
      [],
      '{"name":"Rex","categoryId":9007199254740993}',
    ],
    [
      '\uFEFF{"categoryId":9007199254740993}',
      'rex.json',
      ['--name', 'Mia'],
      '{"name":"Mia","categoryId":9007199254740993}',
    ],
    [
      '{"name":"Rex"}',
      '-',
      ['--category', '9007199254740993'],
      '{"name":"Rex","categoryId":9007199254740993}',
    ],
    [
      '{"name":"Rex","categoryId":9007199254740993,"status":null}',
      '-',
      ['--name', 'Mia'],
      '{"name":"Mia","categoryId":9007199254740993}',
    ],
    [
      '{"status":"sold"}',
      '-',
      ALL.slice(0, 4),
      '{"name":"Rex","categoryId":9007199254740993,"status":"sold"}',
    ],
  ])('%s in %s with %j', async (content, file, flags, body) => {
    const currentDirectory = temporaryFolder({ 'rex.json': content });
    const { exitCode, requests } = await create(['-f', file, ...flags], { stdin: content, currentDirectory });
    expect({ exitCode, bodies: requests.map((request) => request.body) }).toEqual({
      exitCode: 0,
      bodies: [body],
    });
  });

  test('a list names the command for lists', async () => {
    const { requests, stderr } = await create(['-f', '-'], { stdin: '[{"name":"Rex","category":7}]' });
    expect(requests).toEqual([]);
    expect(stderr).toContain('hint: To create all pets of a list, use petstore pets import. ');
  });

  test.each([
    ['7', '1:1: 7 is not an object, such as {"name":"Rex","category":7}'],
    ['{"name":}', '1:9: Not valid JSON: found "}"'],
    ['', '1:1: Not valid JSON: found the end of the text'],
    ['{"nmae":"Rex"}', '1:2: Unknown field "nmae"; did you mean "name"?'],
    ['{"breed":"Pug"}', `1:2: Unknown field "breed"; known: ${FIELD_NAMES.join(', ')}`],
    ['{"id":1}', '1:2: Field "id" would not be sent: the rows would become NEW pets with new ids'],
    [
      '{"category":"\\u001b[2J"}',
      '1:2: category "\\u001b[2J" is not a 64-bit integer in plain digits, such as 7',
    ],
    ['{"name":"f",\n"n\\u0061me":"g"}', '2:1: Duplicate field "name"'],
  ])('rejects %j as an import does, also with flags', async (content, problem) => {
    const { exitCode, stderr, requests } = await create(['-f', '-', ...ALL], { stdin: content });
    expect({ exitCode, stderr, requests }).toEqual({
      exitCode: 2,
      stderr: `error: stdin has 1 error:\n  stdin:${problem}\nhint: Fix the input, then run the command again. Nothing was sent.\n`,
      requests: [],
    });
  });
});

describe('prompts', () => {
  const terminals = ['stdin', 'stderr'] as const;

  test.each([
    [[], 'Mia'],
    [['--name', 'Rex'], 'Rex'],
  ])('prompts on a terminal for what is missing in %j', async (flags, name) => {
    const { exitCode, requests } = await create(flags, {
      ...{ terminals, prompter: scriptedPrompter },
      responses: [{ status: 201, body: '{"id":9,"name":"Mia","categoryId":5}' }],
    });
    expect(exitCode).toBe(0);
    expect(requests[0]!.body).toBe(`{"name":"${name}","categoryId":5}`);
  });

  test("does not prompt if the pet can't be sent", async () => {
    expect((await create([], { terminals, prompter: scriptedPrompter, env: {} })).stderr).toMatch(
      / No API address configured/,
    );
  });

  test('does not prompt if no value is missing', async () => {
    expect((await create(ALL, { terminals })).exitCode).toBe(0);
  });

  test.each<[string, readonly string[], World]>([
    ['stdin is not a terminal', [], { terminals: ['stderr', 'stdout'] }],
    ['stderr is not a terminal', [], { terminals: ['stdin', 'stdout'] }],
    ['--no-input', ['--no-input'], { terminals }],
    ['CI', [], { terminals, env: { ...ENV, CI: 'true' } }],
    ['PETSTORE_NO_INPUT', [], { terminals, env: { ...ENV, PETSTORE_NO_INPUT: '1' } }],
  ])('does not prompt if %s', async (_, flags, world) => {
    expect((await create(flags, { prompter: scriptedPrompter, ...world })).exitCode).toBe(2);
  });
});

describe('a request without a response', () => {
  const REX = ['--name', 'Rex', '--category', '7'];
  const lost = new Error('socket hang up');
  const FIRST =
    'error: No response from https://pets.test (socket hang up); the pet may or may not have been created\n';
  const pet = (id: number, name = 'Rex', categoryId = 7) =>
    `{"id":${String(id)},"name":${JSON.stringify(name)},"categoryId":${String(categoryId)},"status":"sold"}`;
  const body = (...pets: string[]) => ({ body: `[${pets.join()}]` });
  const run = async (flags: readonly string[], world: World) => {
    const outcome = await create([...REX, ...flags], world);
    const [post, ...others] = outcome.requests.map(({ method, path }) => `${method} ${path}`);
    expect({ post, posts: others.filter((line) => !line.startsWith('GET ')) }).toEqual({
      post: 'POST /v1/pets',
      posts: [],
    });
    expect(outcome.stdout).toBe('');
    return { ...outcome, lists: others };
  };

  test('shows which listed pets match: exit code 10, sent once', async () => {
    const list = body(pet(3, 'Mia'), pet(4), pet(5, ' REX'), pet(6, 'Rex', 8));
    expect(await run([], { responses: [lost, list] })).toMatchObject({
      exitCode: 10,
      lists: ['GET /v1/pets?limit=100'],
      stderr: `${FIRST}hint: 2 of 4 listed pets match by name and category: id 4 (Rex, sold), id 5 ( REX, sold). Do not create the pet again. If all of these pets existed before, wait, then run: petstore pets list --all --name Rex --category 7\n`,
    });
  });

  test('no match in all lists is no proof', async () => {
    const full = body(...Array.from({ length: 100 }, (_, at) => pet(at + 1, 'Mia')));
    const { exitCode, stderr, lists } = await run(['--base-url', 'https://pets.test/v1/'], {
      responses: [lost, full],
    });
    expect({ exitCode, lists: lists.length }).toEqual({ exitCode: 10, lists: 4 });
    expect(stderr).toBe(
      `${FIRST}hint: None of 100 listed pets matches by name and category. That is no proof: the service may still create it, and the list may be truncated. Do not create it again at once. Wait, then run: petstore pets list --all --name Rex --category 7 --base-url https://pets.test/v1/\n`,
    );
  });

  test.each<[string, World['responses'], string]>([
    [
      'without a connection',
      [lost],
      'The look-up failed: No response from https://pets.test (socket hang up). ',
    ],
    ['with an invalid response', [lost, { body: 'oops' }], 'The look-up failed: '],
    ['at the rate limit', [lost, { status: 429, headers: { 'retry-after': '600' } }], 'The look-up failed: '],
  ])('a failed look-up, %s, changes neither exit code nor first line', async (_, responses = [], problem) => {
    const { exitCode, stderr } = await run(['--max-wait', '1s'], { responses });
    expect(exitCode).toBe(10);
    expect(stderr.startsWith(`${FIRST}hint: ${problem}`)).toBe(true);
    expect(stderr).toContain(
      'Do not create the pet again before you know. It may exist without being listed. To search for it, run: petstore pets list --all --name Rex --category 7\n',
    );
  });

  test('^C ends the look-up, and the report stays', async () => {
    const controller = new AbortController();
    const { exitCode, stderr } = await run([], {
      responses: [lost, 'never'],
      signal: controller.signal,
      onSend: (count) => {
        if (count === 2) setImmediate(() => controller.abort(new Interruption(130)));
      },
    });
    expect(exitCode).toBe(130);
    expect(stderr.startsWith(`${FIRST}hint: The look-up was stopped. Do not create`)).toBe(true);
  });

  test('^C during the wait for the rate limit: no pet was created', async () => {
    const controller = new AbortController();
    const { exitCode, stderr } = await run([], {
      responses: [{ status: 429, headers: { 'retry-after': '60' } }],
      signal: controller.signal,
      onSend: () => setTimeout(() => controller.abort(new Interruption(130)), 20),
    });
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(/\nStopped\. The request was not carried out, so nothing was created\.\n$/);
  });

  test('^C before a response: looks nothing up', async () => {
    const controller = new AbortController();
    const { exitCode, stderr, lists } = await run([], {
      responses: ['never'],
      signal: controller.signal,
      onSend: () => setImmediate(() => controller.abort(new Interruption(130))),
    });
    expect({ exitCode, lists }).toEqual({ exitCode: 130, lists: [] });
    expect(stderr).toMatch(
      /^error: Stopped after the request was sent; .*\nhint: Do not create the pet again/,
    );
  });

  test.each<[Scripted, unknown]>([
    [body(pet(4), pet(5, 'Mia')), { matches: [{ id: 4, name: 'Rex' }], listed: 2, complete: true }],
    [lost, { matches: null }],
  ])('--json: the matches are in the error object', async (list, fields) => {
    const { stderr } = await run(['--json'], { responses: [lost, list] });
    expect(JSON.parse(stderr).error).toMatchObject({
      type: 'unknown-outcome',
      exitCode: 10,
      ...Object(fields),
    });
  });

  test('a redirect also says what is wrong with the base URL', async () => {
    const responses = [{ status: 302, headers: { location: 'http://pets.test/v1/pets' } }, body(pet(4))];
    const { exitCode, stderr } = await run([], { responses });
    expect(exitCode).toBe(10);
    expect(stderr).toMatch(/id 4 \(Rex, sold\)\. .* Use the base URL that the service redirects to: /);
  });
});

describe('sends nothing, and needs no key', () => {
  const env = { PETSTORE_BASE_URL: 'https://pets.test/v1' };
  const rex = ['--name', "R'ex", '--category', '7'];

  test('--dry-run prints the request', async () => {
    const { exitCode, stdout, requests } = await create([...rex, '--dry-run'], { env });
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 0, sent: 0 });
    expect(stdout).toMatch(/^POST https:\/\/pets\.test\/v1\/pets\n/);
    expect(stdout).toContain('Authorization: Bearer $PETSTORE_API_KEY\n');
    expect(stdout).toMatch(/\n\n\{"name":"R'ex","categoryId":7\}\n$/);
  });

  test('--dry-run as JSON', async () => {
    const { stdout } = await create([...ALL, '--dry-run', '--json'], { env });
    expect(parseJson(stdout)).toMatchObject({
      method: 'POST',
      url: 'https://pets.test/v1/pets',
      headers: { Authorization: 'Bearer $PETSTORE_API_KEY' },
      body: { name: 'Rex', categoryId: 9007199254740993n, status: 'sold' },
    });
  });

  test('--curl', async () => {
    const { stdout } = await create([...rex, '--curl'], { env });
    expect(stdout).toMatch(/^curl --disable -X POST https:\/\/pets\.test\/v1\/pets -H .*\n$/);
    expect(stdout).toContain(`-H "Authorization: Bearer $PETSTORE_API_KEY"`);
    expect(stdout).toContain(`--data-raw '{"name":"R'\\''ex","categoryId":7}'`);
  });
});
