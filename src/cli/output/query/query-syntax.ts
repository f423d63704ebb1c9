import { suggest } from '../../../options/suggest.js';
import { parseJson } from '../../../schema/json.js';
import { counted } from '../../errors/counted.js';
import { MultilineError, type UsageError } from '../../errors/usage-error.js';
import { toTerminalLine } from '../text/terminal-text.js';
import { toQueryValue } from './query-value.js';

/** The loaded library. */
export type JmesPath = typeof import('@jmespath-community/jmespath');

/** A node of the library's syntax tree. */
export interface QueryNode {
  type: string;
  [part: string]: unknown;
}

/** Shown if there is no better hint. */
export const QUERY_HELP = 'Run "petstore help formatting" for examples of queries.';

/** Internal function names of the ordering operators. No expression can call them by name. */
export const ORDERING_FUNCTIONS = { GT: '>', GTE: '>=', LT: '<', LTE: '<=' } as const;

/** Flags and tables say `category`. The name counts where the data has no such field. */
const OTHER_NAMES: Readonly<Record<string, string>> = { category: 'categoryId' };

/** A mistake in an expression. */
class QueryMistake extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** A text, a quoted name, or a literal with its JSON. */
const QUOTED = /'((?:[^'\\]|\\[^])*)'|"(?:[^"\\]|\\[^])*"|`((?:[^`\\]|\\[^])*)`/g;

/**
 * Compiles an expression for the library's interpreter. The library rounds long integers in literals, and accepts `a = b`
 * and functions that do not exist.
 *
 * @throws UsageError for an invalid expression.
 */
