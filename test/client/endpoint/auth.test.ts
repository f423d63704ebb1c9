import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { keySource } from '../../../src/client/endpoint/auth.js';
import { ConfigurationError } from '../../../src/errors.js';
import { rejection } from '../../support/stores.js';

const BAD_KEYS: readonly (readonly [unknown, string])[] = [
  ['', 'is empty'],
  ['sk_1\nX-Evil: 1', 'holds a line break'],
  ['sk_1\r', 'holds a line break'],
  ['sk_ключ', 'holds a character that is not ASCII'],
  ['sk_\u00a0', 'holds a character that is not ASCII'],
  ['sk 1', 'holds a blank or a control character'],
  ['sk_1\t', 'holds a blank or a control character'],
  ['sk_\0', 'holds a blank or a control character'],
  ['sk_\x7f', 'holds a blank or a control character'],
];

describe('a key that no header can carry', () => {
  test.each(BAD_KEYS)('%j is refused, and not shown', (key, fault) => {
    const make = (): unknown => keySource(key as string);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(`the API key ${fault}`);
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
  ])('%j from a function is refused too', async (key, fault) => {
    const error = await rejection(Promise.resolve(keySource(() => key as string)()));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).message).toBe(`the API key ${fault}`);
    expect((error as ConfigurationError).option).toBe('apiKey');
  });

  test('none at all is told as such', () => {
    expect(() => keySource(undefined)).toThrow('no API key');
  });
});

test('a string is given back without a promise', () => {
  expect(keySource('sk_~!1')()).toBe('sk_~!1');
});

test('a function is asked each time, so that a rotated key is picked up', async () => {
  const keys = ['one', 'two'];
  const key = keySource(() => keys.shift() ?? '');
  expect([await key(), await key()]).toEqual(['one', 'two']);
});

test('the source shows nothing of the key', () => {
  expect(inspect(keySource('sk_secret'), { depth: 20, showHidden: true })).not.toContain('sk_secret');
});
