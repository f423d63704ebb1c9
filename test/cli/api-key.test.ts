import { expect, test } from 'vitest';
import { createPetStore } from '../../src/client/index.js';
import { readApiKey } from '../../src/cli/api-key.js';

test('takes a key', () => {
  expect(readApiKey({ env: { PETSTORE_API_KEY: 'sk-1' } })).toBe('sk-1');
});

test.each(['k', '~!,:', 'a b', ' a', 'a\t', 'a\n', 'a\r\nb', 'a\0', 'a\x7f', 'clé', '\u200b', 'a\ufeff'])(
  'agrees with the client on %j',
  (key) => {
    const takes = (check: () => unknown): boolean => {
      try {
        check();
        return true;
      } catch {
        return false;
      }
    };
    const byClient = takes(() => createPetStore({ baseUrl: 'https://pets.test/v1', apiKey: key }));
    expect(takes(() => readApiKey({ env: { PETSTORE_API_KEY: key } }))).toBe(byClient);
  },
);

test.each([{}, { PETSTORE_API_KEY: '' }])('%j: no key', (env) => {
  expect(() => readApiKey({ env })).toThrow(expect.objectContaining({ type: 'no-api-key', exitCode: 3 }));
});

test.each([
  ['sk-1\n', 'a line break'],
  ['a\r\nb', 'a line break'],
  ['sk 1', 'a blank, control or non-ASCII character'],
  ['clé', 'a blank, control or non-ASCII character'],
])('%j is refused, and not shown', (key, fault) => {
  const read = () => readApiKey({ env: { PETSTORE_API_KEY: key } });
  expect(read).toThrow(`PETSTORE_API_KEY holds ${fault}, which no request header can carry`);
  expect(read).not.toThrow(key);
});
