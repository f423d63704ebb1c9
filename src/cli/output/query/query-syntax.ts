import { suggest } from '../../../options/suggest.js';
import { counted } from '../../errors/counted.js';
import { MultilineError, type UsageError } from '../../errors/usage-error.js';
import { toTerminalLine } from '../text/terminal-text.js';
import { type FunctionCall, parseQuery, type QueryNode } from './query-parser.js';
import { QueryMistake } from './query-tokens.js';

/** The loaded library. */
export type JmesPath = typeof import('@jmespath-community/jmespath');

/** Shown if there is no better hint. */
export const QUERY_HELP = 'Run "petstore help formatting" for examples of queries.';

/**
 * Compiles an expression for the library's interpreter. Long integers in its literals stay exact.
 *
 * @throws UsageError with the column of the mistake.
 */
export function compileQuery(expression: string, jmespath: JmesPath, runtime: Runtime): QueryNode {
  try {
    const node = parseQuery(expression, (call) => {
      checkCall(call, jmespath.TYPE_EXPREF, runtime);
    });
    if (isTooDeep(node)) throw tooDeep();
    return node;
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(error);
    if (!(error instanceof QueryMistake)) throw error;
    throw errorAt(expression, error);
  }
}

/** Levels of the syntax tree that the interpreter evaluates on any stack. */
const DEPTH_MAX = 1_000;

/** A long chain such as `a.a.a` is deep too. Without this check it would exhaust the stack after the request. */
function isTooDeep(node: QueryNode): boolean {
  let level: unknown[] = [node];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return true;
    level = level.flatMap((each): unknown[] => (typeof each === 'object' && each ? Object.values(each) : []));
  }
  return false;
}

/** The error for an expression that exhausts the stack. */
export function tooDeep(cause?: RangeError): UsageError {
  return new MultilineError('Invalid --query: the expression is nested too deeply', QUERY_HELP, cause);
}

type Runtime = JmesPath['TreeInterpreter']['runtime'];

/** The library checks calls only while it evaluates them, which is after the request. */
function checkCall({ name, index, args }: FunctionCall, expressionType: number, runtime: Runtime): void {
  const known = runtime.getRegistered().filter((other) => /^\w+$/.test(other));
  if (!known.includes(name)) {
    const nearest = suggest(name, known);
    const hint = nearest === undefined ? undefined : `Did you mean "${nearest}()"?`;
    throw new QueryMistake(index, `unknown function ${name}()`, hint);
  }
  const parameters = runtime._functionTable[name]?._signature ?? [];
  const most = parameters.at(-1)?.variadic === true ? Number.POSITIVE_INFINITY : parameters.length;
  const least = parameters.filter(({ optional }) => optional !== true).length;
  if (args.length < least || args.length > most)
    throw new QueryMistake(index, `${name}() takes ${range(least, most)}, not ${String(args.length)}`);
  args.forEach((arg, position) => {
    const needsExpression =
      parameters[position]?.types.every((type) => Number(type) === expressionType) ?? false;
    if (needsExpression === arg.isExpression) return;
    const problem = needsExpression
      ? `argument ${String(position + 1)} of ${name}() must be an expression such as &name`
      : 'unexpected "&"';
    throw new QueryMistake(arg.index, problem);
  });
}

function range(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return `at least ${counted(least, 'argument')}`;
  return least === most ? counted(most, 'argument') : `${String(least)} to ${counted(most, 'argument')}`;
}

/** Maximum number of characters that are shown around a mistake, so that they fit a line of a terminal. */
const SHOWN_MAX = 60;

/** Points at the column below the expression, unless a character may have another width than one column. */
function errorAt(expression: string, mistake: QueryMistake): UsageError {
  const { index, message, hint = QUERY_HELP } = mistake;
  const isPlain = /^[\x20-\x7e]+$/.test(expression);
  const start = expression.length <= SHOWN_MAX ? 0 : Math.max(0, index - SHOWN_MAX / 2);
  const before = start > 0 ? '...' : '';
  const after = start + SHOWN_MAX < expression.length ? '...' : '';
  const shown = before + expression.slice(start, start + SHOWN_MAX) + after;
  const caret = isPlain ? `\n    ${shown}\n    ${' '.repeat(before.length + index - start)}^` : '';
  return new MultilineError(
    `Invalid --query at column ${String(index + 1)}: ${toTerminalLine(message)}${caret}`,
    hint,
    mistake,
  );
}
