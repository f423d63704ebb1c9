import { suggest } from '../../text/suggest.js';
import { MultilineError, type UsageError } from '../../errors/usage-error.js';
import { toTerminalLine } from '../text/terminal-text.js';

/** The library, as it is loaded. */
export type JmesPath = typeof import('@jmespath-community/jmespath');

/** A compiled expression. */
export type QueryNode = ReturnType<JmesPath['compile']>;

/** Names under which the ordering operators are called; no expression can spell them as a function. */
export const ORDERING_FUNCTIONS = { GT: '>', GTE: '>=', LT: '<', LTE: '<=' } as const;

/**
 * Compiles an expression. Long integers in its literals stay exact, and the ordering operators become calls of our
 * functions, because the library's own give null for a bigint.
 *
 * @throws UsageError that points at the column of what is wrong.
 */
export function compileQuery(
  expression: string,
  jmespath: JmesPath,
  runtime: JmesPath['TreeInterpreter']['runtime'],
): QueryNode {
  checkQuotes(expression);
  const failure = compileFailure(expression, jmespath);
  if (failure !== undefined) throw syntaxError(expression, failure, jmespath);
  const mark = unusedMark(expression);
  const functions = runtime.getRegistered().filter((name) => /^\w+$/.test(name));
  // The tree is the library's own, and so is its shape after the rewriting.
  return rewrite(jmespath.compile(markLongIntegers(expression, mark)), mark, (name) => {
    if (!functions.includes(name)) throw unknownFunction(expression, name, jmespath, functions);
  }) as QueryNode;
}

/** The library takes the end of the expression for the end of a literal. */
function checkQuotes(expression: string): void {
  for (const { 1: lone, index } of expression.matchAll(LONE_QUOTE)) {
    if (lone !== undefined) throw pointAt(expression, index, `the ${lone} here is not closed`);
  }
}

function compileFailure(expression: string, jmespath: JmesPath): Error | undefined {
  try {
    jmespath.compile(expression);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const LITERAL_OR_QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/gs;
const LONE_QUOTE = new RegExp(`${LITERAL_OR_QUOTED.source}|(["'\`])`, 'gs');
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;
const LONG_INTEGER = /^-?[1-9]\d{15,}$/;

/** A private-use character that the expression does not hold. */
function unusedMark(expression: string): string {
  let candidate = 0xe000;
  while (expression.includes(String.fromCharCode(candidate))) candidate += 1;
  return String.fromCharCode(candidate);
}

/** The library reads literals with JSON.parse, which rounds: a long integer goes through it as a marked string. */
function markLongIntegers(expression: string, mark: string): string {
  return expression.replace(LITERAL_OR_QUOTED, (quoted) => {
    if (!quoted.startsWith('`')) return quoted;
    return quoted.replace(STRING_OR_NUMBER, (token) =>
      LONG_INTEGER.test(token) ? `"${mark}${token}"` : token,
    );
  });
}

/** Walks the compiled tree: long integers back from their marks, orderings as calls, each function's name checked. */
function rewrite(node: unknown, mark: string, checkFunction: (name: string) => void): unknown {
  if (Array.isArray(node)) return node.map((member) => rewrite(member, mark, checkFunction));
  if (typeof node !== 'object' || node === null) return node;
  const { type, name } = node as { type?: unknown; name?: unknown };
  if (type === 'Literal') return unmark(node, mark);
  if (type === 'Function' && typeof name === 'string') checkFunction(name);
  const entries = Object.entries(node).map(([key, value]) => [key, rewrite(value, mark, checkFunction)]);
  const copy = Object.fromEntries(entries) as Record<string, unknown>;
  if (type !== 'Comparator' || !isOrdering(name)) return copy;
  return { type: 'Function', name: ORDERING_FUNCTIONS[name], children: [copy.left, copy.right] };
}

function unmark(value: unknown, mark: string): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? toInteger(value.slice(1)) : value;
  if (Array.isArray(value)) return value.map((member) => unmark(member, mark));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unmark(member, mark)]));
}

function isOrdering(name: unknown): name is keyof typeof ORDERING_FUNCTIONS {
  return typeof name === 'string' && Object.hasOwn(ORDERING_FUNCTIONS, name);
}

function toInteger(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

function syntaxError(expression: string, failure: Error, jmespath: JmesPath): UsageError {
  const tokens = tokensOf(expression, jmespath);
  if (tokens === undefined) return unreadable(expression, failure, jmespath);
  // The parser reads from left to right: it trips over the last token of the shortest piece with the same failure.
  const culprit = tokens.findIndex((_token, index) => {
    const piece = expression.slice(0, tokens[index + 1]?.start ?? expression.length);
    return compileFailure(piece, jmespath)?.message === failure.message;
  });
  if (culprit === -1 || failure.message.includes('EOF') || failure instanceof TypeError) {
    return pointAt(expression, expression.trimEnd().length, 'the expression ends too early', failure);
  }
  const start = tokens[culprit]?.start ?? 0;
  const text = expression.slice(start, tokens[culprit + 1]?.start).trim();
  return pointAt(
    expression,
    start,
    `unexpected ${quote(text)}`,
    failure,
    NUMBER.test(text) ? NUMBER_HINT : undefined,
  );
}

const NUMBER = /^-?\d/;
const NUMBER_HINT = "numbers stand in backquotes, and the whole in single quotes: --query '[?id > `100`]'";

function tokensOf(expression: string, jmespath: JmesPath): { start: number }[] | undefined {
  try {
    return jmespath.tokenize(expression);
  } catch {
    return undefined;
  }
}

/** The library's lexer gave up: at a literal that is no JSON, or at a character that means nothing. */
function unreadable(expression: string, failure: Error, jmespath: JmesPath): UsageError {
  for (const { 0: quoted, index } of expression.matchAll(LITERAL_OR_QUOTED)) {
    if (tokensOf(quoted, jmespath) !== undefined) continue;
    return pointAt(expression, index, 'what is quoted here is not JSON', failure);
  }
  let end = expression.length - 1;
  while (end > 0 && tokensOf(expression.slice(0, end), jmespath) === undefined) end -= 1;
  return pointAt(expression, end, `unexpected ${quote(expression.charAt(end))}`, failure);
}

function unknownFunction(
  expression: string,
  name: string,
  jmespath: JmesPath,
  known: readonly string[],
): UsageError {
  const tokens = jmespath.tokenize(expression);
  const token = tokens.find(({ value }, index) => value === name && tokens[index + 1]?.value === '(');
  const nearest = suggest(name, known);
  const hint = nearest === undefined ? undefined : `did you mean ${nearest}()?`;
  return pointAt(
    expression,
    token?.start ?? 0,
    `there is no function ${toTerminalLine(name)}()`,
    undefined,
    hint,
  );
}

/** Where nothing says it better. */
export const QUERY_HELP = 'petstore help formatting shows queries that work';

/** Shows the place also under the expression, where every character takes one column. */
function pointAt(
  expression: string,
  start: number,
  what: string,
  cause?: Error,
  hint = QUERY_HELP,
): UsageError {
  const caret = /^[\x20-\x7e]+$/.test(expression) ? `\n  ${expression}\n  ${' '.repeat(start)}^` : '';
  return new MultilineError(`--query is wrong at column ${String(start + 1)}: ${what}${caret}`, hint, cause);
}

function quote(text: string): string {
  return `"${toTerminalLine(text)}"`;
}
