import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TOPICS } from '../../../../src/cli/command-table.js';
import { TOPIC_TEXTS } from '../../../../src/cli/commands/help/topics.js';
import { EXIT } from '../../../../src/cli/exit.js';
import { OUTPUT_FORMATS } from '../../../../src/cli/output/index.js';

test('every topic of the table has its text', () => {
  expect(Object.keys(TOPIC_TEXTS)).toEqual(Object.keys(TOPICS));
});

test.each(Object.entries(TOPIC_TEXTS))('%s is plain text of 80 columns', (_, text) => {
  expect(text.endsWith('\n')).toBe(true);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(text).toMatch(/^[\n\x20-\x7e]*$/);
});

test('exit-codes lists the codes that there are', () => {
  const listed = [...TOPIC_TEXTS['exit-codes']!.matchAll(/^ {2}(\d+) /gm)].map((match) => Number(match[1]));
  expect(listed).toEqual([...Object.values(EXIT), 129, 130, 143]);
});

test('environment lists the variables that are read, and no other', () => {
  const read = readdirSync('src/cli', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('topics'))
    .flatMap((path) => [
      ...readFileSync(`src/cli/${path}`, 'utf8').matchAll(/variable\((?:[\w.]+), '(\w+)'\)/g),
    ])
    .map((match) => match[1]!);
  const known = new Set([
    ...read,
    'PETSTORE_API_KEY',
    'NO_COLOR',
    'FORCE_COLOR',
    'CLICOLOR_FORCE',
    'CLICOLOR',
    'TERM',
    'APPDATA',
  ]);
  const text = TOPIC_TEXTS.environment!;
  const named = new Set(text.match(/\bPETSTORE_\w+|\bCI\b|\bXDG_\w+/g));
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
  expect([...known].filter((name) => !text.includes(name) && name !== 'APPDATA')).toEqual([]);
});

test('formatting lists the formats that there are', () => {
  const listed = [...TOPIC_TEXTS.formatting!.matchAll(/^ {2}([a-z]+) {2,}/gm)].map((match) => match[1]);
  expect(listed).toEqual(OUTPUT_FORMATS);
});
