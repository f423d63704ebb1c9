import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findProgram } from '../../integration/programs.js';
import { shellText, shellWord } from '../../../src/cli/errors/shell-word.js';

const TEXTS = [
  '',
  'plain',
  "it's",
  '$HOME `id` "x" \\',
  'a\nb',
  '*',
  '~',
  'https://pets.test/v1/pets?a=1&b=2',
  'a\\nb',
  'C:\\',
  'C:\\\\x',
  "it's a\\'b",
  '\\\\\\',
  "\\'",
  '!x',
  '=ls',
  '%self',
  '%1',
  '(id)',
  '{a,b}',
  '-x',
  '#x',
];

test('keeps safe text unquoted', () => {
  expect(shellWord('http://127.0.0.1:4010/v1')).toBe('http://127.0.0.1:4010/v1');
});

describe.each(['sh', 'bash', 'dash', 'zsh', 'fish'])('%s', (name) => {
  const shell = findProgram(name);
  const reason = shell === undefined ? ` (skipped: ${name} is not installed)` : '';
  test.skipIf(shell === undefined)(`reads each word as its text${reason}`, () => {
    const lines = TEXTS.map((text) => `printf '%s\\0' ${shellWord(text)}`).join('\n');
    const env = { ...process.env, LD_LIBRARY_PATH: shell!.libraryFolders.join(delimiter) };
    const read = execFileSync(shell!.path, ['-c', lines], { encoding: 'utf8', env });
    expect(read.split('\0').slice(0, -1)).toEqual(TEXTS);
  });
});

test.each(TEXTS)('shellText reads the word of %j as the text', (text) => {
  expect(shellText(shellWord(text))).toBe(text);
});

test.each([
  ["'my s", 'my s'],
  ['"my s', 'my s'],
  ['my\\ s', 'my s'],
  ['"a\\"b', 'a"b'],
  ['"a\\b', 'a\\b'],
  ["'a\\b", 'a\\b'],
  ["--profile='my s", '--profile=my s'],
  ['\\', ''],
])('%j means %j', (typed, text) => {
  expect(shellText(typed)).toBe(text);
});
