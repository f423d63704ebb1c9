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
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
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
 * Writes JSON like `JSON.stringify`, except that a `bigint` becomes a plain integer. The output is what `parseJson`
 * reads back.
 *
 * @param space indentation, as in `JSON.stringify`; default none.
 */
export function stringifyJson(value: unknown, space?: number | string): string {
  for (let candidate = FIRST_MARK; ; candidate += 1) {
    const mark = String.fromCharCode(candidate);
    const met = { bigint: false, mark: false };
    const text = JSON.stringify(
      value,
      function (this: Record<string, unknown>, key: string, shown: unknown): unknown {
        // A program may have given BigInt.prototype a toJSON that makes strings: look at the value behind it.
        const raw = this[key];
        if (typeof raw === 'bigint') {
          met.bigint = true;
          return mark + String(raw);
        }
        if (key.includes(mark) || (typeof shown === 'string' && shown.includes(mark))) met.mark = true;
        return shown;
      },
      space,
    ) as string | undefined;
    if (text === undefined) return 'null';
    if (!met.bigint) return text;
    if (!met.mark) return text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
  }
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

const FIRST_MARK = 0xe000;

/** A private-use character that the text holds neither as itself nor as a `\u` escape. */
function unusedMark(text: string): string {
  for (let candidate = FIRST_MARK; ; candidate += 1) {
    const mark = String.fromCharCode(candidate);
    const escaped = new RegExp(`\\\\u${candidate.toString(16)}`, 'i');
    if (!text.includes(mark) && !escaped.test(text)) return mark;
  }
}

function markOutsideStrings(text: string, mark: string): string {
  return text.replace(STRING_OR_NUMBER, (token) =>
    BARE_LONG_INTEGER.test(token) ? `"${mark}${token}"` : token,
  );
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
