import { apexFamily } from '../../../../src/domain/rules/apex/apex-record.js';
import {
  buildApexFacts,
  buildApexServer,
  buildFacts,
  lookupOf,
  nodata,
  silent,
  TARGET,
  TARGET_A,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

/** Two name servers with the same responses. */
const serversWith = (answers: Parameters<typeof buildApexServer>[1]) => ({
  servers: [buildApexServer(1, answers), buildApexServer(2, answers)],
});

testRule(apexFamily, [
  [
    'AAAA only',
    buildApexFacts(serversWith({ a: nodata(), aRepeated: nodata() })),
    'apex.ipv4-missing block',
    'has no IPv4 address (A), but cname.platform.test has',
    'Replace AAAA 2001:db8::10 with ALIAS @',
    'dig +norecurse @192.0.2.1 example.com A',
  ],
  ['A only', buildApexFacts(serversWith({ aaaa: nodata() })), 'apex.ipv6-missing warn'],
  [
    'A only, as the target',
    buildApexFacts({
      ...serversWith({ aaaa: nodata() }),
      platform: { ...buildFacts().platform, aaaa: lookupOf('AAAA', nodata(), TARGET), addresses: [TARGET_A] },
    }),
    'nothing',
  ],
  ['a failed query shows nothing', buildApexFacts(serversWith({ aaaa: silent() })), 'nothing'],
]);
