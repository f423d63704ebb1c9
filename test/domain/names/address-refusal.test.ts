import { describe, expect, test } from 'vitest';
import { refusalReason } from '../../../src/domain/names/ip-address.js';

describe('refuses a probe of', () => {
  test.each([
    ['0.0.0.0', 'this network'],
    ['10.0.0.1', 'private networks'],
    ['100.100.100.200', 'shared carrier networks'],
    ['127.0.0.1', 'the machine itself'],
    ['168.63.129.16', "a cloud's own services"],
    ['169.254.169.254', 'one link'],
    ['172.16.0.1', 'private networks'],
    ['192.0.0.192', 'protocol assignments'],
    ['192.0.2.80', 'documentation'],
    ['192.168.1.1', 'private networks'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['224.0.0.251', 'multicast'],
    ['240.0.0.1', 'later use'],
    ['255.255.255.255', 'later use'],
    ['::', 'this network'],
    ['::1', 'the machine itself'],
    ['0:0:0:0:0:0:0:1', 'the machine itself'],
    ['::7f00:1', 'later use'],
    ['::ffff:127.0.0.1', 'mapped IPv4 addresses'],
    ['::FFFF:8.8.8.8', 'mapped IPv4 addresses'],
    ['0:0:0:0:0:ffff:7f00:1', 'mapped IPv4 addresses'],
    ['64:ff9b::127.0.0.1', 'the machine itself'],
    ['64:ff9b::a9fe:a9fe', 'one link'],
    ['64:ff9b::a83f:8110', "a cloud's own services"],
    ['64:ff9b::', 'this network'],
    ['64:ff9b:0:0:0:0:a00:1', 'private networks'],
    ['64:ff9b:1::1', 'later use'],
    ['100::1', 'discarding'],
    ['2001::1', 'tunnels to other addresses'],
    ['2001:db8::80', 'documentation'],
    ['2002:7f00:1::', 'tunnels to other addresses'],
    ['3fff::1', 'documentation'],
    ['4000::1', 'later use'],
    ['fd00:ec2::254', 'private networks'],
    ['fe80::1', 'one link'],
    ['fec0::1', 'later use'],
    ['ff02::1', 'multicast'],
  ])('%s', (address, purpose) => expect(refusalReason(address)).toBe(`it is reserved for ${purpose}`));

  test.each(['fe80::1%eth0', '2600::1%lo', '127.1', '0x7f.1', 'localhost', ''])(
    '%j, which is not an address',
    (address) => expect(refusalReason(address)).toBe('not an IP address'),
  );
});

test.each([
  '1.1.1.1',
  '100.63.255.255',
  '172.32.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '64:ff9b::1.1.1.1',
])('allows a probe of %s', (address) => expect(refusalReason(address)).toBeUndefined());
