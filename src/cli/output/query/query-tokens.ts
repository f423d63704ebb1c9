import { parseJson } from '../../../schema/json.js';
import { toQueryValue } from './query-value.js';

/** A mistake in an expression. */
export class QueryMistake extends Error {
  /** UTF-16 units before the mistake. */
  readonly index: number;
  readonly hint: string | undefined;

  constructor(index: number, message: string, hint?: string) {
    super(message);
    this.index = index;
    this.hint = hint;
  }
}

export type TokenKind =
  | 'end' // of the expression
  | 'name' // name
  | 'quoted' // "name"
  | 'variable' // $name
  | 'literal' // 'text' or `JSON`
  | 'number' // -1
  | 'sign'; // an operator, bracket or other punctuation

/** A token of JMESPath. */
export interface Token {
  kind: TokenKind;
  /** The source text, without outer blanks. */
  text: string;
  /** The value of a name, literal or number. */
  value: unknown;
  /** UTF-16 units before the token. */
  index: number;
}

const BLANK = /[ \t\r\n]*/y;
const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ['name', /[A-Za-z_]\w*/y],
  ['variable', /\$[A-Za-z_]\w*/y],
  ['number', /-?\d+/y],
  ['quoted', /"(?:[^"\\]|\\[^])*"/y],
  ['literal', /'(?:[^'\\]|\\[^])*'|`(?:[^`\\]|\\[^])*`/y],
  ['sign', /\[\?|\[\]|&&|\|\||[=!<>]=|[[\]{}().,:@$*&|!<>=]/y],
];

/**
 * Splits an expression into tokens. The last one has the kind `end`.
 *
 * @throws QueryMistake for a character outside the grammar, an open quote, and invalid JSON in quotes.
 */
export function tokenize(expression: string): Token[] {
  const tokens: Token[] = [];
  let index = skipBlanks(expression, 0);
  while (index < expression.length) {
    const token = tokenAt(expression, index);
    tokens.push(token);
    index = skipBlanks(expression, index + token.text.length);
  }
  tokens.push({ kind: 'end', text: '', value: undefined, index: expression.trimEnd().length });
  return tokens;
}

function skipBlanks(expression: string, index: number): number {
  BLANK.lastIndex = index;
  BLANK.test(expression);
  return BLANK.lastIndex;
}

function tokenAt(expression: string, index: number): Token {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = index;
    const text = pattern.exec(expression)?.[0];
    if (text !== undefined) return { kind, text, value: valueOf(kind, text, index), index };
  }
  const character = String.fromCodePoint(expression.codePointAt(index) ?? 0);
  throw new QueryMistake(
    index,
    /["'`]/.test(character) ? `${character} is not closed` : `unexpected "${character}"`,
  );
}

function valueOf(kind: TokenKind, text: string, index: number): unknown {
  if (kind === 'name') return text;
  if (kind === 'variable') return text.slice(1);
  if (kind === 'number') return Number(text);
  if (kind === 'sign') return undefined;
  if (text.startsWith("'")) return text.slice(1, -1).replace(/\\(['\\])/g, '$1');
  try {
    // Long integers stay exact.
    return toQueryValue(parseJson(kind === 'quoted' ? text : text.slice(1, -1).replaceAll('\\`', '`')));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new QueryMistake(index, 'invalid JSON in the quotes');
  }
}
