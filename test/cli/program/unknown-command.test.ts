import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/command-line/command-table.js';
import { commandsOf } from '../../../src/cli/program/commands.js';
import { runFake } from '../../support/fake-context.js';
import { shellWords } from '../../support/parse-line.js';

const hintOf = async (line: string): Promise<string> => {
  const { exitCode, stdout, stderr, requests } = await runFake(shellWords(line));
  expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
  return /^error: .*\nhint: (.*)\n$/.exec(stderr)?.[1] ?? stderr;
};

describe('a verb without its group', () => {
  test.each([
    ['list', '"petstore pets list", "petstore auth list" or "petstore config list"'],
    ['ls', '"petstore pets list"'],
    ['create --name Rex', '"petstore pets create"'],
    ['get 5', '"petstore pets get" or "petstore config get"'],
    ['import pets.csv', '"petstore pets import"'],
    ['login', '"petstore auth login"'],
    ['logout', '"petstore auth logout"'],
    ['whoami', '"petstore auth status"'],
    ['verify shop.example.com', '"petstore domain verify"'],
    ['set output json', '"petstore config set"'],
    ['creat', '"petstore pets create"'],
    ['verfy', '"petstore domain verify"'],
    ['pet', '"petstore pets"'],
    ['petz list', '"petstore pets"'],
    ['doctr', '"petstore doctor"'],
    ['quota', '"petstore limits"'],
  ])('petstore %s', async (line, commands) => {
    expect(await hintOf(line)).toBe(`Did you mean ${commands}?`);
  });
});

describe('an unknown verb', () => {
  test.each([
    ['pets lst', '"petstore pets list"'],
    ['pets lst --help', '"petstore pets list"'],
    ['-h pets lst', '"petstore pets list"'],
    ['pets lsit', '"petstore pets list"'],
    ['pets show 5', '"petstore pets get"'],
    ['pets new', '"petstore pets create"'],
    ['pets login', '"petstore auth login"'],
    ['auth token', '"petstore auth key"'],
    ['domain check x.test', '"petstore domain verify"'],
    ['config edit', '"petstore config set"'],
  ])('petstore %s', async (line, commands) => {
    expect(await hintOf(line)).toBe(`Did you mean ${commands}?`);
  });

  test('without a similar one: the help of the group', async () => {
    expect(await hintOf('pets frobnicate')).toBe('Run "petstore pets --help" for the commands.');
    expect(await hintOf('pets constructor')).toBe('Run "petstore pets --help" for the commands.');
  });
});

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

describe('flags of other programs', () => {
  test.each([
    ["pets list --jq '.[].name'", '--query'],
    ['pets list --template x', '--query'],
    ['pets list --format json', '-o json'],
    ['pets get 5 --format=json', '-o json'],
    ['pets list --columns id', '--fields'],
    ['pets list --page 2', '--all'],
    ['pets --jq .name list', '--query'],
    ['--jq .name pets list', '--query'],
    ['pets list --api-key sk-1234567890', 'petstore auth login'],
  ])('petstore %s', async (line, remedy) => {
    expect(await hintOf(line)).toContain(remedy);
  });

  test('an import has a --format of its own', async () => {
    const { stderr } = await runFake('pets import nowhere.csv --format csv');
    expect(stderr).not.toContain('Unknown option');
  });

  test.each([
    ['pets', 'list', `--api-key=${KEY}`],
    ['auth', 'login', `--with-key=${KEY}`],
    ['pets', `--api-key=${KEY}`],
    [`--token=${KEY}`, 'pets', 'list'],
    ['pets', 'list', `--api-key=a\n${KEY}`],
    ['pets', 'list', `--api-key=it's=${KEY}`],
  ])('keep their value out of the message: %j', async (...line) => {
    const { exitCode, stdout, stderr } = await runFake(line);
    expect(exitCode).toBe(2);
    expect(stdout + stderr).not.toContain(KEY);
    expect(stderr).toMatch(/error: Unknown option ['"]--[a-z-]+=…['"]/);
  });
});

test('every command that a hint names exists', async () => {
  const words = 'ls show find add token init use check dns serve man'.split(' ');
  for (const word of words) {
    const [, group = '', verb] = /"petstore (\w+)(?: (\w+))?/.exec(await hintOf(word)) ?? [];
    expect(COMMANDS).toHaveProperty(group);
    if (verb !== undefined) expect((await commandsOf(group))?.map((command) => command.word)).toContain(verb);
  }
});
