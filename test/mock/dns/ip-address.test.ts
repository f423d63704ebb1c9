import { isIPv4, isIPv6 } from 'node:net';
import { expect, test } from 'vitest';
import { readIpv4, readIpv6 } from '../../../src/mock/dns/ip-address.js';

test('IPv4', () => {
  expect(readIpv4('192.0.2.80')).toEqual(Uint8Array.of(192, 0, 2, 80));
});

test.each(['1.2.3', '1.2.3.256', '1.2.3.04', '1.2.3.4.5', 'a.b.c.d', '', '1.2.3.'])(
  'not IPv4: %s',
  (text) => {
    expect(isIPv4(text)).toBe(false);
    expect(() => readIpv4(text)).toThrow(new TypeError(`not an IPv4 address: ${text}`));
  },
);

test.each([
  ['2001:db8::80', '20010db8000000000000000000000080'],
  ['::', '00000000000000000000000000000000'],
  ['::1', '00000000000000000000000000000001'],
  ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
  ['1:2:3:4:5:6:7::', '00010002000300040005000600070000'],
  ['::ffff:192.0.2.1', '00000000000000000000ffffc0000201'],
  ['2001:DB8::A', '20010db800000000000000000000000a'],
])('IPv6: %s', (text, hex) => {
  expect(Buffer.from(readIpv6(text)).toString('hex')).toBe(hex);
});

test.each([
  '',
  ':',
  '1::2::3',
  '1:2:3',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7:8::',
  '12345::',
  'g::',
  ':::',
  '::1.2.3',
])('not IPv6: %s', (text) => {
  expect(isIPv6(text)).toBe(false);
  expect(() => readIpv6(text)).toThrow(TypeError);
});
