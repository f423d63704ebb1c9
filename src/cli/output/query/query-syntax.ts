import { suggest } from '../../text/suggest.js';
import { MultilineError, type UsageError } from '../../errors/usage-error.js';
import { toTerminalLine } from '../text/terminal-text.js';

/** The loaded library. */
export type JmesPath = typeof import('@jmespath-community/jmespath');

/** A compiled expression. */
export type QueryNode = ReturnType<JmesPath['compile']>;

/** Internal function names of the ordering operators. No expression can call them by name. */
export const ORDERING_FUNCTIONS = { GT: '>', GTE: '>=', LT: '<', LTE: '<=' } as const;

/**
 * Compiles an expression. Long integers in its literals stay exact. Ordering operators become calls of our functions,
 * because the library's own return null for a bigint.
 *
 * @throws UsageError with the column of the mistake.
 */
export function compileQuery(
  expression: string,
  jmespath: JmesPath,
  runtime: JmesPath['TreeInterpreter']['runtime'],
): QueryNode {
  checkQuotes(expression);
  const failure = compileFailure(expression, jmespath);
  if (failure !== undefined) throw syntaxError(expression, failure, jmespath);
  const functions = runtime.getRegistered().filter((name) => /^\w+$/.test(name));
  // The library made the tree, and the changed tree has the same shape.
  return rewrite(jmespath.compile(encodeLongIntegers(expression)), (name) => {
    if (!functions.includes(name)) throw unknownFunction(expression, name, functions);
  }) as QueryNode;
}

/** Shown if there is no better hint. */
export const QUERY_HELP = 'Run "petstore help formatting" for examples of queries.';

/** Rejects an open quote, which the library would close at the end of the expression. */
function checkQuotes(expression: string): void {
  for (const { 1: quoteMark, index } of expression.matchAll(OPEN_QUOTE)) {
    if (quoteMark !== undefined) throw errorAt(expression, index, `${quoteMark} is not closed`);
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

const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/gs;
const OPEN_QUOTE = new RegExp(`${QUOTED.source}|(["'\`])`, 'gs');
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;
const LONG_INTEGER = /^-?[1-9]\d{15,}$/;
/** Starts with a private-use character, which no expression of a user contains. */
const INTEGER_PREFIX = '\ue000int64:';

/** The library reads literals with JSON.parse, which rounds: so a long integer becomes a string with a prefix. */
function encodeLongIntegers(expression: string): string {
  return expression.replace(QUOTED, (quoted) => {
    if (!quoted.startsWith('`')) return quoted;
    return quoted.replace(STRING_OR_NUMBER, (token) =>
      LONG_INTEGER.test(token) ? `"${INTEGER_PREFIX}${token}"` : token,
    );
  });
}

/** Decodes long integers, turns ordering operators into calls, and checks the name of each function. */
function rewrite(node: unknown, checkFunction: (name: string) => void): unknown {
  if (Array.isArray(node)) return node.map((member) => rewrite(member, checkFunction));
  if (typeof node !== 'object' || node === null) return node;
  const { type, name } = node as { type?: unknown; name?: unknown };
  if (type === 'Literal') return restoreIntegers(node);
  if (type === 'Function' && typeof name === 'string') checkFunction(name);
  const entries = Object.entries(node).map(([key, value]) => [key, rewrite(value, checkFunction)]);
  const copy = Object.fromEntries(entries) as Record<string, unknown>;
  if (type !== 'Comparator' || !isOrdering(name)) return copy;
  return { type: 'Function', name: ORDERING_FUNCTIONS[name], children: [copy.left, copy.right] };
}

function restoreIntegers(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.startsWith(INTEGER_PREFIX) ? toInteger(value.slice(INTEGER_PREFIX.length)) : value;
  }
  if (Array.isArray(value)) return value.map(restoreIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, restoreIntegers(member)]));
}

function isOrdering(name: unknown): name is keyof typeof ORDERING_FUNCTIONS {
  return typeof name === 'string' && Object.hasOwn(ORDERING_FUNCTIONS, name);
}

function toInteger(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?|\w+|\S/gs;
const NUMBER = /^-?\d/;
const NUMBER_HINT = "Put numbers in backquotes and the query in single quotes: --query '[?id > `100`]'";

/**
 * Finds the column of a mistake. The library's errors have no position, so the mistake is the last token of the shortest
 * beginning that fails with the same error.
 */
function syntaxError(expression: string, failure: Error, jmespath: JmesPath): UsageError {
  const starts = Array.from({ length: expression.length }, (_, index) => expression.slice(0, index + 1));
  const start = starts.find((text) => compileFailure(text, jmespath)?.message === failure.message);
  const token = [...(start ?? '').matchAll(TOKEN)].at(-1);
  if (token === undefined || failure.message.includes('EOF') || failure instanceof TypeError) {
    return errorAt(expression, expression.trimEnd().length, 'the expression ends too early', failure);
  }
  const [text] = token;
  if (/^["`]/.test(text)) return errorAt(expression, token.index, 'invalid JSON in the quotes', failure);
  const hint = NUMBER.test(text) ? NUMBER_HINT : QUERY_HELP;
  return errorAt(expression, token.index, `unexpected "${toTerminalLine(text)}"`, failure, hint);
}

function unknownFunction(expression: string, name: string, known: readonly string[]): UsageError {
  const withoutQuoted = expression.replace(QUOTED, (quoted) => ' '.repeat(quoted.length));
  const index = Math.max(0, withoutQuoted.search(new RegExp(`\\b${name}\\s*\\(`)));
  const nearest = suggest(name, known);
  const hint = nearest === undefined ? QUERY_HELP : `Did you mean "${nearest}()"?`;
  return errorAt(expression, index, `unknown function ${toTerminalLine(name)}()`, undefined, hint);
}

/** Points at the column below the expression, unless a character may have another width than one column. */
function errorAt(
  expression: string,
  index: number,
  problem: string,
  cause?: Error,
  hint = QUERY_HELP,
): UsageError {
  const isPlain = /^[\x20-\x7e]+$/.test(expression);
  const caret = isPlain ? `\n    ${expression}\n    ${' '.repeat(index)}^` : '';
  return new MultilineError(
    `Invalid --query at column ${String(index + 1)}: ${problem}${caret}`,
    hint,
    cause,
  );
}
