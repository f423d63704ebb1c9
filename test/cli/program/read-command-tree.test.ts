import { expect, test } from 'vitest';
import type { CommandNode } from '../../../src/cli/command-line/command-tree.js';
import { COMMANDS } from '../../../src/cli/command-line/command-table.js';
import { readCommandTree } from '../../../src/cli/program/read-command-tree.js';

const tree = await readCommandTree();

test('has every command of the table', () => {
  const words = tree.commands.map(({ words: [word] }) => word);
  expect([...new Set(words)]).toEqual(Object.keys(COMMANDS));
});

test('is plain JSON', () => {
  expect(JSON.parse(JSON.stringify(tree))).toEqual(tree);
});

test('describes the value of a flag', () => {
  const list = tree.commands.find(({ words }) => words.join(' ') === 'pets list');
  expect(list?.flags.find(({ long }) => long === '--status')).toEqual({
    long: '--status',
    short: '-s',
    placeholder: 'a,b',
    summary: 'Only pets with these statuses: available, pending, sold',
    values: ['available', 'pending', 'sold'],
  });
  expect(tree.globalFlags.find(({ long }) => long === '--output')).toMatchObject({ short: '-o' });
});

test('has the other names of commands and flags', () => {
  const [list, create] = ['pets list', 'pets create'].map((line) =>
    tree.commands.find(({ words }) => words.join(' ') === line),
  );
  expect(list).toMatchObject({ aliases: ['ls'], summary: 'List pets (also: ls)' });
  for (const command of [list, create])
    expect(command?.flags.find(({ long }) => long === '--category')).toMatchObject({
      aliases: ['--category-id', '--categoryId'],
    });
});

/** The codes in the list "Exit codes" of a help page; none without one. */
function listedCodes({ notes = '' }: CommandNode): number[] {
  const [, list] = /^Exit codes:\n((?:- .+\n?| {2}.+\n?)+)/m.exec(notes) ?? [];
  const starts = list?.match(/^- [\d, or]+:/gm) ?? [];
  return starts.flatMap((start) => (start.match(/\d+/g) ?? []).map(Number));
}

test('the help of the domain commands and of the import lists their exit codes', () => {
  const listing = tree.commands.map((node) => ({ path: node.words.join(' '), codes: listedCodes(node) }));
  expect(
    listing.flatMap(({ path, codes }) => (codes.length > 0 ? [`${path}: ${codes.join(' ')}`] : [])),
  ).toEqual([
    'pets import: 1 10 3 4 5 6 7',
    'domain records: 0 2',
    'domain verify: 0 1 2 8 9',
    'domain cert: 0 1 2 8 9',
    'domain redirects: 0 1 2 8 9',
  ]);
});

test('flags complete every value that their summary lists', () => {
  const listing = [{ words: [], flags: tree.globalFlags }, ...tree.commands].flatMap(({ words, flags }) =>
    flags.flatMap(({ long, summary, values }) => {
      const listed = /: ([a-z-]+(?:(?:, | or )[a-z-]+)+)(?= \([^)]*\)$|$)/
        .exec(summary)?.[1]
        ?.split(/, | or /);
      return listed === undefined ? [] : [{ flag: [...words, long].join(' '), listed, values }];
    }),
  );
  expect(listing.length).toBeGreaterThan(0);
  expect(listing.map(({ flag, values }) => [flag, values ?? []])).toEqual(
    listing.map(({ flag, listed }) => [flag, listed]),
  );
});

test('every flag that takes a file completes files', () => {
  const files = tree.commands.flatMap(({ flags }) =>
    flags.filter(({ placeholder }) => placeholder === 'file'),
  );
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter(({ values }) => values !== 'file')).toEqual([]);
});
