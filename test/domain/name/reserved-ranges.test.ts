import { expect, test } from 'vitest';
import { reservedRange } from '../../../src/domain/name/ip-address.js';

test.each([
  ['0.0.0.0', 'this network'],
  ['10.1.2.3', 'private networks'],
  ['172.31.255.255', 'private networks'],
  ['172.32.0.0', undefined],
  ['192.168.0.1', 'private networks'],
  ['100.64.0.1', 'shared carrier networks'],
  ['127.0.0.53', 'the machine itself'],
  ['169.254.169.254', 'one link'],
  ['198.18.0.1', 'benchmarks'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'later use'],
  ['::', 'this network'],
  ['::1', 'the machine itself'],
  ['fd00::1', 'private networks'],
  ['fe80::1', 'one link'],
  ['ff02::1', 'multicast'],
  ['::ffff:10.0.0.1', 'mapped IPv4 addresses'],
  ['1.1.1.1', undefined],
  ['2606:4700::1111', undefined],
  ['192.0.2.1', undefined],
  ['not an address', undefined],
])('%s', (address, purpose) => expect(reservedRange(address)).toBe(purpose));
