import { expect, test } from 'vitest';
import { commandEntry, COMMANDS, TOPICS } from '../../../src/cli/command-line/command-table.js';

test('finds commands, and no inherited properties', () => {
  expect(commandEntry('pets')).toBe(COMMANDS.pets);
  expect(commandEntry('constructor')).toBeUndefined();
  expect(commandEntry('')).toBeUndefined();
});

test('one topic has the name of a command: help config explains, config --help lists the verbs', () => {
  expect(Object.keys(TOPICS).filter((topic) => topic in COMMANDS)).toEqual(['config']);
});
