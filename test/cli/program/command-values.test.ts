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
  const differing = commands.flatMap(({ words, flags }) =>
    flags.flatMap(({ long, summary, values }) => {
      const listed = /: ((?:[a-z-]+, )+[a-z-]+(?: or [a-z-]+)?)(?= \(default|$)/.exec(summary)?.[1];
      if (listed === undefined || !Array.isArray(values)) return [];
      return String(values.join()) === listed.split(/, | or /).join() ? [] : [[...words, long].join(' ')];
    }),
  );
  expect(differing).toEqual([]);
});

test('every flag that takes a file completes files', () => {
  const files = commands.flatMap(({ flags }) => flags.filter(({ placeholder }) => placeholder === 'file'));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter(({ values }) => values !== 'file')).toEqual([]);
});
