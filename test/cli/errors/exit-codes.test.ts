import { expect, test } from 'vitest';
import { EXIT, EXIT_CODES } from '../../../src/cli/errors/exit-codes.js';

test('each code has its row, under the name that the program has for it', () => {
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  expect(EXIT_CODES.map(({ name, code }) => [name, code])).toEqual(
    Object.entries(EXIT).map(([name, code]) => [kebab(name), code]),
  );
});

test('the rows say when', () => {
  for (const { summary } of EXIT_CODES) expect(summary).toMatch(/^\S.{5,}[^.]$/);
});
