import { expect, test } from 'vitest';
import { failureAfterResponse, carriedOutHint } from '../../../src/cli/session/after-response.js';
import { CommandFailure } from '../../../src/cli/errors/command-failure.js';
import { Interruption } from '../../../src/cli/system/context.js';
import { UsageError } from '../../../src/cli/errors/usage-error.js';
import { ServerError } from '../../../src/errors.js';
import { runLine } from '../../../src/cli/program/run-line.js';
import { fakeContext, runFake } from '../../support/fake-context.js';

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

test.each([
  ['pets create --name Rex --category 1', ' (id 9)'],
  ['api POST /pets -f a=b', ' (id 9)'],
  ['api /pets', undefined],
])('if the output of %s cannot be written, a hint says that the write was carried out', async (line, id) => {
  const { context } = fakeContext({ responses: [CREATED] });
  const lost: (string | undefined)[] = [];
  const stdout = { ...context.stdout, write: (_: string, ifLost?: string) => void lost.push(ifLost) };
  await runLine(line.split(' '), { ...context, stdout });
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
