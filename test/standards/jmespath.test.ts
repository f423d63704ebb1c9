// Cases written from the grammar of JMESPath (jmespath.org/specification.html) and of its community edition
// (jmespath.site: let, root, arithmetic).
import { describe, expect, test } from 'vitest';
import { checkQuery, runQuery } from '../../src/cli/output/query/query.js';
import { UsageError } from '../../src/cli/errors/usage-error.js';

const COMMA = 'a comma or an operator is missing between two values';

describe('an invalid expression is rejected before a request', () => {
  test.each([
    // What the library accepts
    ["[?status = 'sold']", 'unexpected "="'],
    ['a = b', 'unexpected "="'],
    ['{a: b = c}', 'unexpected "="'],
    ['[1-2]', 'unexpected "-"'],
    ['contains(a b)', COMMA],
    ["[a 'b']", COMMA],
    ['[@ `1`]', COMMA],
    ['f((a) $)', COMMA],
    ['&a', 'unexpected "&"'],
    ['sort_by(@, & &name)', 'unexpected "&"'],
    ['length(&a)', 'argument 1 of length() must have no "&"'],
    ['sort_by(@, name)', 'argument 2 of sort_by() must be an expression such as &name'],
    ["map('a', @)", 'argument 1 of map() must be an expression such as &name'],
    ['length()', 'length() takes 1 argument, not 0'],
    ['[].length(@, @)', 'length() takes 1 argument, not 2'],
    ["pad_left('a')", 'pad_left() takes 2 to 3 arguments, not 1'],
    ['not_null()', 'not_null() takes at least 1 argument, not 0'],
    ['[].{a: nothing(@)}', 'unknown function nothing()'],
    ['__proto__(@)', 'unknown function __proto__()'],
    ['$x', 'unknown variable $x'],
    ['let $a = $a in $a', 'unknown variable $a'],
    ['(let $a = b in $a) || $a', 'unknown variable $a'],
    ['"foo', '" is not closed'],
    ["'foo\\'", "' is not closed"],
    ['`foo', '` is not closed'],
    ['`"a`b"`', '" is not closed'],
    ['`foo`', '`foo` is not JSON'],
    ["`'a'`", "`'a'` is not JSON"],
    // What the library rejects
    ['', 'the expression ends too early'],
    ['[?a', 'the expression ends too early'],
    ['a b', 'unexpected token type: a name, value: b'],
    ['foo..bar', 'unexpected token: .'],
    ['foo[abc]', 'expected "*", got: a name'],
    ['[a,]', 'unexpected token "]"'],
    ['[?id > 100]', 'invalid token: "100"'],
    ['\ufeffa', 'unknown character: <U+FEFF>'],
    ['"length"(@)', 'quoted identifier not allowed for function names.'],
  ])('%j', async (expression, expected) => {
    const failure: unknown = await checkQuery(expression).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as UsageError).message).toBe(`Invalid --query: ${expected}`);
  });

  test('the hint for a single "=" shows the comparison', async () => {
    const failure: unknown = await runQuery("[?status = 'sold']", []).catch((error: unknown) => error);
    expect((failure as UsageError).hint).toBe(`Compare with "==": --query "[?status == 'sold']"`);
  });

  test('deep nesting is an error and not a crash', async () => {
    for (const deep of [
      '('.repeat(50_000),
      '!'.repeat(50_000),
      `a${'.a'.repeat(200_000)}`,
      '['.repeat(50_000),
      `\`${'['.repeat(50_000)}${']'.repeat(50_000)}\``,
      `\`${'['.repeat(2_000)}${']'.repeat(2_000)}\``,
      ...['.a', '[0]', '[]', ' || a', ' | a'].map((link) => `a${link.repeat(10_000)}`),
    ]) {
      // The check before the request finds it.
      const failure: unknown = await checkQuery(deep).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(UsageError);
      expect((failure as UsageError).message).toBe('Invalid --query: the expression is nested too deeply');
    }
  });
});

test.each<[string, unknown, unknown]>([
  ['"\\u732b"', { 猫: 1 }, 1],
  ['"\\ud83d\\udc08"', { '🐈': 1 }, 1],
  ['"🐈".a', { '🐈': { a: 1 } }, 1],
  ['`"\\ud83d"`', null, '\ud83d'],
  ['`[9007199254740993, {"id": -9223372036854775808}]`', null, [9007199254740993n, { id: -(2n ** 63n) }]],
  ['`{}`.constructor', null, null],
  ['group_by(@, &name)', [{ name: 'constructor' }], { constructor: [{ name: 'constructor' }] }],
  // Escaped twice; the library alone replaces only the first.
  [String.raw`'\\\\ \\'`, null, String.raw`\\ \ `.trimEnd()],
  [String.raw`'\'\' \z'`, null, String.raw`'' \z`],
  ['`"\\`\\`"`', null, '``'],
  ['[?a == \'`b` "c"\'].a', [{ a: '`b` "c"' }], ['`b` "c"']],
  ['let $a = a, $in = b in [$a, $in, let, in]', { a: 1, b: 2, let: 3, in: 4 }, [1, 2, 3, 4]],
  ['a + b.c', { a: 1, b: { c: 2 } }, 3],
  ['[-2]', [1], null],
  ['[::-1]', [1, 2, 3], [3, 2, 1]],
])('the value of %s', async (expression, data, expected) => {
  expect(await runQuery(expression, data)).toEqual(expected);
});

test('the hint explains a number without quotes and suggests the nearest function', async () => {
  const hintOf = async (expression: string): Promise<string | undefined> =>
    ((await checkQuery(expression).catch((error: unknown) => error)) as UsageError).hint;
  expect(await hintOf('[?id > 100]')).toContain("'[?id > `100`]'");
  expect(await hintOf('[].lenght(@)')).toBe('Did you mean "length()"?');
  for (const other of ['[', 'foo bar', '[].zzzzzz(@)'])
    expect(await hintOf(other)).toBe('Run "petstore help formatting" for examples of queries.');
});
