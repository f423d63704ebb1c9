import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { toYaml } from '../../../src/cli/output/yaml.js';

test('is one document, with every digit of an int64', async () => {
  expect(await toYaml([{ id: 9007199254740993n, name: 'Rex', tags: [] }])).toBe(
    '- id: 9007199254740993\n  name: Rex\n  tags: []\n',
  );
  expect(await toYaml([])).toBe('[]\n');
});

test('quotes what a YAML 1.1 reader would misread', async () => {
  expect(await toYaml(['no', 'yes', '12:30', '0x1f', '1_000', '~'])).toBe(
    '- "no"\n- "yes"\n- "12:30"\n- "0x1f"\n- "1_000"\n- "~"\n',
  );
});

test('escapes control and bidi characters, also in keys', async () => {
  expect(await toYaml({ 'k\u202e': 'a\x1b[2J\x9b\x7f\u2028b' })).toBe(
    '"k\\u202e": "a\\e[2J\\u009b\\u007f\\u2028b"\n',
  );
});

test('writes a value that occurs twice without an alias', async () => {
  const owner = { name: 'Ann' };
  expect(await toYaml([owner, owner])).toBe('- name: Ann\n- name: Ann\n');
});

test('reads back as any text, and is harmless', async () => {
  const text = fc.string({
    unit: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\x9b', '\u202e', '\t', '\r', '\ud800')),
  });
  await fc.assert(
    fc.asyncProperty(fc.dictionary(text, text), async (value) => {
      const yaml = await toYaml(value);
      expect(yaml).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
      expect(parse(yaml)).toEqual(value);
    }),
  );
});
