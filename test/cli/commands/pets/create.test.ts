import { describe, expect, test } from 'vitest';
import type { Prompter } from '../../../../src/cli/system/context.js';
import { ENV, runFake, type World } from '../../../support/fake-context.js';
import { parseLine } from '../../../support/parse-line.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { promptForPet } from '../../../../src/cli/commands/pets/create.js';

const CREATED = { status: 201, body: '{"id":9,"name":"Rex","categoryId":9007199254740993,"status":"sold"}' };
const ALL = ['--name', 'Rex', '--category-id', '9007199254740993', '--status', 'sold'];
const create = (flags: readonly string[], world: World = {}) =>
  runFake(['pets', 'create', ...flags], { responses: [CREATED], ...world });

const scriptedPrompter: Prompter = {
  secret: () => Promise.reject(new Error('unexpected prompt for a secret')),
  text: (question, check) => {
    const answer = question === 'Name' ? 'Mia' : '5';
    expect(check(answer)).toBe(true);
    return Promise.resolve(answer);
  },
  choose: () => Promise.resolve('pending'),
};

test('converts flags to typed options', async () => {
  expect(await parseLine(['pets', 'create', ...ALL, '-f', 'x.json'])).toMatchObject({
    action: 'createPet',
    options: { draft: { name: 'Rex', categoryId: 9007199254740993n, status: 'sold' }, file: 'x.json' },
  });
});

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

describe('invalid input: exit code 2, nothing sent', () => {
  test.each<[readonly string[], string]>([
    [[], '--name and --category-id are missing'],
    [['--name', 'Rex'], '--category-id is missing'],
    [['--category-id', '1'], '--name is missing'],
    [['--name', '', '--category-id', '1'], '--name is empty'],
    [['--name', 'Rex', '--category-id', '0x1'], '--category-id: "0x1" is not an int64'],
    [['--name', 'Rex', '--category-id', '1', '--status', 'Sold'], '--status: "Sold" is not one of'],
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
  test.each<[string, string, readonly string[]]>([
    ['stdin', '-', []],
    ['a file', 'rex.json', []],
    ['a flag over the file', 'rex.json', ['--name', 'Mia']],
  ])('%s', async (_, file, flags) => {
    const content = '{"name":"Rex","categoryId":9007199254740993}';
    const currentDirectory = temporaryFolder({ 'rex.json': content });
    const { exitCode, requests } = await create(['-f', file, ...flags], { stdin: content, currentDirectory });
    expect(exitCode).toBe(0);
    const name = flags[1] ?? 'Rex';
    expect(requests[0]!.body).toBe(`{"name":"${name}","categoryId":9007199254740993}`);
  });
});

describe('prompts', () => {
  const terminals = ['stdin', 'stderr'] as const;

  test('prompts for missing values on a terminal', async () => {
    const { exitCode, requests } = await create([], { terminals, prompter: scriptedPrompter });
    expect(exitCode).toBe(0);
    expect(requests[0]!.body).toBe('{"name":"Mia","categoryId":5,"status":"pending"}');
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

test('a request without a response: exit code 10, sent once', async () => {
  const { exitCode, stdout, stderr, requests } = await create(ALL, {
    responses: [new Error('socket hang up')],
  });
  expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 10, stdout: '', sent: 1 });
  expect(stderr).toMatch(/hint: Run "petstore pets list" before you try again/);
});

test('a rejected request: exit code 5', async () => {
  const responses = [{ status: 400, body: '{"code":"bad","message":"name is bad","status":400}' }];
  const { exitCode, stderr } = await create([...ALL, '-o', 'json'], { responses });
  expect(exitCode).toBe(5);
  expect(JSON.parse(stderr).error).toMatchObject({
    type: 'bad-request',
    status: 400,
    code: 'bad',
    exitCode: 5,
  });
});

describe('sends nothing, and needs no key', () => {
  const env = { PETSTORE_BASE_URL: 'https://pets.test/v1' };
  const rex = ['--name', "R'ex", '--category-id', '7'];

  test('--dry-run prints the request', async () => {
    const { exitCode, stdout, requests } = await create([...rex, '--dry-run'], { env });
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 0, sent: 0 });
    expect(stdout).toMatch(/^POST https:\/\/pets\.test\/v1\/pets\n/);
    expect(stdout).toContain('Authorization: Bearer $PETSTORE_API_KEY\n');
    expect(stdout).toMatch(/\n\n\{"name":"R'ex","categoryId":7\}\n$/);
  });

  test('--dry-run as JSON', async () => {
    const { stdout } = await create([...rex, '--dry-run', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'POST',
      url: 'https://pets.test/v1/pets',
      headers: { Authorization: 'Bearer $PETSTORE_API_KEY' },
      body: { name: "R'ex", categoryId: 7 },
    });
  });

  test('--curl', async () => {
    const { stdout } = await create([...rex, '--curl'], { env });
    expect(stdout).toMatch(/^curl --disable -X POST https:\/\/pets\.test\/v1\/pets -H .*\n$/);
    expect(stdout).toContain(`-H "Authorization: Bearer $PETSTORE_API_KEY"`);
    expect(stdout).toContain(`--data-raw '{"name":"R'\\''ex","categoryId":7}'`);
  });
});

function prompter(answers: Record<string, string>) {
  const questions: string[] = [];
  const checks: Record<string, (answer: string) => string | true> = {};
  return {
    questions,
    checks,
    secret: () => Promise.reject(new Error('unexpected prompt for a secret')),
    text(question: string, check: (answer: string) => string | true) {
      questions.push(question);
      checks[question] = check;
      return Promise.resolve(answers[question]!);
    },
    choose(question: string) {
      questions.push(question);
      return Promise.resolve(answers[question]!);
    },
  };
}

test('prompts for missing fields only', async () => {
  const all = prompter({ Name: 'Mia', 'Category id': '5', Status: 'sold' });
  expect(await promptForPet({}, all)).toEqual({ name: 'Mia', categoryId: '5', status: 'sold' });
  const some = prompter({ 'Category id': '5', Status: '' });
  expect(await promptForPet({ name: 'Rex' }, some)).toEqual({ name: 'Rex', categoryId: '5' });
  expect(some.questions).toEqual(['Category id', 'Status']);
});

test('rejects an empty name and a category that is not an int64', async () => {
  const questions = prompter({ Name: 'Mia', 'Category id': '5', Status: '' });
  await promptForPet({}, questions);
  expect(questions.checks.Name!('')).toBe('A pet needs a name.');
  expect(questions.checks['Category id']!('seven')).toMatch(/decimal digits/);
});
