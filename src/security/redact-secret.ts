/** Options of `Redactor.redact`. */
export interface RedactionOptions {
  /** The text that replaces the secret. */
  replacement: string;
  /**
   * Whether the text consists of foreign words only. Then also short secrets and long parts of a secret are replaced,
   * which in own sentences could hit a plain word.
   */
  isForeign: boolean;
}

/**
 * A shorter secret could match any text. It is replaced only in foreign text, and only as a whole word without an encoding
 * of its bytes.
 */
const SECRET_LENGTH_MIN = 8;

/** Finds one secret in texts. A closure holds the secret, so that printing an owner does not show it. */
export interface Redactor {
  /**
   * Replaces the secret in a text in each of these forms:
   *
   * - as it is, or in other case
   * - with any of its characters escaped for JSON, HTML or a URL, also twice
   * - with NUL or white space between its characters (UTF-16, line breaks)
   * - as part of base64, base64url or hexadecimal data
   */
  redact(text: string, options: RedactionOptions): string;
  /**
   * Returns a text that was cut at any place without an end that may be the beginning of the secret, in the same forms.
   * `redact` finds only longer parts.
   */
  withoutCutSecret(text: string): string;
  /**
   * Checks quickly whether a text certainly has no secret. Such a text has no escaped characters, and neither the beginning nor
   * the end of a form of the secret. Every request and response is checked, so this creates no pattern.
   */
  hasNoSecret(text: string): boolean;
  /** Whether the secret is replaced only as a whole word of foreign text. */
  readonly isShort: boolean;
}

/** Creates the redactor of a secret. An empty secret occurs in no text. */
export function createRedactor(secret: string): Redactor {
  const isShort = secret.length < SECRET_LENGTH_MIN;
  let forms: SecretForms | undefined;
  const getForms = (): SecretForms => (forms ??= createForms(secret));
  const hasNoSecret = (text: string): boolean => {
    if (secret === '') return true;
    if (/[\\%&^<\0\ufffd\u00ad\u200b]/.test(text)) return false;
    const compact = text.replace(/\s+/g, '');
    if (isShort) return !text.includes(secret) && !compact.includes(secret);
    const views = [text, compact, compact.replace(/0x|[:,_-]/gi, '')].map(searchable);
    return !getForms().needles.some((needle) => views.some((view) => view.includes(needle)));
  };
  const find = (text: string, isForeign: boolean): Iterable<Range> =>
    isShort ? wholeWords(text, secret) : matches(text, getForms(), isForeign);
  return {
    isShort,
    hasNoSecret,
    withoutCutSecret(text) {
      if (secret === '') return text;
      const forms = isShort ? [secret.toLowerCase()] : getForms().all;
      const starts = Array.from(viewsOf(text, withoutCutEscape), (view) => cutStart(view, forms));
      return text.slice(0, Math.min(...starts));
    },
    redact(text, { replacement, isForeign }) {
      if (secret === '' || (isShort && !isForeign) || hasNoSecret(text)) return text;
      const ranges: Range[] = [];
      for (const view of viewsOf(text)) {
        for (const { start, end } of find(view.text, isForeign))
          ranges.push({ start: startOf(view, start), end: endOf(view, end - 1) });
      }
      return ranges.length === 0 ? text : replaceRanges(text, ranges, replacement);
    },
  };
}

/** Unifies case, base64 and base64url. */
function searchable(text: string): string {
  return text.toLowerCase().replaceAll('-', '+').replaceAll('_', '/');
}

/** Offsets of UTF-16 units; `end` is exclusive. */
interface Range {
  start: number;
  end: number;
}

/** A text, or what it becomes when its escaped characters are decoded. */
interface View {
  text: string;
  /** The start and the end of each UTF-16 unit in the source, one after the other. Absent for the source itself. */
  offsets?: readonly number[];
}

/** Escaped text may be escaped again. */
const ROUNDS_MAX = 4;

/**
 * A character that JSON, JavaScript, HTML, a URL or a message of this project (`<U+200B>`) escapes, or one to skip. A key has
 * no control characters, so of `^J` and its like only those count that may have come between its characters.
 */
