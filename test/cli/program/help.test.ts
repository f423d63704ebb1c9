import { describe, expect, test } from 'vitest';
import { COMMANDS, TOPICS } from '../../../src/cli/command-line/command-table.js';
import { GLOBAL_FLAGS } from '../../../src/cli/command-line/global-flags.js';
import { rootHelp } from '../../../src/cli/command-line/root-help.js';
import { readCommandTree } from '../../../src/cli/program/read-command-tree.js';
import { runFake } from '../../support/fake-context.js';

const { commands } = await readCommandTree();

describe.each(commands.map((node) => [node.words.join(' '), node] as const))('%s --help', (line, node) => {
  test('fits 80 columns and matches the command tree', async () => {
    const { exitCode, stdout, stderr } = await runFake(`${line} --help`, { terminals: ['stdout'] });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.split('\n').filter((text) => text.length > 80 || text.endsWith(' '))).toEqual([]);
    expect(stdout).toContain(`Usage: petstore ${line} ${node.usage}\n`);
    expect(stdout).not.toMatch(/\[options\]|^Options:|\(default: "/m);
    const plain = stdout.replace(/\s+/g, ' ');
    for (const { long, summary } of node.flags) {
      expect(plain).toContain(long);
      expect(plain).toContain(summary);
    }
  });
});

test.each([40, 60])('every --help wraps between words at %d columns', async (columns) => {
  for (const { words } of commands) {
    const { stdout } = await runFake(`${words.join(' ')} --help`, { terminals: ['stdout'], columns });
    const isWrapped = (line: string): boolean => line.length <= columns || !line.trim().includes(' ');
    // Only usage lines, terms and command lines may be longer.
    const long = stdout.split('\n').filter((line) => !isWrapped(line) && !/^(?:Usage:| {2,6}\S)/.test(line));
    expect(long).toEqual([]);
  }
});

test.each(commands.filter(({ isGroup }) => isGroup).map(({ words: [group] }) => group))(
  '%s --help has a line for each of its commands',
  async (group) => {
    const { stdout } = await runFake(`${String(group)} --help`);
    const listed = [...stdout.matchAll(/^ {2}([a-z]+)(?: [<[].*?[>\]])*? {2,}(.*)$/gm)].map((row) => [
      row[1],
      row[2],
    ]);
    const verbs = commands.filter(({ words }) => words[0] === group && words.length > 1);
    expect(Object.fromEntries(listed)).toMatchObject(
      Object.fromEntries(verbs.map(({ words, summary }) => [words[1], summary])),
    );
  },
);

test('a flag shows its default once', async () => {
  const { stdout } = await runFake('mock --help');
  expect(stdout.match(/default 4010/g)).toHaveLength(1);
  expect(stdout).toMatch(/--no-ui +Do not serve the page [^(]+\n/);
});

test('help ends with notes, then one example a line', async () => {
  expect((await runFake('auth status --help')).stdout).toMatch(
    /\nSends one request\.[^\n]*\n\nExamples:\n {2}petstore auth status\n {2}petstore [^\n]+\n {2}petstore [^\n]+\n\nGlobal flags and help topics: petstore --help\n$/,
  );
});

test('one topic has the name of a command: help config explains, config --help lists the verbs', () => {
  expect(Object.keys(TOPICS).filter((topic) => topic in COMMANDS)).toEqual(['config']);
});

test('petstore --help names every command and every global flag', () => {
  for (const word of Object.keys(COMMANDS)) expect(rootHelp()).toMatch(new RegExp(`^  ${word} `, 'm'));
  for (const { flags } of GLOBAL_FLAGS) expect(rootHelp()).toContain(flags);
});

test.each([30, 40, 60, 80, 100])('petstore --help fits %d columns', (columns) => {
  const lines = rootHelp(columns).split('\n');
  // Only a term on a line of its own may be longer.
  expect(lines.filter((line) => line.length > columns && /^ {0,2}\S.* /.test(line))).toEqual([]);
});
