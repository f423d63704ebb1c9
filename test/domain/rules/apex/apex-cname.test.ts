import { apexCname } from '../../../../src/domain/rules/apex/apex-record.js';
import { buildApexFacts, buildServer, TARGET, ZONE } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

testRule(apexCname, [
  [
    'a CNAME at the apex, even to the target',
    buildApexFacts({ servers: [buildServer(1, {}, { name: ZONE })] }),
    'apex.cname block',
    'hides all other records',
    `ALIAS @ -> ${TARGET}`,
    'dig +norecurse @192.0.2.1 example.com CNAME',
  ],
]);
