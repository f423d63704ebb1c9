import { describe, expect, test } from 'vitest';
import { runQuery } from '../../../../src/cli/output/query/query.js';
import { UsageError } from '../../../../src/cli/errors/usage-error.js';

async function failureOf(expression: string): Promise<UsageError> {
  const failure = await runQuery(expression, []).catch((error: unknown) => error);
  if (failure instanceof UsageError) return failure;
  throw new Error(`expected a UsageError for ${expression}`);
}

describe('an invalid expression is reported with its column', () => {
  test('points at the column below the expression', async () => {
    expect((await failureOf('foo bar')).message.split('\n').slice(1)).toEqual(['    foo bar', '        ^']);
  });

  test('shows the part of a long expression that has the mistake', async () => {
    const lines = async (expression: string) => (await failureOf(expression)).message.split('\n').slice(1);
    expect(await lines(`foo bar${' || a'.repeat(1_000)}`)).toEqual([
      `    foo bar${' || a'.repeat(1_000).slice(0, 53)}...`,
      '        ^',
    ]);
    expect(await lines(`${'a || '.repeat(1_000)}foo bar`)).toEqual([
      `    ...${'a || '.repeat(10).slice(-26)}foo bar`,
      `${' '.repeat(4 + 3 + 30)}^`,
    ]);
  });

  test('shows no caret if a character is not one column wide or is a control character', async () => {
    expect((await failureOf('"猫" x')).message).toBe('Invalid --query at column 5: unexpected "x"');
    expect((await failureOf('a \x1b[2J')).message).toBe('Invalid --query at column 3: unexpected "^["');
  });
});

test('the hint explains a number without quotes and suggests the nearest function', async () => {
  expect((await failureOf('[?id > 100]')).hint).toContain("'[?id > `100`]'");
  expect((await failureOf('[].lenght(@)')).hint).toBe('Did you mean "length()"?');
  for (const other of ['[', 'foo bar', '[].zzzzzz(@)'])
    expect((await failureOf(other)).hint).toBe('Run "petstore help formatting" for examples of queries.');
});
