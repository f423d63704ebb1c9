import { Command } from 'commander';
import { expect, test } from 'vitest';
import { pageOf } from '../../../src/cli/help/command-page.js';
import { addExamples } from '../../../src/cli/help/examples.js';

test('prints notes, then one example a line', () => {
  const command = new Command('x').configureOutput({ writeOut: (text) => (written += text) });
  let written = '';
  addExamples(command, ['petstore x', 'petstore x -q'], 'A note.');
  command.outputHelp();
  expect(written).toMatch(
    /\nA note\.\n\nExamples:\n {2}petstore x\n {2}petstore x -q\n\nGlobal flags and help topics: petstore --help\n$/,
  );
  expect(pageOf(command)).toEqual({ examples: ['petstore x', 'petstore x -q'], notes: 'A note.' });
});
