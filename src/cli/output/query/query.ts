import { UsageError } from '../../errors/usage-error.js';
import { registerExactFunctions } from './query-functions.js';
import { toQueryValue } from './query-value.js';
import { compileQuery, type JmesPath, QUERY_HELP, type QueryNode, tooDeep } from './query-syntax.js';

/**
 * Evaluates a JMESPath expression (jmespath.org), with the functions and the root `$` of the community edition.
 *
 * Integers stay exact: those beyond ±(2^53 − 1), in the data or in a literal, are bigints, which compare, sort and print
 * like numbers. Calculating with one is an error, because JMESPath calculates in floating point.
 *
 * @returns null, a boolean, number, bigint, string, list or object.
 * @throws UsageError for an invalid expression.
 */
export async function runQuery(expression: string, data: unknown): Promise<unknown> {
  const { interpreter, node } = await compile(expression);
  try {
    // The library's types allow JSON only, but it passes bigints through.
    return interpreter.search(node as never, toQueryValue(data) as never);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(error);
    throw new UsageError(`--query failed: ${evaluationFailure(error)}`, QUERY_HELP, error);
  }
}

/** Checks an expression before a request is sent. @throws UsageError for an invalid expression. */
export async function checkQuery(expression: string): Promise<void> {
  await compile(expression);
}

async function compile(
  expression: string,
): Promise<{ interpreter: JmesPath['TreeInterpreter']; node: QueryNode }> {
  const jmespath: JmesPath = await import('@jmespath-community/jmespath');
  // The library has one interpreter for the process: its functions must not change for others.
  const Interpreter = jmespath.TreeInterpreter.constructor as new () => typeof jmespath.TreeInterpreter;
  const interpreter = new Interpreter();
  registerExactFunctions(interpreter, jmespath);
  return { interpreter, node: compileQuery(expression, jmespath, interpreter.runtime) };
}

function evaluationFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // eslint-disable-next-line no-restricted-syntax -- a message of the JavaScript engine
  if (error instanceof TypeError && message.includes('BigInt')) {
    return "can't calculate with integers beyond ±9007199254740991";
  }
  return message;
}
