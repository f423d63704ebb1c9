import { apexAliasBroken } from '../../../../src/domain/rules/apex/apex-alias-broken.js';
import { buildApexFacts, buildApexServer, buildUniformServer, refused, silent } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const broken = { a: refused('SERVFAIL'), aaaa: refused('SERVFAIL') };

testRule(apexAliasBroken, [
  {
    name: 'the zone is there, its addresses are not',
    facts: buildApexFacts({ servers: [buildApexServer(1, broken)] }),
    finds: ['apex.alias-broken block'],
    says: ['ns1.example.net (192.0.2.1) answers SERVFAIL for A', "target can't be resolved"],
    shows: ['dig +norecurse @192.0.2.1 example.com A'],
  },
  {
    name: 'at one of two servers',
    facts: buildApexFacts({ servers: [buildApexServer(1), buildApexServer(2, broken)] }),
    finds: ['apex.alias-broken warn'],
  },
  {
    name: 'a server that fails altogether',
    facts: buildApexFacts({ servers: [buildUniformServer(1, refused('SERVFAIL'))] }),
    finds: [],
  },
  {
    name: 'a silent one',
    facts: buildApexFacts({ servers: [buildApexServer(1, { a: silent() })] }),
    finds: [],
  },
]);
