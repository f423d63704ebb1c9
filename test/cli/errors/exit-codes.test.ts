import { expect, test } from 'vitest';
import { EXIT, EXIT_CODES } from '../../../src/cli/errors/exit-codes.js';

test('each exit code has a row with its name, and those of signals one name', () => {
  const signals: readonly number[] = [EXIT.hungUp, EXIT.terminated];
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  expect(EXIT_CODES.map(({ name, code }) => [name, code])).toEqual(
    Object.entries(EXIT).map(([name, code]) => [signals.includes(code) ? 'interrupted' : kebab(name), code]),
  );
});

test('each row has a summary', () => {
  for (const { summary } of EXIT_CODES) expect(summary).toMatch(/^\S.{5,}[^.]$/);
});
