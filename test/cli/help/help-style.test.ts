import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/command-line/command-table.js';
import { flagSummary, usageOf } from '../../../src/cli/help/help-style.js';
import { readCommandTree } from '../../../src/cli/program/read-command-tree.js';
import { runFake } from '../../support/fake-context.js';

const { commands } = await readCommandTree();

describe.each(commands.map((node) => [node.words.join(' '), node] as const))('%s --help', (line, node) => {
  test('fits 80 columns and matches the command tree', async () => {
    const { stdout } = await runFake(`${line} --help`, { terminals: ['stdout'] });
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

test.each(Object.entries(COMMANDS).filter(([, { verbs }]) => verbs !== undefined))(
  '%s --help has a line for each of its commands',
  async (group, { verbs = {} }) => {
    const { stdout } = await runFake(`${group} --help`);
    const listed = [...stdout.matchAll(/^ {2}([a-z]+)(?: [<[].*?[>\]])? {2,}(.*)$/gm)].map((row) => [
      row[1],
      row[2],
    ]);
    expect(Object.fromEntries(listed)).toMatchObject(verbs);
  },
);

test('a flag shows its default once', () => {
  const command = new Command('x').option('--port <n>', 'where', '4010').option('--no-y', 'not y');
  expect(command.options.map(flagSummary)).toEqual(['where (default 4010)', 'not y']);
  expect(usageOf(command.argument('<id>'))).toBe('[flags] <id>');
});
