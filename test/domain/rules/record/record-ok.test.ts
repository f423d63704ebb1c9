import { recordOk } from '../../../../src/domain/rules/record/record-state.js';
import {
  a,
  buildAbsentServer,
  buildFacts,
  buildServer,
  buildUniformServer,
  NAME,
  refused,
  silent,
  TARGET_A,
  value,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const flattened = { a: value(a(NAME, TARGET_A, 60)), aRepeated: value(a(NAME, TARGET_A, 57)) };

testRule(
  recordOk,
  [
    {
      name: 'both servers have it',
      facts: buildFacts(),
      finds: ['record.ok info'],
      says: ['shop.example.com points to cname.platform.test'],
      shows: ['dig +norecurse @192.0.2.1 shop.example.com CNAME'],
    },
    {
      name: 'a server that does not respond is ignored',
      facts: buildFacts({ servers: [buildServer(1), buildUniformServer(2, silent())] }),
      finds: ['record.ok info'],
    },
    {
      name: 'one lacks it',
      facts: buildFacts({ servers: [buildServer(1), buildAbsentServer(2)] }),
      finds: [],
    },
    {
      name: 'no server responded',
      facts: buildFacts({ servers: [buildUniformServer(1, refused('REFUSED'))] }),
      finds: [],
    },
    {
      name: 'the provider follows the alias itself',
      facts: buildFacts({ servers: [buildAbsentServer(1, flattened)] }),
      finds: ['record.ok info'],
      says: ['returns its addresses'],
    },
  ],
  ['record.ok'],
);
