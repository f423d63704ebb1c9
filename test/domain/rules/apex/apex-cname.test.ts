import { apexCname } from '../../../../src/domain/rules/apex/apex-record.js';
import { buildApexFacts, buildServer, TARGET, ZONE } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

testRule(apexCname, [
  {
    name: 'a CNAME at the apex, even to the target',
    facts: buildApexFacts({ servers: [buildServer(1, {}, { name: ZONE })] }),
    finds: ['apex.cname block'],
    says: ['hides all other records', `ALIAS @ -> ${TARGET}`],
    shows: ['dig +norecurse @192.0.2.1 example.com CNAME'],
  },
]);
