import { recordMissing } from '../../../src/domain/rules/record-missing.js';
import {
  buildAbsentServer,
  buildFacts,
  buildServer,
  buildUniformServer,
  nodata,
  silent,
} from '../facts-builder.js';
import { testRule } from '../rule-table.js';

const none = nodata();

testRule(recordMissing, [
  {
    name: 'the name does not exist',
    facts: buildFacts({ servers: [buildAbsentServer(1), buildAbsentServer(2)] }),
    finds: ['record.missing block'],
    says: ['Waiting will not help until it exists', 'Add CNAME shop -> cname.platform.test, TTL 3600.'],
    shows: [
      'dig +norecurse @192.0.2.1 shop.example.com CNAME',
      'dig +norecurse @192.0.2.2 shop.example.com CNAME',
    ],
  },
  {
    name: 'the name exists without these types',
    facts: buildFacts({ servers: [buildAbsentServer(1, { cname: none, a: none, aaaa: none })] }),
    finds: ['record.missing block'],
  },
  {
    name: 'the newest copy lacks it, an older one still has it',
    facts: buildFacts({ servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 11 })] }),
    finds: ['record.missing block'],
  },
  {
    name: 'silence is not absence',
    facts: buildFacts({ servers: [buildUniformServer(1, silent()), buildUniformServer(2, silent())] }),
    finds: [],
  },
  {
    name: 'addresses that could not be asked for are not absent',
    facts: buildFacts({ servers: [buildAbsentServer(1, { a: silent() })] }),
    finds: [],
  },
  {
    name: 'an older copy that lacks it is no missing record',
    facts: buildFacts({ servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })] }),
    finds: [],
  },
]);