const ESCAPED =
  /\\u\{0*([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|%([0-9a-f]{2})|&#x0*([0-9a-f]{1,6});?|&#0*(\d{1,7});?|&([a-z]{2,6});|<U\+([0-9a-f]{4,6})>|\^([@I-M])|\\(["'\\/])|[\0\s\ufffd\u00ad\u200b]+/gi;

/** Up to three of these may be between two pairs of hexadecimal digits, as in `0x73, 0x6b`. */
const BETWEEN_PAIRS = String.raw`(?:0x|\\x|[\s:,_-])`;

/** What separates pairs of hexadecimal digits. At the end of a text, also with half of a pair or of a `0x`. */
const HEX_SEPARATOR = new RegExp(
  `(?<=[0-9a-f]{2})${BETWEEN_PAIRS}{1,3}(?:(?=[0-9a-f]{2})|[0-9a-f]?$)|(?<=0x[0-9a-f]{2})0$`,
  'gi',
);

/** Named characters of HTML. */
const NAMED = new Map(
  (
    'amp& lt< gt> quot" apos\' sol/ bsol\\ plus+ equals= percnt% num# dollar$ excl! ast* lpar( rpar) comma, ' +
    'colon: semi; quest? commat@ lsqb[ rsqb] lowbar_ period. grave`'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
);

/**
 * Returns a text, and what it becomes when it is decoded again and again; each also with its hexadecimal data joined.
 *
 * @param trim changes each of them before it is decoded.
 */
function* viewsOf(text: string, trim = (view: View): View => view): Generator<View> {
  let view: View | undefined = trim({ text });
  for (let round = 0; view !== undefined; round += 1) {
    yield view;
    const joined = decoded(view, HEX_SEPARATOR);
    if (joined !== undefined) yield joined;
    const next: View | undefined = round < ROUNDS_MAX ? decoded(view) : undefined;
    view = next && trim(next);
  }
}

/** Decodes every escaped character once. Returns `undefined` if there is none. */
function decoded(view: View, pattern = ESCAPED): View | undefined {
  const { text } = view;
  const offsets: number[] = [];
  let result = '';
  let from = 0;
  const copy = (end: number): void => {
    for (let unit = from; unit < end; unit += 1) offsets.push(startOf(view, unit), endOf(view, unit));
    result += text.slice(from, end);
  };
  for (const match of text.matchAll(pattern)) {
    copy(match.index);
    from = match.index + match[0].length;
    const character = characterOf(match);
    const range = [startOf(view, match.index), endOf(view, from - 1)];
    offsets.push(...Array.from({ length: character.length }, () => range).flat());
    result += character;
  }
  if (from === 0) return undefined;
  copy(text.length);
  return { text: result, offsets };
}

function startOf({ offsets }: View, unit: number): number {
  return offsets?.[2 * unit] ?? unit;
}

function endOf({ offsets }: View, unit: number): number {
  return offsets?.[2 * unit + 1] ?? unit + 1;
}

function characterOf(match: RegExpExecArray): string {
  const [whole, braced, unicode, hex, percent, hexEntity, entity, named, shown, caret, escaped] = match;
  if (escaped !== undefined) return escaped;
  // The pattern ignores case, and caret notation has no lower case.
  if (caret !== undefined)
    return /[a-z]/.test(caret) ? whole : String.fromCharCode(caret.charCodeAt(0) ^ 0x40);
  if (named !== undefined) return NAMED.get(named.toLowerCase()) ?? whole;
  const digits = braced ?? unicode ?? hex ?? percent ?? hexEntity ?? shown;
  const code = digits === undefined ? Number(entity) : Number.parseInt(digits, 16);
  if (Number.isNaN(code)) return '';
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

function* matches(text: string, forms: SecretForms, isForeign: boolean): Generator<Range> {
  forms.whole ??= wholePattern(forms);
  for (const match of text.matchAll(forms.whole))
    yield { start: match.index, end: match.index + match[0].length };
  if (!isForeign) return;
  const lower = text.toLowerCase();
  // In a few languages a lower case letter is longer.
  if (lower.length === text.length) for (const form of forms.all) yield* parts(lower, form);
}

const WORD = /[\p{L}\p{N}]/u;

function* wholeWords(text: string, word: string): Generator<Range> {
  for (let start = text.indexOf(word); start !== -1; start = text.indexOf(word, start + 1)) {
    const end = start + word.length;
    const isInWord =
      (WORD.test(text[start - 1] ?? '') && WORD.test(word[0] ?? '')) ||
      (WORD.test(text[end] ?? '') && WORD.test(word.at(-1) ?? ''));
    if (!isInWord) yield { start, end };
  }
}

/** A shorter part could match a plain word, such as "mock" of `mock-key`. */
const PART_LENGTH_MIN = 6;

/** The length of the shortest part of a form that is found. A form that is shorter is found as a whole. */
function partLength(form: string): number {
  return Math.min(8, form.length, Math.max(PART_LENGTH_MIN, Math.ceil(form.length / 2)));
}

/** Finds the beginning or the end of a form, at least half of it (6 to 8 characters): text may be cut within a secret. */
function* parts(text: string, form: string): Generator<Range> {
  const length = partLength(form);
  const head = form.slice(0, length);
  for (let start = text.indexOf(head); start !== -1; start = text.indexOf(head, start + 1)) {
    let end = length;
    while (end < form.length && text[start + end] === form[end]) end += 1;
    yield { start, end: start + end };
  }
  const tail = form.slice(-length);
  for (let at = text.indexOf(tail); at !== -1; at = text.indexOf(tail, at + 1)) {
    let before = 0;
    while (before < form.length - length && text[at - before - 1] === form[form.length - length - before - 1])
      before += 1;
    yield { start: at - before, end: at + length };
  }
}

/** The beginning of an escaped character, at the end of a text. */
const CUT_ESCAPE =
  /(?:\\(?:u\{?[0-9a-f]*|x[0-9a-f]?)?|%[0-9a-f]?|&(?:[a-z]*|#\d*|#x[0-9a-f]*)|<(?:U(?:\+[0-9a-f]*)?)?|\^)$/i;

function withoutCutEscape({ text, ...view }: View): View {
  return { ...view, text: text.replace(CUT_ESCAPE, '') };
}

/** Returns where the end of a view starts, in its source, that may be the beginning of a form. */
function cutStart(view: View, forms: readonly string[]): number {
  const text = view.text.toLowerCase();
  let cut = 0;
  for (const form of forms) {
    let size = Math.min(form.length, text.length);
    while (size > cut && !text.endsWith(form.slice(0, size))) size -= 1;
    cut = Math.max(cut, size);
  }
  return cut === 0 ? endOf(view, text.length - 1) : startOf(view, view.text.length - cut);
}

function replaceRanges(text: string, ranges: Range[], replacement: string): string {
  let result = '';
  let from = 0;
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    if (start >= from || from === 0) result += text.slice(from, start) + replacement;
    from = Math.max(from, end);
  }
  return result + text.slice(from);
}

interface SecretForms {
  /** The secret, and what remains of it when every escape is decoded. */
  texts: readonly string[];
  /** Base64 of UTF-8 and of UTF-16, in the three alignments. */
  base64: readonly string[];
  /** Two hexadecimal digits for each byte. */
  pairs: readonly string[];
  /** All forms in lower case, of which parts are found too. */
  all: readonly string[];
  /** The beginnings and ends of all forms, for `hasNoSecret`. */
  needles: readonly string[];
  /** Matches every whole form. Created when it is needed. */
  whole?: RegExp;
}

function createForms(secret: string): SecretForms {
  const bytes = new TextEncoder().encode(secret);
  const pairs = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  // Text with every escape decoded has a secret such as `a%41b` in decoded form.
  let plain = secret;
  for (let round = 0; round < ROUNDS_MAX && /[\\%&^<\0\s\ufffd\u00ad\u200b:,_-]/.test(plain); round += 1)
    plain = decoded({ text: plain })?.text ?? plain;
  const texts = [...new Set([secret, plain])].filter((text) => text.length >= SECRET_LENGTH_MIN / 2);
  const base64 = [bytes, utf16Bytes(secret)].flatMap((each) =>
    [0, 1, 2].map((offset) => base64Core(each, offset)),
  );
  const urlBase64 = base64.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  const all = [
    ...new Set([...texts, ...base64, ...urlBase64, pairs.join('')].map((form) => form.toLowerCase())),
  ];
  const needles = new Set(
    all.flatMap((form) => [form.slice(0, partLength(form)), form.slice(-partLength(form))].map(searchable)),
  );
  return { texts, base64, pairs, all, needles: [...needles] };
}

/** Returns the pattern of every whole form of a secret. */
function wholePattern({ texts, base64, pairs }: SecretForms): RegExp {
  const alternatives = [
    ...texts.map(escapePattern),
    // The characters around share their bits with other data.
    ...base64.map(
      (core) =>
        `[\\w+/-]?${escapePattern(core).replaceAll('\\+', '[+-]').replaceAll('/', '[/_]')}[\\w+/-]?={0,2}`,
    ),
    pairs.join(`${BETWEEN_PAIRS}{0,3}`),
  ];
  return new RegExp(alternatives.join('|'), 'gi');
}

/** Returns the bytes that UTF-16 in either byte order has for a text. PowerShell and Java encode so. */
function utf16Bytes(text: string): Uint8Array {
  const bytes = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  // Little endian has one more zero byte at the end, big endian at the start.
  return new Uint8Array(bytes.flatMap((unit) => [unit & 0xff, unit >>> 8]).slice(0, -1));
}

/** Returns the base64 characters that depend on these bytes only, if `offset` bytes (modulo 3) precede them. */
function base64Core(bytes: Uint8Array, offset: number): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(offset), ...bytes));
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

function escapePattern(text: string): string {
  return text.replace(/[$(-+./?[-^{|}]/g, '\\$&').replaceAll('\\/', '/');
}
