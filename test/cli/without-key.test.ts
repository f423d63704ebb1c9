import { expect, test } from 'vitest';
import { withoutKey } from '../../src/cli/without-key.js';

const KEY = 'sk-a"b/c+d==';
const context = { env: { PETSTORE_API_KEY: KEY } };

test.each([
  [`there is no profile ${KEY}`, 'there is no profile [key]'],
  [`there is no profile ${JSON.stringify(KEY)}`, 'there is no profile "[key]"'],
  [`GET /pets?key=${encodeURIComponent(KEY)}&limit=1`, 'GET /pets?key=[key]&limit=1'],
  [`${KEY}${KEY}`, '[key][key]'],
])('%s', (text, told) => {
  expect(withoutKey(text, context)).toBe(told);
});

test('leaves a text alone without a key, and with one so short that it may stand anywhere', () => {
  for (const key of [undefined, '', 'o', 'command'])
    expect(withoutKey('no command', { env: { PETSTORE_API_KEY: key } })).toBe('no command');
});
