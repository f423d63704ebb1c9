import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/security/redact-secret.js';
import { runs } from '../support/random-runs.js';

const foreign = (text: string, secret: string): string =>
  createRedactor(secret).redact(text, { replacement: '[key]', isForeign: true });
const own = (text: string, secret: string): string =>
  createRedactor(secret).redact(text, { replacement: '[key]', isForeign: false });

const bytesOf = (text: string): Buffer => Buffer.from(text);
const escapeAll = (escape: (code: number) => string) => (text: string) =>
  Array.from(text, (character) => escape(character.charCodeAt(0))).join('');
const hex = (code: number, length = 2): string => code.toString(16).padStart(length, '0');

/** Encodings in which a service, a proxy or a page may echo a key. */
const ENCODINGS: Readonly<Record<string, (key: string) => string>> = {
  plain: (key) => key,
  'upper case': (key) => key.toUpperCase(),
  JSON: (key) => JSON.stringify(key).slice(1, -1),
  'JSON with \\/': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
  'JSON with \\u': escapeAll((code) => `\\u${hex(code, 4)}`),
  'JSON with \\U in upper case': escapeAll((code) => `\\u${hex(code, 4).toUpperCase()}`),
  'JSON in JSON': (key) => JSON.stringify(JSON.stringify(key)).slice(3, -3),
  'JavaScript \\x': escapeAll((code) => `\\x${hex(code)}`),
  'code points as <U+…>': escapeAll((code) => `<U+${hex(code, 4).toUpperCase()}>`),
  'line breaks as ^J': (key) => Array.from(key).join('^J'),
  'zero width spaces as <U+200B>': (key) => Array.from(key).join('<U+200B>'),
  'JavaScript \\u{}': escapeAll((code) => `\\u{${hex(code)}}`),
  'named entities': (key) =>
    key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('/', '&sol;'),
  'decimal entities': escapeAll((code) => `&#${String(code)};`),
  'hexadecimal entities': escapeAll((code) => `&#x${hex(code)};`),
  'entities in entities': escapeAll((code) => `&amp;#x${hex(code)};`),
  percent: escapeAll((code) => `%${hex(code)}`),
  'percent in upper case': escapeAll((code) => `%${hex(code).toUpperCase()}`),
  encodeURIComponent: encodeURIComponent,
  'percent twice': (key) => encodeURIComponent(encodeURIComponent(key)),
  'percent three times': escapeAll((code) => `%2525${hex(code)}`),
  base64: (key) => bytesOf(key).toString('base64'),
  base64url: (key) => bytesOf(key).toString('base64url'),
  'base64 of a header': (key) => bytesOf(`Authorization: Bearer ${key}\r\n`).toString('base64'),
  'base64 after one byte': (key) => bytesOf(`:${key}:`).toString('base64'),
  'base64 after two bytes': (key) => bytesOf(`u:${key}`).toString('base64url'),
  'base64, percent': (key) => encodeURIComponent(bytesOf(key).toString('base64')),
  'base64 of UTF-16': (key) => Buffer.from(key, 'utf16le').toString('base64'),
  'base64 of UTF-16, big endian': (key) => Buffer.from(key, 'utf16le').swap16().toString('base64url'),
  'base64 of UTF-16 after one byte': (key) =>
    Buffer.concat([bytesOf(':'), Buffer.from(key, 'utf16le')]).toString('base64'),
  hexadecimal: (key) => bytesOf(key).toString('hex'),
  'hexadecimal in upper case': (key) => bytesOf(key).toString('hex').toUpperCase(),
  'hexadecimal with colons': (key) =>
    bytesOf(key)
      .toString('hex')
      .replace(/..(?=.)/g, '$&:'),
  'hexadecimal with 0x': escapeAll((code) => `0x${hex(code)}`),
  'hexadecimal with 0x and commas': (key) =>
    Array.from(key, (character) => `0x${hex(character.charCodeAt(0))}`).join(', '),
  'hexadecimal in lines': (key) =>
    bytesOf(key)
      .toString('hex')
      .replace(/..(?=.)/g, '$&,\n'),
  'hexadecimal with percent': (key) =>
    encodeURIComponent(
      bytesOf(key)
        .toString('hex')
        .replace(/..(?=.)/g, '$&, '),
    ),
  'UTF-16': (key) => Buffer.from(key, 'utf16le').toString('latin1'),
  'UTF-16 as JSON': (key) => JSON.stringify(Buffer.from(key, 'utf16le').toString('latin1')).slice(1, -1),
  lines: (key) => key.replace(/.{5}/g, '$&\n'),
};

const KEY = 'sk_live+4eC39/HqLy&jWDar"jtT1<zdp7dc';

describe.each(Object.entries(ENCODINGS))('%s', (_, encode) => {
  test('is redacted alone and in a text', () => {
    for (const redact of [foreign, own]) {
      expect(redact(encode(KEY), KEY).replace(/^(?:QXV.*|[AO]|d\w?|0x)?(\[key\]).{0,6}$/s, '$1')).toBe(
        '[key]',
      );
      expect(redact(`<a b="${encode(KEY)}">`, KEY)).toMatch(/^<a b="\w*\[key\]\S{0,6}">$/);
      expect(redact(`${encode(KEY)}, ${encode(KEY)}`, KEY).match(/\[key\]/g)).toHaveLength(2);
    }
  });
});

