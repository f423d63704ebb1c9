import { expect, test } from 'vitest';
import { isIpv6, subnetList, withPort } from '../../../src/domain/name/ip-address.js';

test('recognises the family of an address', () => {
  expect(['192.0.2.1', '::1', '::ffff:192.0.2.1'].map(isIpv6)).toEqual([false, true, true]);
});

test('puts IPv6 addresses in brackets before a port', () => {
  expect([withPort('192.0.2.1', 53), withPort('2001:db8::1', 53)]).toEqual([
    '192.0.2.1:53',
    '[2001:db8::1]:53',
  ]);
});

test('subnets contain addresses of their family', () => {
  const list = subnetList(['10.0.0.0/8', 'fc00::/7']);
  expect(list.check('10.255.0.1', 'ipv4')).toBe(true);
  expect(list.check('11.0.0.1', 'ipv4')).toBe(false);
  expect(list.check('fd00::1', 'ipv6')).toBe(true);
  expect(list.check('fe00::1', 'ipv6')).toBe(false);
});
