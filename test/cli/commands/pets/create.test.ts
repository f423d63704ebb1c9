import { describe, expect, test } from 'vitest';
import type { Prompter } from '../../../../src/cli/system/context.js';
import { ENV, runFake, type World } from '../../../support/fake-context.js';

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
  choose: (question, choices) => {
    expect([question, choices.map(({ name }) => name)]).toEqual([
      'Status',
      ['none', 'available', 'pending', 'sold'],
    ]);
    return Promise.resolve('sold');
  },
};

const CARRIED_OUT = '--query selects nothing. The request was carried out (id 9). Do not send it again.\n';

test.each([
  ['tag', ['-o', 'json'], 'null\n', CARRIED_OUT],
  ['tags[]', [], '', CARRIED_OUT],
  ['[name, category]', [], 'Rex\n9007199254740993\n', ''],
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

describe('prompts', () => {
  const terminals = ['stdin', 'stderr'] as const;

  test.each([
    [[], 'Mia', 'sold'],
    [['--name', 'Rex'], 'Rex', 'sold'],
    [['--name', 'Rex', '--status', 'pending'], 'Rex', 'pending'],
  ])('prompts on a terminal for what is missing in %j', async (flags, name, status) => {
    const { exitCode, requests } = await create(flags, {
      terminals,
      prompter: scriptedPrompter,
      responses: [{ status: 201, body: '{"id":9,"name":"Mia","categoryId":5}' }],
    });
    expect(exitCode).toBe(0);
    expect(requests[0]!.body).toBe(`{"name":"${name}","categoryId":5,"status":"${status}"}`);
  });

  test('does not prompt if no value is missing', async () => {
    expect((await create(ALL, { terminals })).exitCode).toBe(0);
  });

  test("does not prompt if the pet can't be sent", async () => {
    const { stderr } = await create([], { terminals, prompter: scriptedPrompter, env: {} });
    expect(stderr).toContain('No API address configured');
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

test('--curl quotes the data', async () => {
  const { stdout } = await create(['--name', "R'ex", '--category', '7', '--curl']);
  expect(stdout).toContain(`--data-raw '{"name":"R'\\''ex","categoryId":7}'`);
});
