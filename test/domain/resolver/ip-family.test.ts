import { isIP } from 'node:net';
import { expect, test } from 'vitest';
import { ipFamily } from '../../../src/domain/resolver/ip-family.js';

test.each([
  ['192.0.2.1', 4],
  ['::1', 6],
  ['2001:db8::1', 6],
  ['::ffff:192.0.2.1', 6],
  ['fe80::1%lo', 6],
  ['192.0.2', 0],
  ['192.0.2.1:53', 0],
  ['[::1]', 0],
  ['shop.example.test', 0],
  ['', 0],
])('the family of %j is %i, as node:net has it', (text, family) => {
  expect(ipFamily(text)).toBe(family);
  expect(isIP(text)).toBe(family);
});