export function compileQuery(expression: string, jmespath: JmesPath, runtime: Runtime): QueryNode {
  const literals: unknown[] = [];
  const numbered = (whole: string, text: string | undefined, json: string | undefined): string => {
    if (text === undefined && json === undefined) return whole;
    literals.push(text === undefined ? literal(json ?? '') : text.replace(/\\(['\\])/g, '$1'));
    return `\`${String(literals.length - 1)}\``;
  };
  try {
    const unquoted = expression.replace(QUOTED, '""');
    const open = /["'`]/.exec(unquoted.replaceAll('""', ''));
    if (open !== null) throw new QueryMistake(`${open[0]} is not closed`);
    if (/(?<!\w)\d+-/.test(unquoted)) throw new QueryMistake('unexpected "-"');
    // The library reads the number of each literal, which becomes its exact value.
    const exact = expression.replace(QUOTED, numbered);
    const node: unknown = jmespath.compile(exact);
    checkCommas(jmespath.tokenize(exact));
    if (isTooDeep(node, literals)) throw tooDeep();
    return checkedNode(node as QueryNode, {
      literals,
      variables: [],
      runtime,
      expressionType: jmespath.TYPE_EXPREF,
    });
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(error);
    if (error instanceof MultilineError) throw error;
    const { message, hint } = error instanceof QueryMistake ? error : mistakeOf(String(error));
    throw new MultilineError(`Invalid --query: ${toTerminalLine(message)}`, hint ?? QUERY_HELP, error);
  }
}

function literal(json: string): unknown {
  try {
    return toQueryValue(parseJson(json.replaceAll('\\`', '`')));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new QueryMistake(`\`${json}\` is not JSON`, `For a text, use single quotes: '${json}'.`);
  }
}

/** The library accepts lists without commas. */
function checkCommas(tokens: ReturnType<JmesPath['tokenize']>): void {
  const isValue = /^(?:\w+Identifier|Variable|Number|Literal|Current|Root)$/;
  const isEnd = /^(?:\w+Identifier|Variable|Number|Literal|Current|R\w+)$/;
  const isWord = ({ value }: { value: unknown }): boolean => value === 'let' || value === 'in';
  const missing = tokens.some((token, index) => {
    const before = tokens[index - 1];
    return before && isValue.test(token.type) && isEnd.test(before.type) && ![token, before].some(isWord);
  });
  if (missing) throw new QueryMistake('a comma or an operator is missing between two values');
}

/** Signs for which the library's errors have names. */
const TOKENS: Readonly<Record<string, string>> = {
  Rbracket: '"]"',
  Rparen: '")"',
  Rbrace: '"}"',
  Star: '"*"',
  Comma: '","',
  Colon: '":"',
  Assign: '"="',
  UnquotedIdentifier: 'a name',
  QuotedIdentifier: 'a name',
  Literal: 'a literal',
  Number: 'a number',
};

/** Explains an error of the library. */
function mistakeOf(error: string): QueryMistake {
  if (/\bEOF\b/.test(error)) return new QueryMistake('the expression ends too early');
  const message = error
    .replace(/^\w*Error: (?:syntax(?: error)?[:,] )?/i, '')
    .replace(/ ?\(\w+\)/, '')
    .replace(/\b[A-Z]\w+/g, (name) => TOKENS[name] ?? name);
  const isNumber = error.includes('(Number)');
  const hint = "Put numbers in backquotes and the query in single quotes: --query '[?id > `100`]'";
  return new QueryMistake(message, isNumber ? hint : undefined);
}

/** Levels of the syntax tree that the interpreter evaluates on any stack. */
const DEPTH_MAX = 1_000;

/** A long chain such as `a.a.a` is deep too. Without this check it would exhaust the stack after the request. */
function isTooDeep(...values: unknown[]): boolean {
  let level = values;
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

interface Checking {
  literals: readonly unknown[];
  /** The variables of the surrounding `let` expressions. */
  variables: readonly unknown[];
  runtime: Runtime;
  /** The library's type of a parameter such as `&name`. */
  expressionType: number;
}

/** Copies the tree with exact literals. Checks what the library checks only while it evaluates, after the request. */
function checkedNode(node: QueryNode, checking: Checking): QueryNode {
  const checked = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(checked);
    return typeof part === 'object' && part !== null ? checkedNode(part as QueryNode, checking) : part;
  };
  const { type, name, children } = node;
  switch (type) {
    case 'Literal':
      return { type, value: checking.literals[Number(node.value)] };
    case 'Field': {
      const field = OTHER_NAMES[String(name)];
      if (field === undefined) return node;
      return { type: 'OrExpression', left: node, right: { type: 'Field', name: field } };
    }
    case 'Variable':
      if (!checking.variables.includes(name)) throw new QueryMistake(`unknown variable $${String(name)}`);
      break;
    case 'Binding':
      throw new QueryMistake('unexpected "="', `Compare with "==": --query "[?status == 'sold']"`);
    case 'ExpressionReference':
      throw new QueryMistake(
        'unexpected "&"',
        'Put "&" only before an argument of a function, such as sort_by(@, &name).',
      );
    case 'LetExpression': {
      const bindings = (node.bindings as QueryNode[]).map((binding) => ({
        ...binding,
        reference: checked(binding.reference),
      }));
      const variables = [
        ...checking.variables,
        ...(node.bindings as QueryNode[]).map(({ variable }) => variable),
      ];
      return {
        type,
        bindings,
        expression: checkedNode(node.expression as QueryNode, { ...checking, variables }),
      };
    }
    case 'Function': {
      checkCall(String(name), children as QueryNode[], checking);
      const args = (children as QueryNode[]).map((child) =>
        child.type === 'ExpressionReference' ? { ...child, child: checked(child.child) } : checked(child),
      );
      return { type, name, children: args };
    }
    case 'Comparator':
      // The library's own ordering operators return null for a bigint.
      if (String(name) in ORDERING_FUNCTIONS) {
        const children = [checked(node.left), checked(node.right)];
        return {
          type: 'Function',
          name: ORDERING_FUNCTIONS[name as keyof typeof ORDERING_FUNCTIONS],
          children,
        };
      }
  }
  return Object.fromEntries(Object.entries(node).map(([key, part]) => [key, checked(part)])) as QueryNode;
}

function checkCall(name: string, args: readonly QueryNode[], { runtime, expressionType }: Checking): void {
  const known = runtime.getRegistered().filter((other) => /^\w+$/.test(other));
  if (!known.includes(name)) {
    const nearest = suggest(name, known);
    throw new QueryMistake(
      `unknown function ${name}()`,
      nearest === undefined ? undefined : `Did you mean "${nearest}()"?`,
    );
  }
  const parameters = runtime._functionTable[name]?._signature ?? [];
  const most = parameters.at(-1)?.variadic === true ? Number.POSITIVE_INFINITY : parameters.length;
  const least = parameters.filter(({ optional }) => optional !== true).length;
  if (args.length < least || args.length > most)
    throw new QueryMistake(`${name}() takes ${range(least, most)}, not ${String(args.length)}`);
  for (const [index, { type }] of args.entries()) {
    const needsExpression =
      parameters[index]?.types.every((each) => Number(each) === expressionType) ?? false;
    if (needsExpression === (type === 'ExpressionReference')) continue;
    throw new QueryMistake(
      needsExpression
        ? `argument ${String(index + 1)} of ${name}() must be an expression such as &name`
        : `argument ${String(index + 1)} of ${name}() must have no "&"`,
    );
  }
}

function range(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return `at least ${counted(least, 'argument')}`;
  return least === most ? counted(most, 'argument') : `${String(least)} to ${counted(most, 'argument')}`;
}
