import { expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/command-line/command-table.js';
import { commandsOf } from '../../../src/cli/program/load-command.js';
import { runFake } from '../../support/fake-context.js';
import { shellWords } from '../../support/parse-line.js';

const hintOf = async (line: string): Promise<string> => {
  const { exitCode, stdout, stderr, requests } = await runFake(shellWords(line));
  expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
  return /^error: .*\nhint: (.*)\n$/.exec(stderr)?.[1] ?? stderr;
};

const verbsOfPets = (await commandsOf('pets'))?.map(({ word }) => word);

test.each(
  [
    ['update', 'pets update 5 --name Tom'],
    ['update', 'pets edit 5'],
    ['update', 'update 5'],
    ['delete', 'pets delete 5'],
    ['delete', 'pets rm 5'],
    ['delete', 'delete 5'],
  ].filter(([verb = '']) => verbsOfPets?.includes(verb) === false),
)('%s: the service has no endpoint for petstore %s', async (verb, line) => {
  const { stderr } = await runFake(line);
  expect(stderr).toContain(`error: petstore can't ${verb} pets: the service has no endpoint for it\n`);
  expect(await hintOf(line)).toContain('petstore pets --help');
});

const KEY = 'sk-misplaced-0123456789';

test.each([
  ['pets', 'list', `--api-key=${KEY}`],
  ['auth', 'login', `--with-key=${KEY}`],
  ['pets', `--api-key=${KEY}`],
  [`--token=${KEY}`, 'pets', 'list'],
  ['pets', 'list', `--api-key=a\n${KEY}`],
  ['pets', 'list', `--api-key=it's=${KEY}`],
])('flags of other programs keep their value out of the message: %j', async (...line) => {
  const { exitCode, stdout, stderr } = await runFake(line);
  expect(exitCode).toBe(2);
  expect(stdout + stderr).not.toContain(KEY);
  expect(stderr).toMatch(/error: Unknown option ['"]--[a-z-]+=…['"]/);
});

test('every command that a hint names exists', async () => {
  const words = 'ls show find add token init use check dns serve man'.split(' ');
  for (const word of words) {
    const [, group = '', verb] = /"petstore (\w+)(?: (\w+))?/.exec(await hintOf(word)) ?? [];
    expect(COMMANDS).toHaveProperty(group);
    if (verb !== undefined) expect((await commandsOf(group))?.map((command) => command.word)).toContain(verb);
  }
});
