import { expect, test } from 'vitest';
import { registrableOf } from '../../../src/domain/name/registrable.js';

test('returns the domain below the public suffix', () => {
  expect(registrableOf('a.shop.example.co.uk')).toBe('example.co.uk');
  expect(registrableOf('shop.example.com')).toBe('example.com');
  expect(registrableOf('a.shop.example.test')).toBe('example.test');
  // Private suffixes are zones like any other to the DNS.
  expect(registrableOf('me.github.io')).toBe('github.io');
  expect(registrableOf('co.uk')).toBe('co.uk');
});
