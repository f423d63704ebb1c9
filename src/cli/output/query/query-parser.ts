import { COMPARATORS, LOGIC, NOT, ORDERINGS, POWERS, PROJECTION_END, STAR } from './query-operators.js';
import { QueryMistake, type Token, tokenize } from './query-tokens.js';
import { TokenCursor, unexpected } from './token-cursor.js';

/** A node of the syntax tree, in the shape that the library's interpreter evaluates. */
export interface QueryNode {
  type: string;
  [part: string]: unknown;
}

/** Checks the name and the arguments of a function call. Throws a QueryMistake. */
export type CheckCall = (call: FunctionCall) => void;

export interface FunctionCall {
  name: string;
  /** UTF-16 units before the name. */
  index: number;
  /** Each argument: whether it is an expression such as `&name`. */
  args: readonly { index: number; isExpression: boolean }[];
}

/**
 * Parses a JMESPath expression by the grammar of jmespath.org. The library's own parser accepts `a = b`, `f(a b)`,
 * `[1-2]` and other mistakes, reports no column, and rounds long integers.
 *
 * @throws QueryMistake with the place of the mistake.
 */
export function parseQuery(expression: string, checkCall: CheckCall): QueryNode {
  const parser = new QueryParser(tokenize(expression), checkCall);
  return parser.parse();
}

const LIST_HINT = 'Put a dot before a list of fields, such as [*].[id, name].';
const IDENTITY: QueryNode = { type: 'Identity' };

/** A Pratt parser: `prefix` reads the start of an expression, `infix` what follows a complete one. */
class QueryParser extends TokenCursor {
  private readonly checkCall: CheckCall;
  /** The variables of the surrounding `let` expressions. */
  private variables: readonly unknown[] = [];

  constructor(tokens: readonly Token[], checkCall: CheckCall) {
    super(tokens);
    this.checkCall = checkCall;
  }

  parse(): QueryNode {
    const node = this.expression(0);
    if (this.next.kind !== 'end') throw unexpected(this.next);
    return node;
  }

  private expression(power: number): QueryNode {
    let left = this.prefix();
    while (this.powerOfNext() > power) left = this.infix(left);
    return left;
  }

  private powerOfNext(): number {
    return this.next.kind === 'sign' ? (POWERS[this.next.text] ?? 0) : 0;
  }

  private prefix(): QueryNode {
    const token = this.take();
    switch (token.kind) {
      case 'literal':
        return { type: 'Literal', value: token.value };
      case 'quoted':
        return { type: 'Field', name: token.value };
      case 'variable':
        if (!this.variables.includes(token.value))
          throw new QueryMistake(token.index, `unknown variable ${token.text}`);
        return { type: 'Variable', name: token.value };
      case 'name':
        if (token.text === 'let' && this.next.kind === 'variable') return this.letExpression();
        return this.takeIf('(') ? this.call(token) : { type: 'Field', name: token.value };
      case 'sign':
        return this.prefixSign(token);
      default:
        throw unexpected(token);
    }
  }

  private prefixSign(token: Token): QueryNode {
    switch (token.text) {
      case '@':
        return { type: 'Current' };
      case '$':
        return { type: 'Root' };
      case '!':
        return { type: 'NotExpression', child: this.expression(NOT) };
      case '*':
        return { type: 'ValueProjection', left: IDENTITY, right: this.projected(STAR) };
      case '(': {
        const node = this.expression(0);
        this.expect(')');
        return node;
      }
      case '{':
        return this.multiSelectHash();
      case '[]':
      case '[?':
        return this.projection(token.text, IDENTITY);
      case '[':
        return this.isBracketIndex() ? this.bracket(IDENTITY) : this.multiSelectList();
      default:
        throw unexpected(token);
    }
  }

  private infix(left: QueryNode): QueryNode {
    const { text } = this.take();
    const power = POWERS[text] ?? 0;
    const type = LOGIC[text];
    if (type !== undefined) return { type, left, right: this.expression(power) };
    const comparator = COMPARATORS[text];
    if (comparator !== undefined)
      return { type: 'Comparator', name: comparator, left, right: this.expression(power) };
    // The library's own ordering operators return null for a bigint.
    if (ORDERINGS.has(text))
      return { type: 'Function', name: text, children: [left, this.expression(power)] };
    switch (text) {
      case '.':
        if (this.takeIf('*')) return { type: 'ValueProjection', left, right: this.projected(power) };
        return { type: 'Subexpression', left, right: this.member(power) };
      case '[':
        return this.bracket(left);
      default:
        return this.projection(text, left);
    }
  }

