import { expect, test } from 'vitest';
import { COMMANDS, TOPICS } from '../../../../src/cli/command-line/command-table.js';
import { TOPIC_TEXTS } from '../../../../src/cli/commands/help/topics.js';
import { OUTPUT_FORMATS } from '../../../../src/cli/output/index.js';
import { runFake } from '../../../support/fake-context.js';

test('every topic of the table has its text', () => {
  expect(Object.keys(TOPIC_TEXTS)).toEqual(Object.keys(TOPICS));
});

test.each(Object.entries(TOPIC_TEXTS))('%s is plain text of 80 columns', (_, text) => {
  expect(text.endsWith('\n')).toBe(true);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(text).toMatch(/^[\n\x20-\x7e]*$/);
});

test('formatting lists the formats that there are', () => {
  const listed = [...TOPIC_TEXTS.formatting!.matchAll(/^ {2}([a-z]+) {2,}/gm)].map((match) => match[1]);
  expect(listed).toEqual(OUTPUT_FORMATS);
});

/** Topics and the commands that they explain: each leads to the other. */
test.each([
  ['config', 'config'],
  ['rate-limits', 'limits'],
  ['mock-dns', 'mock'],
])('%s and petstore %s --help name each other', async (topic, command) => {
  expect((await runFake(`${command} --help`)).stdout).toContain(`petstore help ${topic}`);
  expect(TOPIC_TEXTS[topic]!.replace(/\s+/g, ' ')).toContain(`petstore ${command} --help`);
});

test('every page of help leads to the topics', async () => {
  for (const command of Object.keys(COMMANDS))
    expect((await runFake(`${command} --help`)).stdout).toMatch(/help topics: petstore --help\n$/);
});
