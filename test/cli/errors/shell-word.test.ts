import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
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
];

test('keeps safe text unquoted', () => {
  expect(shellWord('http://127.0.0.1:4010/v1')).toBe('http://127.0.0.1:4010/v1');
});

test.skipIf(process.platform === 'win32').each(TEXTS)('a shell reads the word of %j as the text', (text) => {
  expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
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
