import { expect, test } from 'vitest';
import { readCommandTree } from '../../../src/cli/program/read-command-tree.js';
import { KNOWN_VALUES } from '../../../src/cli/program/command-values.js';

const { commands, globalFlags } = await readCommandTree();

test('every flag that values are known of is there', () => {
  const flags = [
    ...globalFlags.map(({ long }) => long),
    ...commands.flatMap(({ words, flags: own }) =>
      own.flatMap(({ long }) => [long, [...words, long].join(' ')]),
    ),
  ];
  expect(KNOWN_VALUES.flags.filter((flag) => !flags.includes(flag))).toEqual([]);
});

test('every argument that values are known of is there', () => {
  const names = commands.flatMap(({ words, arguments: own }) =>
    own.map(({ name }) => [...words, name].join(' ')),
  );
  expect(KNOWN_VALUES.arguments.filter((name) => !names.includes(name))).toEqual([]);
});

test('every flag that takes a file offers files', () => {
  const files = commands.flatMap(({ flags }) => flags.filter(({ placeholder }) => placeholder === 'file'));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter(({ values }) => values !== 'file')).toEqual([]);
});