test.each(Object.entries(ENCODINGS))('nothing is left of %s at the cut end of a text', (name, encode) => {
  // These hold other data next to the key.
  if (/after|header|big endian/.test(name)) return;
  const encoded = encode(KEY);
  for (let end = 0; end <= encoded.length; end += 1) {
    const text = createRedactor(KEY).withoutCutSecret(`<p>no ${encoded.slice(0, end)}`);
    expect(foreign(text, KEY)).toMatch(/^<p>n(?:o (?:0x?)?|o)?(?:\[key\])?$/);
  }
});

test.each([
  ['k3y', 'a k3', 'a '],
  ['k3y', 'a k3z', 'a k3z'],
  ['', 'a k3', 'a k3'],
])('the secret %j leaves of the cut text %j %j', (secret, text, expected) => {
  expect(createRedactor(secret).withoutCutSecret(text)).toBe(expected);
});

/** A printable ASCII character, as in a key. */
const character = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const key = fc.string({ unit: character, minLength: 16, maxLength: 48 });
const word = fc.constantFrom(
  '',
  ' ',
  '"',
  '<p>',
  'x: ',
  '{"a":"',
  '\n',
  '… ',
  '%20',
  '&nbsp;',
  '\\n',
  'ключ ',
);

test('leaves at most 8 characters of any key in any encoding, also if the text is cut', () => {
  fc.assert(
    fc.property(
      key,
      fc.constantFrom(...Object.keys(ENCODINGS)),
      word,
      word,
      fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      fc.boolean(),
      (secret, name, before, after, cut, isStartCut) => {
        const encoded = ENCODINGS[name]?.(secret) ?? '';
        const at = Math.floor((cut ?? 0) * encoded.length);
        const part = cut === undefined || isStartCut ? encoded.slice(at) : encoded.slice(0, at);
        const shown = foreign(before + part + after, secret);
        if (cut === undefined) expect(shown).toContain('[key]');
        // These hold other data next to the key.
        if (/after|header/.test(name)) return;
        const window = Math.ceil((encoded.length / secret.length) * 8) + 12;
        const left: string[] = [];
        for (let start = 0; start + window <= part.length; start += 1) {
          const piece = part.slice(start, start + window);
          if (shown.includes(piece)) left.push(piece);
        }
        expect(left).toEqual([]);
      },
    ),
    {
      numRuns: runs(500),
      // An escape after a caret is no caret notation.
      examples: [['!!!!!!!^!!!^!!!!', 'UTF-16 as JSON', '', '', undefined, false]],
    },
  );
});

describe('a key that could be a word', () => {
  test.each([
    ['key', 'API key', 'API [key]'],
    ['key', 'monkeys and keys', 'monkeys and keys'],
    ['k', 'unknown k', 'unknown [key]'],
    ['k3y', 'a=k%33y&b', 'a=[key]&b'],
    ['k+/', '"k\\u002b\\/"', '"[key]"'],
  ])('%s in the foreign text %j', (secret, text, expected) => {
    expect(foreign(text, secret)).toBe(expected);
    expect(own(text, secret)).toBe(text);
  });
});

test.each([
  ['mock-key', 'The mock has no pet with this key', 'The mock has no pet with this key'],
  ['mock-key', 'the key mock-key is unknown', 'the key [key] is unknown'],
  ['mock-key', 'the key mock-k', 'the key [key]'],
  ['mock-key', 'ck-key is unknown', '[key] is unknown'],
  ['petstore', 'a pets store, a store', 'a pets store, a store'],
  ['a%41%42b', 'aABb', '[key]'],
  ['live_secret', 'live_s', '[key]'],
])(
  'of the short key %s in the foreign text %j only a part of 6 characters counts',
  (secret, text, expected) => {
    expect(foreign(text, secret)).toBe(expected);
  },
);

test('other text stays', () => {
  for (const text of ['', 'nothing', '100 % of &amp; and \\u0041', '\0', 'a'.repeat(100_000), '[key]']) {
    expect(foreign(text, KEY)).toBe(text);
    expect(foreign(text, '')).toBe(text);
  }
  expect(createRedactor(KEY).hasNoSecret('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(true);
  expect(createRedactor(KEY).hasNoSecret(`x ${KEY}`)).toBe(false);
  expect(createRedactor(KEY).hasNoSecret('a%20b')).toBe(false);
});

test('takes linear time', () => {
  const text = '%25'.repeat(100_000);
  const startedAt = process.cpuUsage().user;
  expect(foreign(text, KEY)).toBe(text);
  expect((process.cpuUsage().user - startedAt) / 1e6).toBeLessThan(3);
});

test('finds a secret that occurs very often', () => {
  const key = KEY.slice(0, 16);
  expect(foreign(`${key}.`.repeat(130_000), key)).toBe('[key].'.repeat(130_000));
});
