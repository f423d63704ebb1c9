import { expect, test } from 'vitest';
import * as door from '../../src/domain/index.js';

test('the door offers the checks, what they are made of, and nothing else', () => {
  expect(Object.keys(door).sort()).toEqual([
    'CERTIFICATE_DUE_MS',
    'addressesOf',
    'checkDomain',
    'checkDomains',
    'checkRedirects',
    'createDnsClient',
    'createProbes',
    'exitCodeOf',
    'expectedRecords',
    'nextDelay',
    'parseDomainName',
    'planRecords',
    'terraform',
    'watchDomain',
    'watchDomains',
    'zoneFile',
  ]);
});
