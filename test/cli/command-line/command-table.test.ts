import { expect, test } from 'vitest';
import { COMMANDS, isCommandWord, TOPICS } from '../../../src/cli/command-line/command-table.js';

test('finds commands, and no inherited properties', () => {
  expect(['pets', 'constructor', ''].map(isCommandWord)).toEqual([true, false, false]);
});

test('one topic has the name of a command: help config explains, config --help lists the verbs', () => {
  expect(Object.keys(TOPICS).filter((topic) => topic in COMMANDS)).toEqual(['config']);
});
