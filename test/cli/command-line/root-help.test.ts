import { expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/command-line/command-table.js';
import { GLOBAL_FLAGS } from '../../../src/cli/command-line/global-flags.js';
import { rootHelp } from '../../../src/cli/command-line/root-help.js';
import { parseLine } from '../../support/parse-line.js';

const help = rootHelp();

test('names every command and every global flag, in 80 columns', () => {
  for (const word of Object.keys(COMMANDS)) expect(help).toMatch(new RegExp(`^  ${word} `, 'm'));
  for (const { flags } of GLOBAL_FLAGS) expect(help).toContain(flags);
  expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('its examples parse', async () => {
  const examples = [...help.matchAll(/^ {2}petstore (.*)$/gm)].map((match) => match[1]!);
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) expect((await parseLine(example)).words).not.toEqual([]);
});

test.each([30, 40, 60, 80, 100])('fits %d columns', (columns) => {
  const lines = rootHelp(columns).split('\n');
  // Only a term on a line of its own may be longer.
  expect(lines.filter((line) => line.length > columns && /^ {0,2}\S.* /.test(line))).toEqual([]);
});
