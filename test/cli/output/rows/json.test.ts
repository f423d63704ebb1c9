import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toJson } from '../../../../src/cli/output/rows/json.js';
import { createPainter } from '../../../../src/cli/output/text/color.js';
import { parseJson } from '../../../../src/schema/json.js';
import { anyCharacter } from '../../../support/any-character.js';

const anyText = fc.string({
  unit: fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('\x9b', '\u202e', '\\', '"', '\ud800')),
});

describe('json', () => {
  test('escapes control characters, also in keys, and bidi characters on a terminal', () => {
    const value = { 'a\u202e': '\x1b[2J\x7f\x9b\u2028\u2066' };
    expect(toJson(value, { indent: false })).toBe('{"a\u202e":"\\u001b[2J\\u007f\\u009b\\u2028\u2066"}\n');
    expect(toJson(value, { indent: false, isTTY: true })).toBe(
      '{"a\\u202e":"\\u001b[2J\\u007f\\u009b\\u2028\\u2066"}\n',
    );
  });

  test('colours keys, and no text that looks like a key, also next to a long text', async () => {
    const paint = await createPainter(1);
    expect(toJson({ 'a":': 'b": ', c: ['d'] }, { indent: false, paint })).toBe(
      '{\x1b[36m"a\\":"\x1b[39m:"b\\": ",\x1b[36m"c"\x1b[39m:["d"]}\n',
    );
    const long = 'x'.repeat(2 ** 23);
    expect(toJson({ a: long }, { indent: false, paint }) === `{\x1b[36m"a"\x1b[39m:"${long}"}\n`).toBe(true);
  });

  test('parses back to any text, and is harmless', () => {
    fc.assert(
      fc.property(fc.array(anyText), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (texts, id) => {
        const json = toJson({ texts, id }, { indent: false, isTTY: true });
        expect(json.slice(0, -1)).not.toMatch(
          /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
        );
        const back = parseJson(json) as { texts: string[]; id: number | bigint };
        expect(back.texts).toEqual(texts);
        expect(BigInt(back.id)).toBe(id);
      }),
    );
  });
});
