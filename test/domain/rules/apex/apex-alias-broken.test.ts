import { apexAliasBroken } from '../../../../src/domain/rules/apex/apex-record.js';
import { buildApexFacts, buildApexServer, buildUniformServer, refused, silent } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const broken = { a: refused('SERVFAIL'), aaaa: refused('SERVFAIL') };

testRule(apexAliasBroken, [
  [
    'the zone is served, its addresses are not',
    buildApexFacts({ servers: [buildApexServer(1, broken)] }),
    'apex.alias-broken block',
    'ns1.example.net (192.0.2.1) fails with SERVFAIL for A and AAAA',
    'probably wrong',
    'dig +norecurse @192.0.2.1 example.com A',
  ],
  [
    'at one of two servers',
    buildApexFacts({ servers: [buildApexServer(1), buildApexServer(2, broken)] }),
    'apex.alias-broken warn',
  ],
  [
    'a server that fails for the zone too',
    buildApexFacts({ servers: [buildUniformServer(1, refused('SERVFAIL'))] }),
    'nothing',
  ],
  [
    'a server that does not respond',
    buildApexFacts({ servers: [buildApexServer(1, { a: silent() })] }),
    'nothing',
  ],
]);
