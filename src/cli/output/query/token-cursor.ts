import { QueryMistake, type Token, type TokenKind } from './query-tokens.js';

/** Reads tokens one after the other. */
export class TokenCursor {
  private readonly tokens: readonly Token[];
  private position = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  protected get next(): Token {
    return this.peek(0);
  }

  protected peek(offset: number): Token {
    const token = this.tokens[Math.min(this.position + offset, this.tokens.length - 1)];
    if (token === undefined) throw new Error('no token');
    return token;
  }

  protected take(): Token {
    const token = this.next;
    this.position += 1;
    return token;
  }

  protected isNext(sign: string, offset = 0): boolean {
    const { kind, text } = this.peek(offset);
    return kind === 'sign' && text === sign;
  }

  protected takeIf(sign: string): boolean {
    if (!this.isNext(sign)) return false;
    this.position += 1;
    return true;
  }

  protected expect(sign: string): void {
    if (!this.takeIf(sign)) throw unexpected(this.next);
  }
}

const HINTS: Readonly<Record<string, string>> = {
  '=': `Compare with "==": --query "[?status == 'sold']"`,
  '&': 'Put "&" only before an argument of a function, such as sort_by(@, &name).',
};
const NUMBER_HINT = "Put numbers in backquotes and the query in single quotes: --query '[?id > `100`]'";

/** @param hint used instead of the token's own hint. */
export function unexpected({ kind, text, index }: Token, hint = hintFor(kind, text)): QueryMistake {
  if (kind === 'end') return new QueryMistake(index, 'the expression ends too early');
  return new QueryMistake(index, `unexpected "${text}"`, hint);
}

function hintFor(kind: TokenKind, text: string): string | undefined {
  if (kind === 'number') return NUMBER_HINT;
  return kind === 'sign' ? HINTS[text] : undefined;
}
