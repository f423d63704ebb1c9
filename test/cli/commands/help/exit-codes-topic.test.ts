import { expect, test } from 'vitest';
import { exitCodesTopic } from '../../../../src/cli/commands/help/exit-codes-topic.js';
import { EXIT_CODES } from '../../../../src/cli/errors/exit-codes.js';

const text = exitCodesTopic();

test('lists the codes that there are, in their order', () => {
  const listed = [...text.matchAll(/^ {2}(\d+) /gm)].map((match) => Number(match[1]));
  expect(listed).toEqual(EXIT_CODES.map(({ code }) => code));
});

test('says the whole of each, and names those that no signal tells', () => {
  const words = text.replace(/\s+/g, ' ');
  for (const { code, name, summary } of EXIT_CODES)
    expect(words).toContain(
      code < 128 ? ` ${String(code)} ${name} ${summary}` : ` ${String(code)} ${summary}`,
    );
});
