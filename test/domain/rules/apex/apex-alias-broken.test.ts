import { apexAliasBroken } from '../../../../src/domain/rules/apex/apex-record.js';
import { buildApexFacts, buildApexServer, buildUniformServer, refused, silent } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const broken = { a: refused('SERVFAIL'), aaaa: refused('SERVFAIL') };

testRule(apexAliasBroken, [
  {
    name: 'the zone is served, its addresses are not',
    facts: buildApexFacts({ servers: [buildApexServer(1, broken)] }),
    finds: ['apex.alias-broken block'],
    says: ['ns1.example.net (192.0.2.1) fails with SERVFAIL for A and AAAA', 'probably wrong'],
    shows: ['dig +norecurse @192.0.2.1 example.com A'],
  },
  {
    name: 'at one of two servers',
    facts: buildApexFacts({ servers: [buildApexServer(1), buildApexServer(2, broken)] }),
    finds: ['apex.alias-broken warn'],
  },
  {
    name: 'a server that fails for the zone too',
    facts: buildApexFacts({ servers: [buildUniformServer(1, refused('SERVFAIL'))] }),
    finds: [],
  },
  {
    name: 'a server that does not respond',
    facts: buildApexFacts({ servers: [buildApexServer(1, { a: silent() })] }),
    finds: [],
  },
]);