  /** Parses the rest of `[]` and `[?`. */
  private projection(sign: string, left: QueryNode): QueryNode {
    if (sign === '[]')
      return {
        type: 'Projection',
        left: { type: 'Flatten', child: left },
        right: this.projected(POWERS['[]'] ?? 0),
      };
    const condition = this.expression(0);
    this.expect(']');
    const right = this.isNext('[]') ? IDENTITY : this.projected(POWERS['[?'] ?? 0);
    return { type: 'FilterProjection', left, right, condition };
  }

  private isBracketIndex(): boolean {
    return this.next.kind === 'number' || this.isNext(':') || (this.isNext('*') && this.isNext(']', 1));
  }

  /** Parses the rest of `[1]`, `[1:2]` and `[*]`. */
  private bracket(left: QueryNode): QueryNode {
    if (this.takeIf('*')) {
      this.expect(']');
      return { type: 'Projection', left, right: this.projected(STAR) };
    }
    const first = this.number();
    if (first !== null && this.takeIf(']'))
      return { type: 'IndexExpression', left, right: { type: 'Index', value: first } };
    if (first === null && !this.isNext(':')) throw unexpected(this.next);
    const right = this.slice(first);
    return {
      type: 'Projection',
      left: { type: 'IndexExpression', left, right },
      right: this.projected(STAR),
    };
  }

  private slice(start: number | null): QueryNode {
    this.expect(':');
    const stop = this.number();
    const hasStep = this.takeIf(':');
    const { index } = this.next;
    const step = hasStep ? this.number() : null;
    if (step === 0) throw new QueryMistake(index, "the step of a slice can't be 0");
    this.expect(']');
    return { type: 'Slice', start, stop, step };
  }

  private number(): number | null {
    return this.next.kind === 'number' ? Number(this.take().value) : null;
  }

  /** Parses what applies to each element of a projection. */
  private projected(power: number): QueryNode {
    if (this.takeIf('.')) return this.member(power);
    if (this.isNext('[') || this.isNext('[?')) return this.projectedBracket(power);
    if (this.powerOfNext() <= PROJECTION_END && !this.isNext('*')) return IDENTITY;
    throw unexpected(this.next);
  }

  private projectedBracket(power: number): QueryNode {
    const isIndex =
      this.isNext('[?') || this.peek(1).kind === 'number' || this.isNext(':', 1) || this.isNext('*', 1);
    if (!isIndex) throw unexpected(this.peek(1), LIST_HINT);
    return this.expression(power);
  }

  /** Parses the right side of a dot. */
  private member(power: number): QueryNode {
    const { kind } = this.next;
    if (this.takeIf('[')) return this.multiSelectList();
    if (this.takeIf('{')) return this.multiSelectHash();
    if (kind === 'name' || kind === 'quoted' || this.isNext('*')) return this.expression(power);
    throw unexpected(this.next);
  }

  private multiSelectList(): QueryNode {
    return { type: 'MultiSelectList', children: this.list(']', () => this.expression(0)) };
  }

  private multiSelectHash(): QueryNode {
    const pair = (): QueryNode => {
      const { kind, value: name } = this.next;
      if (kind !== 'name' && kind !== 'quoted') throw unexpected(this.next);
      this.take();
      this.expect(':');
      return { type: 'KeyValuePair', name, value: this.expression(0) };
    };
    return { type: 'MultiSelectHash', children: this.list('}', pair) };
  }

  private call({ text: name, index }: Token): QueryNode {
    const args: { index: number; isExpression: boolean }[] = [];
    const argument = (): QueryNode => {
      const start = this.next;
      const isExpression = this.takeIf('&');
      args.push({ index: start.index, isExpression });
      const child = this.expression(0);
      return isExpression ? { type: 'ExpressionReference', child } : child;
    };
    const children = this.takeIf(')') ? [] : this.list(')', argument);
    this.checkCall({ name, index, args });
    return { type: 'Function', name, children };
  }

  /** Parses one or more items with commas between them, and the closing sign. */
  private list(end: string, item: () => QueryNode): QueryNode[] {
    const items = [item()];
    while (this.takeIf(',')) items.push(item());
    this.expect(end);
    return items;
  }

  private letExpression(): QueryNode {
    const outer = this.variables;
    const bindings: QueryNode[] = [];
    do {
      const { kind, value: variable } = this.next;
      if (kind !== 'variable') throw unexpected(this.next);
      this.take();
      this.expect('=');
      bindings.push({ type: 'Binding', variable, reference: this.expression(0) });
    } while (this.takeIf(','));
    const { kind, text } = this.next;
    if (kind !== 'name' || text !== 'in') throw unexpected(this.next);
    this.take();
    this.variables = [...outer, ...bindings.map(({ variable }) => variable)];
    const expression = this.expression(0);
    this.variables = outer;
    return { type: 'LetExpression', bindings, expression };
  }
}
