import { describe, expect, test } from 'vitest';
import { readCommandTree } from '../../../src/cli/program/read-command-tree.js';
import { Interruption } from '../../../src/cli/system/context.js';
import { runFake } from '../../support/fake-context.js';

const { commands } = await readCommandTree();
const LEAVES = commands.filter(({ isGroup }) => !isGroup).map(({ words }) => words.join(' '));

test.each([
  ['--help pets list', 'pets list'],
  ['-h pets list --status sold', 'pets list'],
  ['--mock --help pets', 'pets'],
  ['--help limits', 'limits'],
  ['pets --help list', 'pets list'],
  ['pets --help', 'pets'],
  ['help pets list', 'pets list'],
  ['pets ls --help', 'pets list'],
  ['--help pets ls', 'pets list'],
  ['help pets ls', 'pets list'],
])('%s: help works anywhere on the line', async (line, command) => {
  const { exitCode, stdout, stderr } = await runFake(line);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`^Usage: petstore ${command} `));
});

test('an empty value counts as missing: every flag', async () => {
  const lines: { flag: string; line: string[] }[] = [];
  for (const command of LEAVES) {
    const { stdout } = await runFake(`${command} --help`);
    const [usage = ''] = stdout.split('\n');
    const required = command === 'api' ? ['/pets'] : [...usage.matchAll(/</g)].map(() => 'x');
    for (const [, flag = ''] of stdout.matchAll(/^ {2,}(?:-\w, )?(--[\w-]+) <.+?>/gm))
      lines.push({ flag, line: [...command.split(' '), flag, '', ...required] });
  }
  expect(lines.length).toBeGreaterThan(9);
  lines.push({ flag: '--ca', line: ['pets', 'list', '--ca', ''] });
  lines.push({ flag: '--ca', line: ['--ca', '', 'pets', 'list'] });
  for (const { flag, line } of lines) {
    const { exitCode, stdout, stderr, requests } = await runFake(line);
    expect({ line, exitCode, stdout, requests }).toEqual({ line, exitCode: 2, stdout: '', requests: [] });
    expect(stderr).toMatch(`error: ${flag} needs a value\nhint: Run "petstore `);
  }
});

describe('responses and exit codes', () => {
  test('--no-retry: one attempt, and no waiting for the limit', async () => {
    for (const response of [{ status: 503 }, { status: 429, headers: { 'retry-after': '1' } }]) {
      const { requests } = await runFake('pets list --no-retry', { responses: [response] });
      expect(requests).toHaveLength(1);
    }
  });

  test('a failed GET is retried without --no-retry', async () => {
    const { exitCode, requests } = await runFake('pets list', {
      responses: [{ status: 503 }, { body: '[]' }],
    });
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 0, sent: 2 });
  });

  test('--max-wait allows a longer wait', async () => {
    const responses = [{ status: 429, headers: { 'retry-after': '20' } }, { body: '[]' }];
    expect((await runFake('pets list --max-wait 10s', { responses })).exitCode).toBe(6);
    expect((await runFake('pets list --max-wait 5m', { responses })).exitCode).toBe(0);
  });
});

describe('stopping', () => {
  test.each([[130], [143], [0]] as const)(
    'stopped before the start: exit code %d, nothing printed',
    async (exitCode) => {
      const controller = new AbortController();
      controller.abort(new Interruption(exitCode));
      expect(await runFake('pets list', { signal: controller.signal })).toMatchObject({
        exitCode,
        stdout: '',
        stderr: '',
      });
    },
  );

  test.each([
    [130, 130],
    [143, 143],
    [0, 10],
  ] as const)(
    'a write in progress, stopped with %d: the error says that it may have been carried out, %d',
    async (stop, expected) => {
      const controller = new AbortController();
      const onSend = () => {
        controller.abort(new Interruption(stop));
      };
      const { signal } = controller;
      const line = ['pets', 'create', '--name', 'Rex', '--category', '1'];
      const { exitCode, stdout, stderr } = await runFake(line, {
        signal,
        responses: [new Error('never')],
        onSend,
      });
      expect({ exitCode, stdout }).toEqual({ exitCode: expected, stdout: '' });
      expect(stderr).toMatch(
        /^error: Stopped after the request was sent; it may or may not have been carried out\n/,
      );
    },
  );
});

test('-V anywhere prints the version', async () => {
  expect((await runFake('pets -V')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('a group with only global flags prints its help', async () => {
  expect(await runFake('pets --mock -o json')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Usage: petstore pets'),
  });
});
