import { expect, test } from 'vitest';
import { readCommandTree } from '../../../src/cli/program/read-command-tree.js';
import { KNOWN_VALUES } from '../../../src/cli/program/command-values.js';

const { commands, globalFlags } = await readCommandTree();

test('every flag with known values exists', () => {
  const flags = [
    ...globalFlags.map(({ long }) => long),
    ...commands.flatMap(({ words, flags: own }) =>
      own.flatMap(({ long }) => [long, [...words, long].join(' ')]),
    ),
  ];
  expect(KNOWN_VALUES.flags.filter((flag) => !flags.includes(flag))).toEqual([]);
});

test('every argument with known values exists', () => {
  const names = commands.flatMap(({ words, arguments: own }) =>
    own.map(({ name }) => [...words, name].join(' ')),
  );
  expect(KNOWN_VALUES.arguments.filter((name) => !names.includes(name))).toEqual([]);
});

test('flags complete every value that their summary lists', () => {
  const listing = [{ words: [], flags: globalFlags }, ...commands].flatMap(({ words, flags }) =>
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
  const files = commands.flatMap(({ flags }) => flags.filter(({ placeholder }) => placeholder === 'file'));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter(({ values }) => values !== 'file')).toEqual([]);
});
