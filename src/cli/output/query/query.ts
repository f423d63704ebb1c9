import { UsageError } from '../../errors/usage-error.js';
import { registerExactFunctions } from './query-functions.js';
import { compileQuery, type JmesPath, QUERY_HELP } from './query-syntax.js';

/**
 * Evaluates a JMESPath expression (jmespath.site, community edition) over what a command has to say.
 *
 * Identifiers are int64 and stay exact: an integer within ±(2^53 − 1) is a number to the expression; a larger one, in
 * the data or in a literal, stays a bigint, which compares, sorts and prints like any number. Calculating with one is
 * refused, since JMESPath calculates in floating point and would give a wrong identifier.
 *
 * @returns the result: null, a boolean, number, bigint, string, list or object.
 * @throws UsageError where the expression is wrong, pointing at the column.
 */
export async function runQuery(expression: string, data: unknown): Promise<unknown> {
  const { interpreter, node } = await compile(expression);
  try {
    // The library types its values as JSON; a bigint passes through it as a value it knows nothing of.
    return interpreter.search(node, toQueryValue(data) as never);
  } catch (error) {
    throw new UsageError(`--query failed: ${evaluationFailure(error)}`, QUERY_HELP, error);
  }
}

/**
 * Looks at an expression before there is anything to evaluate, so that a mistake shows before a request is sent.
 *
 * @throws UsageError where the expression is wrong, pointing at the column.
 */
export async function checkQuery(expression: string): Promise<void> {
  await compile(expression);
}

async function compile(
  expression: string,
): Promise<{ interpreter: JmesPath['TreeInterpreter']; node: ReturnType<typeof compileQuery> }> {
  const jmespath: JmesPath = await import('@jmespath-community/jmespath');
  // A fresh interpreter: the library's own is one for the process, and its functions must not change for others.
  const Interpreter = jmespath.TreeInterpreter.constructor as new () => typeof jmespath.TreeInterpreter;
  const interpreter = new Interpreter();
  registerExactFunctions(interpreter, jmespath);
  return { interpreter, node: compileQuery(expression, jmespath, interpreter.runtime) };
}

/**
 * A copy in which safe integers are numbers and objects inherit nothing: the library reads inherited properties too,
 * so that `constructor` would be a field of everything.
 */
function toQueryValue(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toQueryValue);
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, member] of Object.entries(value)) copy[key] = toQueryValue(member);
  return copy;
}

function evaluationFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof TypeError && message.includes('BigInt')) {
    return 'integers beyond ±9007199254740991 can be compared and sorted, not calculated with';
  }
  if (message.startsWith('not-a-number')) {
    return 'a calculation met something that is no number, or is an integer beyond ±9007199254740991';
  }
  return message;
}
