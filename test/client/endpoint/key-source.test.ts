import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { keySource } from '../../../src/client/endpoint/key-source.js';
import { ConfigurationError } from '../../../src/errors.js';
import { rejection } from '../../support/stores.js';

const BAD_KEYS: readonly (readonly [unknown, string])[] = [
  ['', 'is empty'],
  ['sk_1\nX-Evil: 1', 'contains a line break'],
  ['sk_1\r', 'contains a line break'],
  ['sk_ключ', 'contains a character that is not ASCII'],
  ['sk_\u00a0', 'contains a character that is not ASCII'],
  ['sk 1', 'contains a space or a control character'],
  ['sk_1\t', 'contains a space or a control character'],
  ['sk_\0', 'contains a space or a control character'],
  ['sk_\x7f', 'contains a space or a control character'],
];

describe('a key that is not valid in a header', () => {
  test.each(BAD_KEYS)('%j is rejected and not shown', (key, problem) => {
    const make = (): unknown => keySource(key as string);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(`The API key ${problem}`);
    try {
      make();
    } catch (error) {
      if (key !== '') expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(String(key));
    }
  });

  test.each<readonly [unknown, string]>([
    ...BAD_KEYS,
    [42, 'is not a string'],
    [undefined, 'is not a string'],
  ])('%j from a function is also rejected', async (key, problem) => {
    const error = await rejection(Promise.resolve(keySource(() => key as string)()));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).message).toBe(`The API key ${problem}`);
    expect((error as ConfigurationError).option).toBe('apiKey');
  });

  test('rejects a missing key', () => {
    expect(() => keySource(undefined)).toThrow('No API key');
  });
});

test('returns a string without a promise', () => {
  expect(keySource('sk_~!1')()).toBe('sk_~!1');
});

test('calls a function each time, so that a rotated key takes effect', async () => {
  const keys = ['one', 'two'];
  const key = keySource(() => keys.shift() ?? '');
  expect([await key(), await key()]).toEqual(['one', 'two']);
});

test('inspect does not show the key', () => {
  expect(inspect(keySource('sk_secret'), { depth: 20, showHidden: true })).not.toContain('sk_secret');
});
