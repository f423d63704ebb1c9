import { expect, test } from 'vitest';
import { dnsLines } from '../../../../src/cli/commands/mock/announce.js';

const URL = 'http://127.0.0.1:4010';
const DNS = { host: '127.0.0.1', port: 5353, addresses: ['127.0.0.1'], missingAddresses: [] };
const DNS_LINE =
  '# DNS: petstore domain verify shop.example.test --target cname.platform.test --no-certificate ' +
  '--resolver 127.0.0.1:5353 --authoritative-port 5353';

test('prints the DNS flags as shell comments, and the addresses that this machine does not have', () => {
  expect(dnsLines(URL, { dns: DNS, web: undefined })).toEqual([DNS_LINE]);
  expect(dnsLines(URL, { dns: { ...DNS, missingAddresses: ['127.0.0.2'] }, web: undefined })).toEqual([
    DNS_LINE,
    '# This machine does not have 127.0.0.2. The name servers there use 127.0.0.1 instead.',
  ]);
});

test('prints how to check the certificates', () => {
  const web = { host: '127.0.0.1', httpPort: 8080, httpsPort: 8443, authority: 'PEM' };
  expect(dnsLines(URL, { dns: DNS, web }).slice(1)).toEqual([
    '# Certificates: curl -so mock-ca.pem http://127.0.0.1:4010/__mock/ca.pem',
    '#   petstore domain cert shop.example.test --target cname.platform.test --resolver 127.0.0.1:5353 ' +
      '--authoritative-port 5353 --connect 127.0.0.1 --https-port 8443 --http-port 8080 --ca mock-ca.pem',
  ]);
});
