/**
 * JSON that keeps whole numbers whole. `JSON.parse` rounds 9007199254740993 to …992, and `JSON.stringify` throws a
 * TypeError on a bigint; identifiers of the service are int64, so both would lose or break them.
 */

/** A run of 16 or more digits covers at least one index that is a multiple of 16, so one look in 16 finds it. */
const LONG_RUN_STEP = 16;
/** Past this many digits JSON.parse says Infinity, and so do we. */
const DIGITS_MAX = 308;

// A long integer that stands where a value stands. A hit inside a string can't do harm unnoticed: the inserted quote
// ends that string and what follows it is no JSON, so the parse fails and the slower, string-aware way is taken.
const LONG_INTEGER = new RegExp(`([:,[]\\s*)(-?[1-9]\\d{15,${String(DIGITS_MAX - 1)}})(?=\\s*[,\\]}])`, 'g');
const NUMBER = /-?\d[\d.eE+-]*/g;
const BARE_LONG_INTEGER = new RegExp(`^-?[1-9]\\d{15,${String(DIGITS_MAX - 1)}}$`);

/**
 * Parses JSON like `JSON.parse`, except that a whole number outside ±(2^53 − 1), written without fraction or exponent,
 * comes back as a `bigint` with every digit. All other numbers are plain `number`s.
 *
 * @throws SyntaxError where the text is not JSON.
 */
export function parseJson(text: string): unknown {
  if (!mayHoldLongInteger(text)) return JSON.parse(text);
  const bare = text.trim();
  if (BARE_LONG_INTEGER.test(bare)) return fromDigits(bare);
  const mark = unusedMark(text);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(LONG_INTEGER, `$1"${mark}$2"`));
  } catch {
    // An unclosed string must fail here: quotes put into it could close it.
    JSON.parse(text);
    parsed = JSON.parse(markOutsideStrings(text, mark));
  }
  return unmark(parsed, mark);
}

/**
 * Writes JSON like `JSON.stringify`, except that a `bigint` becomes a plain integer, and that what JSON can't say at all
 * (`undefined`, a function) is `null`. The output is what `parseJson` reads back.
 *
 * @param space indentation, as in `JSON.stringify`; default none.
 */
export function stringifyJson(value: unknown, space?: number | string): string {
  const first = stringifyMarked(value, space, String.fromCharCode(MARK_FIRST));
  // Text that holds the mark itself is rare, and told only by writing it: then the text shows which mark is free.
  const { text, marked, mark } = first.collides
    ? stringifyMarked(value, space, unusedMark(first.text))
    : first;
  return marked ? text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1') : text;
}

function stringifyMarked(
  value: unknown,
  space: number | string | undefined,
  mark: string,
): { text: string; mark: string; marked: boolean; collides: boolean } {
  let collides = false;
  let marked = false;
  const replace = function (this: Record<string, unknown>, key: string, shown: unknown): unknown {
    // A program may have given BigInt.prototype a toJSON that makes strings: look at the value behind it.
    const raw = typeof this[key] === 'bigint' ? this[key] : shown;
    if (typeof raw === 'bigint') {
      marked = true;
      return mark + String(raw);
    }
    if (key.includes(mark) || (typeof shown === 'string' && shown.includes(mark))) collides = true;
    return shown;
  };
  const text = (JSON.stringify(value, replace, space) as string | undefined) ?? 'null';
  return { text, mark, marked, collides };
}

function mayHoldLongInteger(text: string): boolean {
  for (let index = LONG_RUN_STEP - 1; index < text.length; index += LONG_RUN_STEP) {
    if (isDigit(text, index) && runLength(text, index) >= LONG_RUN_STEP) return true;
  }
  return false;
}

function runLength(text: string, index: number): number {
  let from = index;
  let to = index;
  while (from > 0 && isDigit(text, from - 1)) from -= 1;
  while (to + 1 < text.length && to - from < LONG_RUN_STEP && isDigit(text, to + 1)) to += 1;
  return to - from + 1;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x30 && code <= 0x39;
}

/** The private-use characters of the basic plane. */
const MARK_FIRST = 0xe000;
const MARK_LAST = 0xf8ff;
const ESCAPED_MARK = /\\u([ef][\da-f]{3})/gi;

/**
 * A private-use character that the text holds neither as itself nor as a `\u` escape.
 *
 * @throws SyntaxError where it holds all 6,400 of them, which only a text made for the purpose does.
 */
function unusedMark(text: string): string {
  const used = new Set<number>();
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= MARK_FIRST && code <= MARK_LAST) used.add(code);
  }
  for (const [, code = ''] of text.matchAll(ESCAPED_MARK)) used.add(Number.parseInt(code, 16));
  for (let mark = MARK_FIRST; mark <= MARK_LAST; mark += 1) {
    if (!used.has(mark)) return String.fromCharCode(mark);
  }
  throw new SyntaxError('the text holds every private-use character');
}

/** The slow way, for a text in which what looks like a long integer stands in a string. */
function markOutsideStrings(text: string, mark: string): string {
  const markNumber = (token: string): string => (BARE_LONG_INTEGER.test(token) ? `"${mark}${token}"` : token);
  let marked = '';
  let index = 0;
  while (index < text.length) {
    const quote = text.indexOf('"', index);
    const open = quote === -1 ? text.length : quote;
    const close = endOfString(text, open);
    marked += text.slice(index, open).replace(NUMBER, markNumber) + text.slice(open, close);
    index = close;
  }
  return marked;
}

/** Behind the quote that closes the string which opens here. No regular expression: one overflows on megabytes. */
function endOfString(text: string, open: number): number {
  for (let quote = text.indexOf('"', open + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslash = quote;
    while (text[backslash - 1] === '\\') backslash -= 1;
    if ((quote - backslash) % 2 === 0) return quote + 1;
  }
  return text.length;
}

function fromDigits(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

/** Replaces marked strings in place, with a stack of its own: an answer nested 100,000 deep must not end the process. */
function unmark(root: unknown, mark: string): unknown {
  if (typeof root === 'string') return root.startsWith(mark) ? fromDigits(root.slice(1)) : root;
  const open: unknown[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const holder = node as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      const value = holder[key];
      if (typeof value === 'string') {
        if (value.startsWith(mark)) holder[key] = fromDigits(value.slice(1));
      } else if (typeof value === 'object' && value !== null) {
        open.push(value);
      }
    }
  }
  return root;
}
