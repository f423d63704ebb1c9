import { expect, test } from 'vitest';
import { parseServerAddress } from '../../../src/domain/resolver/server-address.js';

test.each([
  ['192.0.2.1', '192.0.2.1', 53],
  ['192.0.2.1:5353', '192.0.2.1', 5353],
  ['2001:db8::1', '2001:db8::1', 53],
  ['[2001:db8::1]', '2001:db8::1', 53],
  ['[2001:db8::1]:65535', '2001:db8::1', 65_535],
  ['fe80::1%eth0', 'fe80::1%eth0', 53],
  ['[fe80::1%eth0]:53', 'fe80::1%eth0', 53],
])('%s', (text, address, port) => {
  expect(parseServerAddress(text)).toEqual({ address, port, transport: 'dns' });
});

test('the default port can be another', () => {
  expect(parseServerAddress('192.0.2.1', 5300)?.port).toBe(5300);
  expect(parseServerAddress('192.0.2.1:53', 5300)?.port).toBe(53);
});

test.each([
  '',
  'ns1.example.test',
  '192.0.2',
  '192.0.2.256',
  '192.0.2.1:',
  '192.0.2.1:0',
  '192.0.2.1:65536',
  '192.0.2.1:53:53',
  '192.0.2.1:x',
  '[192.0.2.1]:53',
  '[2001:db8::1',
  '[2001:db8::1]53',
  ' 192.0.2.1',
  '192.0.2.1\n',
])('%j is none', (text) => {
  expect(parseServerAddress(text)).toBeUndefined();
});
