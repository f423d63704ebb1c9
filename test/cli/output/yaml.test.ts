import { expect, test } from 'vitest';
import { toYaml } from '../../../src/cli/output/yaml.js';

test('is one document, with every digit of an int64', () => {
  expect(toYaml([{ id: 9007199254740993n, name: 'Rex', tags: [] }])).toBe(
    '- id: 9007199254740993\n  name: Rex\n  tags: []\n',
  );
  expect(toYaml([])).toBe('[]\n');
});

test('quotes what a YAML 1.1 reader would misread', () => {
  expect(toYaml(['no', 'yes', '12:30', '0x1f', '1_000', '~'])).toBe(
    '- "no"\n- "yes"\n- "12:30"\n- "0x1f"\n- "1_000"\n- "~"\n',
  );
});

test('escapes control and bidi characters, also in keys', () => {
  expect(toYaml({ 'k\u202e': 'a\x1b[2J\x9b\x7f\u2028b' })).toBe(
    '"k\\u202e": "a\\u001b[2J\\u009b\\u007f\\u2028b"\n',
  );
});

test('writes a value that occurs twice without an alias', () => {
  const owner = { name: 'Ann' };
  expect(toYaml([owner, owner])).toBe('- name: Ann\n- name: Ann\n');
});
