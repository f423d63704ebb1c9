import { describe, expect, test } from 'vitest';
import { COMMANDS, TOPICS } from '../../../../src/cli/command-line/command-table.js';
import { topicTexts } from '../../../../src/cli/commands/help/topics.js';
import { ENVIRONMENT_VARIABLES } from '../../../../src/cli/settings/config/environment.js';
import { EXIT_CODES } from '../../../../src/cli/errors/exit-codes.js';
import { OUTPUT_FORMATS } from '../../../../src/cli/output/index.js';
import { wrapText } from '../../../../src/cli/output/text/wrap.js';
import { createMock } from '../../../../src/mock/index.js';
import { runFake } from '../../../support/fake-context.js';

const TOPIC_TEXTS = await topicTexts();

test('every topic has its text', () => {
  expect(Object.keys(TOPIC_TEXTS)).toEqual(Object.keys(TOPICS));
});

test.each(Object.entries(TOPIC_TEXTS))('%s is plain text that wraps at every width', (_, text) => {
  expect(text.endsWith('\n')).toBe(true);
  expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  for (const width of [50, 60, 72, 80, 100]) {
    // Code (indented by four) and a path are not wrapped, and fit 60 columns.
    const long = wrapText(text, width)
      .split('\n')
      .filter((line) => line.length > (/^(?: {4}|\S+$)/.test(line) ? Math.max(60, width) : width));
    expect(long).toEqual([]);
  }
});

describe('formatting', () => {
  test('lists the formats', () => {
    const listed = [...TOPIC_TEXTS.formatting!.matchAll(/^ {2}([a-z]+) {2,}/gm)].map((match) => match[1]);
    expect(listed).toEqual(OUTPUT_FORMATS);
  });
});

describe('exit-codes', () => {
  const text = TOPIC_TEXTS['exit-codes']!;

  test('lists the codes in their order', () => {
    const listed = [...text.matchAll(/^ {2}(\d+) /gm)].map((match) => Number(match[1]));
    expect(listed).toEqual(EXIT_CODES.map(({ code }) => code));
  });

  test('has the name and summary of each code', () => {
    const words = text.replace(/\s+/g, ' ');
    for (const { code, name, summary } of EXIT_CODES)
      expect(words).toContain(` ${String(code)} ${name}: ${summary}`);
  });
});

describe('environment', () => {
  const text = TOPIC_TEXTS.environment!;

  test('lists all variables in their order', () => {
    const words = text.replace(/\s+/g, ' ');
    const positions = ENVIRONMENT_VARIABLES.map(({ name, summary }) => words.indexOf(` ${name} ${summary}`));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
  });

  test('mentions no unknown variable', () => {
    const known = new Set(ENVIRONMENT_VARIABLES.map(({ name }) => name));
    const named = text.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

test('mock-dns lists exactly the names that the mock serves, in its order', async () => {
  const mock = createMock();
  const server = await mock.listen({ port: 0, dnsPort: 0 });
  await server.close();
  const listed = [...TOPIC_TEXTS['mock-dns']!.matchAll(/^ {2}([\w.-]+\.test) +\S/gm)].map(
    (match) => match[1],
  );
  expect(listed).toEqual(mock.dns?.names.map(({ name }) => name));
});

/** Topics and the commands that they explain. */
test.each([
  ['config', 'config'],
  ['rate-limits', 'limits'],
  ['mock-dns', 'mock'],
])('%s and petstore %s --help name each other', async (topic, command) => {
  expect((await runFake(`${command} --help`)).stdout).toContain(`petstore help ${topic}`);
  expect(TOPIC_TEXTS[topic]!.replace(/\s+/g, ' ')).toContain(`petstore ${command} --help`);
});

test('every help page points to the topics', async () => {
  for (const command of Object.keys(COMMANDS))
    expect((await runFake(`${command} --help`)).stdout).toMatch(/help topics: petstore --help\n$/);
});
