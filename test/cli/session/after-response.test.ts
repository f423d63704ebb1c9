import { describe, expect, test } from 'vitest';
import { failureAfterResponse, carriedOutHint } from '../../../src/cli/session/after-response.js';
import { CommandFailure } from '../../../src/cli/errors/command-failure.js';
import { Interruption } from '../../../src/cli/system/context.js';
import { UsageError } from '../../../src/cli/errors/usage-error.js';
import { ServerError } from '../../../src/errors.js';
import { run } from '../../../src/cli/program/program.js';
import { ENV, fakeContext, runFake } from '../../support/fake-context.js';

const CREATED = { status: 201, body: '{"id":9,"name":"Rex","categoryId":1}' };

test.each([
  ['there was no response', new UsageError('x'), undefined],
  ['the service failed', new ServerError('x', { status: 500 }), 'POST'],
  ['the command has its own message', new CommandFailure('x', { type: 't', exitCode: 4 }), 'POST'],
  ['the command was stopped', new Interruption(130), 'POST'],
  ['a read fails by a bug', new RangeError('x'), 'GET'],
])('an error after the response is kept if %s', (_, error, method) => {
  expect(failureAfterResponse(error, method)).toBe(error);
});

describe('sends nothing if the output flags are invalid: exit code 2', () => {
  const create = ['pets', 'create', '--name', 'Rex', '--category', '1'];

  test.each<[readonly string[], Record<string, string>, string]>([
    [create, { PETSTORE_FORCE_TTY: 'wide' }, 'PETSTORE_FORCE_TTY'],
    [['api', 'POST', '/pets', '-f', 'a=b', '--json'], { PETSTORE_FORCE_TTY: 'wide' }, 'PETSTORE_FORCE_TTY'],
    [create, { PETSTORE_OUTPUT: 'jsno' }, 'PETSTORE_OUTPUT'],
    [create, { PETSTORE_COLOR: 'pink' }, 'PETSTORE_COLOR'],
    [[...create, '--fields', 'nope'], {}, 'Unknown field "nope" in --fields'],
    [[...create, '--sort', 'nope'], {}, 'Unknown field "nope" in --sort'],
    [[...create, '--query', '[?'], {}, '--query'],
    [['pets', 'list', '--fields', 'id,nope'], {}, 'Unknown field "nope" in --fields'],
    [['pets', 'list', '--json', 'id,nope'], {}, String.raw`Unknown field \"nope\" in --json`],
    [['pets', 'list', '--sort=-nope'], {}, 'Unknown field "nope" in --sort'],
    [['pets', 'get', '7', '--fields', 'nope'], {}, 'Unknown field "nope" in --fields'],
    [['limits', '--fields', 'nope'], {}, 'Unknown field "nope" in --fields'],
    [['limits', '-o', 'ids'], {}, 'The data has no id'],
    [['api', '/pets', '--sort', '-'], {}, '--sort has no field'],
  ])('%j with %j', async (line, env, message) => {
    const outcome = await runFake(line, { env: { ...ENV, ...env }, responses: [CREATED] });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '', requests: [] });
    expect(outcome.stderr).toContain(message);
  });
});

describe('output that fails only after the response: exit code 1, stdout empty', () => {
  test.each([
    ['api POST /pets -f a=b --fields nope', /The request was carried out, but .*[Uu]nknown field "nope"/],
    [
      'pets create --name Rex --category 1 --query sum(name)',
      /The request was carried out, but .*--query failed/,
    ],
    [
      'api /pets --fields nope',
      /^error: Unknown field "nope" in --fields\nhint: Did you mean "name"\? Fields: id, name, category\.\n/,
    ],
    ['api /pets --fields constructor', /^error: Unknown field "constructor" in --fields\n/],
    ['api /pets --fields a\u001b[2J', /^error: Unknown field "a\^\[\[2J" in --fields\n/],
    ['api /pets --query sum(name)', /^error: --query failed/],
  ])('%s', async (line, message) => {
    const { exitCode, stdout, stderr, requests } = await runFake(line, { responses: [CREATED] });
    expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 1, stdout: '', sent: 1 });
    expect(stderr).toMatch(message);
  });
});

test.each([
  ['pets create --name Rex --category 1', ' (id 9)'],
  ['api POST /pets -f a=b', ' (id 9)'],
  ['api /pets', undefined],
])('if the output of %s cannot be written, a hint says that the write was carried out', async (line, id) => {
  const { context } = fakeContext({ responses: [CREATED] });
  const lost: (string | undefined)[] = [];
  const stdout = { ...context.stdout, write: (_: string, ifLost?: string) => void lost.push(ifLost) };
  await run(line.split(' '), { ...context, stdout });
  expect(lost).toEqual([id && `The request was carried out${id}. Do not send it again.`]);
});

test('the hint leaves out an id that is not a number', () => {
  expect(carriedOutHint('\u001b[2J')).toBe('The request was carried out. Do not send it again.');
});

test('a query that fits only some responses does not prevent a write', async () => {
  const line = ['pets', 'create', '--name', 'Rex', '--category', '1', '--query', 'abs(chip)'];
  const responses = [{ status: 201, body: '{"id":9,"name":"Rex","categoryId":1,"chip":-5}' }];
  expect(await runFake(line, { responses })).toMatchObject({ exitCode: 0, stdout: '5\n' });
});
