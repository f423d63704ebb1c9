import { expect, test } from 'vitest';
import * as entryPoint from '../../src/domain/index.js';

test('the entry point exports these names', () => {
  expect(Object.keys(entryPoint).sort()).toEqual([
    'CERTIFICATE_DUE_MS',
    'addressesOf',
    'checkCertificate',
    'checkDomain',
    'checkDomains',
    'checkRedirects',
    'createDnsClient',
    'exitCodeOf',
    'expectedRecords',
    'nextDelay',
    'parseDomainName',
    'planRecords',
    'recordChanges',
    'todoLines',
    'watchDomain',
    'watchDomains',
    'zoneFile',
  ]);
});
