import { expect, test } from 'vitest';
import { readAddress } from '../../../../src/domain/resolver/wire/address.js';

test('IPv4, from where it begins', () => {
  expect(readAddress(Buffer.from([9, 192, 0, 2, 255, 9]), 1, 4)).toBe('192.0.2.255');
});

// RFC 5952, section 4.
test.each([
  ['00000000000000000000000000000000', '::'],
  ['00000000000000000000000000000001', '::1'],
  ['00010000000000000000000000000000', '1::'],
  ['20010db8000000000001000000000001', '2001:db8::1:0:0:1'],
  ['20010db8000000000000000000010001', '2001:db8::1:1'],
  ['20010db8000000010001000100010001', '2001:db8:0:1:1:1:1:1'],
  ['00010000000000020000000000000003', '1:0:0:2::3'],
  ['00000000000100000000000000000000', '0:0:1::'],
  ['fe80000000000000abcdef0123456789', 'fe80::abcd:ef01:2345:6789'],
])('IPv6 %s in its one spelling', (hex, text) => {
  expect(readAddress(Buffer.from(`ff${hex}ff`, 'hex'), 1, 16)).toBe(text);
  // The platform's own spelling.
  expect(new URL(`http://[${text}]/`).hostname).toBe(`[${text}]`);
});
