// Cases written from the grammar of JMESPath (jmespath.org/specification.html) and of its community edition
// (jmespath.site: let, root).
import * as jmespath from '@jmespath-community/jmespath';
import { describe, expect, test } from 'vitest';
import { compileQuery } from '../../src/cli/output/query/query-syntax.js';
import { ORDERING_FUNCTIONS } from '../../src/cli/output/query/query-operators.js';
import { checkQuery, runQuery } from '../../src/cli/output/query/query.js';
import { UsageError } from '../../src/cli/errors/usage-error.js';

/** Returns `COLUMN: PROBLEM` of a syntax error, and fails if the expression is accepted. */
async function syntaxError(expression: string): Promise<string> {
  const outcome = await runQuery(expression, []).then(
    (value) => `accepted: ${JSON.stringify(value)}`,
    (error: unknown) => error,
  );
  if (!(outcome instanceof UsageError)) throw new Error(String(outcome));
  const [headline = ''] = outcome.message.split('\n');
  return headline.replace('Invalid --query at column ', '');
}

describe('an expression outside the grammar is rejected with the column of the mistake', () => {
  test.each([
    // a single "="
    ["[?status = 'sold']", '10: unexpected "="'],
    ['a = b', '3: unexpected "="'],
    ['{a: b = c}', '7: unexpected "="'],
    ['@=', '2: unexpected "="'],
    ['$x = a', '1: unknown variable $x'],
    ['[?a =< b]', '5: unexpected "="'],
    ['[?a <> b]', '6: unexpected ">"'],
    ['[?a ^ b]', '5: unexpected "^"'],
    ['[?a and b]', '5: unexpected "and"'],
    // dots
    ['foo.', '5: the expression ends too early'],
    ['.foo', '1: unexpected "."'],
    ['foo..bar', '5: unexpected "."'],
    ['foo.1', '5: unexpected "1"'],
    ['foo.(a)', '5: unexpected "("'],
    // single tokens, and an end too early
    ['', '1: the expression ends too early'],
    [']', '1: unexpected "]"'],
    ['[', '2: the expression ends too early'],
    ['((&', '3: unexpected "&"'],
    ['!', '2: the expression ends too early'],
    ['(@', '3: the expression ends too early'],
    ['a b', '3: unexpected "b"'],
    ['a#', '2: unexpected "#"'],
    ['a\u00a0.b', '2: unexpected "\u00a0"'],
    ['\ufeffa', '1: unexpected "<U+FEFF>"'],
    ['🐈', '1: unexpected "🐈"'],
    // logic
    ['foo ||', '7: the expression ends too early'],
    ['foo || || foo', '8: unexpected "||"'],
    ['a & b', '3: unexpected "&"'],
    // references to expressions only in the arguments of functions
    ['&a', '1: unexpected "&"'],
    ['sort_by(@, & &name)', '14: unexpected "&"'],
    ['length(&a)', '8: unexpected "&"'],
    ['sort_by(&a, &b)', '9: unexpected "&"'],
    ['sort_by(@, name)', '12: argument 2 of sort_by() must be an expression such as &name'],
    ["map('a', @)", '5: argument 1 of map() must be an expression such as &name'],
    // wildcards
    ['*foo', '2: unexpected "foo"'],
    ['foo[*]bar', '7: unexpected "bar"'],
    ['foo[*]*', '7: unexpected "*"'],
    ['foo[*', '6: the expression ends too early'],
    // brackets, numbers and slices
    ['[?]', '3: unexpected "]"'],
    ['[?a', '4: the expression ends too early'],
    ['[?a ==  ', '7: the expression ends too early'],
    ['[ ?a]', '3: unexpected "?"'],
    ['[1-2]', '3: unexpected "-2"'],
    ['[-]', '2: unexpected "-"'],
    ['[1.5]', '3: unexpected "."'],
    ['[0, 1]', '3: unexpected ","'],
    ['foo.[0]', '6: unexpected "0"'],
    ['foo[abc]', '5: unexpected "abc"'],
    ['foo[*][abc]', '8: unexpected "abc"'],
    ['[?a][b, c]', '6: unexpected "b"'],
    ['[:::]', '4: unexpected ":"'],
    ['[::0]', "4: the step of a slice can't be 0"],
    ['1', '1: unexpected "1"'],
    // lists need commas, and none at the end
    ['[a b]', '4: unexpected "b"'],
    ['[a,]', '4: unexpected "]"'],
    ['[a', '3: the expression ends too early'],
    ['foo.[]', '5: unexpected "[]"'],
    ['{}', '2: unexpected "}"'],
    ['{a: b,}', '7: unexpected "}"'],
    ['{a: b, c}', '9: unexpected "}"'],
    ["{'a': b}", `2: unexpected "'a'"`],
    ['a{b: c}', '2: unexpected "{"'],
    // functions
    ['contains(a b)', '12: unexpected "b"'],
    ['length(@,)', '10: unexpected ")"'],
    ['length @', '8: unexpected "@"'],
    ['"length"(@)', '9: unexpected "("'],
    ['length()', '1: length() takes 1 argument, not 0'],
    ['[].length(@, @)', '4: length() takes 1 argument, not 2'],
    ["pad_left('a')", '1: pad_left() takes 2 to 3 arguments, not 1'],
    ['not_null()', '1: not_null() takes at least 1 argument, not 0'],
    ['nothing(@)', '1: unknown function nothing()'],
    ['__proto__(@)', '1: unknown function __proto__()'],
    // variables
    ['let $a = b', '11: the expression ends too early'],
    ['let $a = b $c = d in $a', '12: unexpected "$c"'],
    ['let $a = b, in $a', '13: unexpected "in"'],
    ['let $a = $a in $a', '10: unknown variable $a'],
    ['(let $a = b in $a) || $a', '23: unknown variable $a'],
    ['let a = b in a', '5: unexpected "a"'],
    ['a + b', '3: unexpected "+"'],
    // quotes and literals
    ['"foo', '1: " is not closed'],
    ["'foo\\'", "1: ' is not closed"],
    ['`foo', '1: ` is not closed'],
    ['`"a`b"`', '1: invalid JSON in the quotes'],
    ['"\\u"', '1: invalid JSON in the quotes'],
    ['"a\nb"', '1: invalid JSON in the quotes'],
    ['`foo`', '1: invalid JSON in the quotes'],
    ["`'a'`", '1: invalid JSON in the quotes'],
  ])('%j', async (expression, expected) => {
    expect(await syntaxError(expression)).toBe(expected);
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

describe('the syntax tree is the one of the library', () => {
  const interpreter = jmespath.TreeInterpreter;
  test.each([
    ...['foo', '"foo"', '"\\""', '"a\\u0041\\n"', 'foo.bar.baz', 'foo . bar', 'foo."bar baz"', 'foo.*.bar'],
    ...['*', '*.*', '*[0]', '*[]', '*||*|*|*', '*[]||[*]', '[*.*]', '[0]', '[-1]', 'foo[0][1].bar', 'foo[*]'],
    ...['foo[*].bar[0]', 'foo[*][*]', 'foo[*][0]', 'foo[]', 'foo[].bar[].baz', '[].[id, name]'],
    ...['[*].{id: id, "n": name}', 'foo.[*]', '*.["0"]', '{a: b}.c', '{"\\\\":{" ":*}}', '[:]', '[1:]'],
    ...['[:2]', '[1:2]', '[::2]', '[::-1]', '[-5:-1:2].foo', 'foo[1:2][0]', '[?a]', '[?a == b].c'],
    ...['[?a != `1`][]', '[?a == b][?c]', '[?a.b.c == d.e.f]', "[? name == 'a' ]"],
    ...['[?a > `1` && b <= `2` || !c]', '[?a < b || c >= d].e', '!a.b', '!a == b', '!!a', 'a || b && c | d'],
    ...['a | b | c', '(a || b) && c', '(a)[0]', '@', '@.a', '@[0]', '$', '$.a[0]', '[?a == $.b]'],
    ...['length(@)', 'foo.length(@)', 'foo | length(@)', 'length(foo)[0]', 'not_null(a, b, `1`)'],
    ...['sort_by(@, &name)[0].id', 'sort_by(@, &(a || b))', 'map(&a.b, [])', "join(', ', [].name)"],
    ...['let $a = b in $a', 'let $a = b, $c = d.e in [$a, $c]', 'let $a = b in let $c = $a in $c'],
    ...['[?let $a = b in $a]', 'let', 'let.in', "'foo'", "''", "'it\\'s'", "'\\n'", '`1`', '`-1.5e3`'],
    ...['`"foo"`', '`[1, {"a": null}]`', '`"\\`"`', ' `true` ', '`" a "`', 'a\n.\tb\r'],
  ])('%j', (expression) => {
    const ours = compileQuery(expression, jmespath, interpreter.runtime);
    expect(toLibrary(ours)).toEqual(toLibrary(jmespath.compile(expression)));
  });

  test('except for an escaped backslash, which the library replaces only once', async () => {
    expect(await runQuery(String.raw`'\\\\ \\'`, null)).toBe(String.raw`\\ \ `.trimEnd());
    expect(await runQuery(String.raw`'\'\' \z'`, null)).toBe(String.raw`'' \z`);
    expect(await runQuery('`"\\`\\`"`', null)).toBe('``');
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
  ['[-2]', [1], null],
  ['[::-1]', [1, 2, 3], [3, 2, 1]],
])('the value of %s', async (expression, data, expected) => {
  expect(await runQuery(expression, data)).toEqual(expected);
});

const OPERATORS = Object.fromEntries(Object.entries(ORDERING_FUNCTIONS).map(([name, sign]) => [sign, name]));

/** Converts our tree to the library's: ordering operators are calls of our own functions there. */
function toLibrary(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toLibrary);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, toLibrary(value)]));
  const operator =
    typeof copy.name === 'string' && copy.type === 'Function' ? OPERATORS[copy.name] : undefined;
  const [left, right] = (copy.children ?? []) as unknown[];
  return operator === undefined ? copy : { type: 'Comparator', name: operator, left, right };
}
