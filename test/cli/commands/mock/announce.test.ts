import { expect, test } from 'vitest';
import { dnsLines } from '../../../../src/cli/commands/mock/announce.js';

test('prints the DNS flags as shell comments, and the addresses that this machine does not have', () => {
  const address = { host: '127.0.0.1', port: 5353, addresses: ['127.0.0.1'] };
  expect(dnsLines({ ...address, missingAddresses: [] })).toEqual([
    '# DNS: petstore domain verify shop.example.test --target cname.platform.test --no-certificate ' +
      '--resolver 127.0.0.1:5353 --authoritative-port 5353',
  ]);
  expect(dnsLines({ ...address, missingAddresses: ['127.0.0.2'] })[1]).toBe(
    '# This machine does not have 127.0.0.2. The name servers there use 127.0.0.1 instead.',
  );
});
