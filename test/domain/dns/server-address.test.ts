import { getServers } from 'node:dns';
import { isIP } from 'node:net';
import { expect, test } from 'vitest';
import { ipFamily, parseServerAddress, systemResolvers } from '../../../src/domain/dns/server-address.js';

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

test('uses another default port', () => {
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
])('rejects %j', (text) => {
  expect(parseServerAddress(text)).toBeUndefined();
});

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
])('the family of %j is %i, as in node:net', (text, family) => {
  expect(ipFamily(text)).toBe(family);
  expect(isIP(text)).toBe(family);
});

test('are returned in order, once, with their port', () => {
  const configured = [
    '192.0.2.1',
    '[2001:DB8::1]:5353',
    '127.0.0.53',
    '192.0.2.1',
    '[2001:db8::1]:5353',
    '192.0.2.1:54',
  ];
  expect(systemResolvers(configured).map(({ address, port }) => `${address} ${port}`)).toEqual([
    '192.0.2.1 53',
    '2001:db8::1 5353',
    '127.0.0.53 53',
    '192.0.2.1 54',
  ]);
});

test.each([
  '0.0.0.0',
  '::',
  '224.0.0.251',
  '239.1.2.3',
  'ff02::fb',
  'fe80::1',
  'febf::1',
  'fec0:0:0:ffff::1',
  'what',
])('ignores %s', (address) => {
  expect(systemResolvers([address])).toEqual([]);
});

test.each(['fe80::1%eth0', '::1', '::ffff:192.0.2.1', '223.255.255.1', 'fd00::1'])(
  'returns %s',
  (address) => {
    expect(systemResolvers([address])).toEqual([{ address, port: 53, transport: 'dns' }]);
  },
);

test('are those of this machine by default', () => {
  expect(systemResolvers()).toEqual(systemResolvers(getServers()));
});
