import { Command } from 'commander';
import { expect, test } from 'vitest';
import { pageOf } from '../../../src/cli/help/command-page.js';

test('belongs to one command, not to others of the same name', () => {
  const command = new Command('x');
  pageOf(command).notes = 'A note.';
  expect(pageOf(command)).toEqual({ notes: 'A note.' });
  expect(pageOf(new Command('x'))).toEqual({});
});
