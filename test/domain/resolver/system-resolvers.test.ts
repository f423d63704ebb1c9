import { getServers } from 'node:dns';
import { expect, test } from 'vitest';
import { systemResolvers } from '../../../src/domain/resolver/system-resolvers.js';

test('each in order, once, with its port', () => {
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
])('%s cannot be asked', (address) => {
  expect(systemResolvers([address])).toEqual([]);
});

test.each(['fe80::1%eth0', '::1', '::ffff:192.0.2.1', '223.255.255.1', 'fd00::1'])('%s can', (address) => {
  expect(systemResolvers([address])).toEqual([{ address, port: 53, transport: 'dns' }]);
});

test('of this machine, when nothing is said', () => {
  expect(systemResolvers()).toEqual(systemResolvers(getServers()));
});
