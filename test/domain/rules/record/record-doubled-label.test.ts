import { recordDoubledLabel, recordMissing } from '../../../../src/domain/rules/record/record-state.js';
import {
  lookupOf,
  buildAbsentServer,
  buildFacts,
  cname,
  NAME,
  nxdomain,
  TARGET,
  value,
  ZONE,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const doubledName = `${NAME}.${ZONE}`;
const doubled = lookupOf('CNAME', value(cname(doubledName, TARGET)), doubledName);
const facts = buildFacts({
  servers: [buildAbsentServer(1)],
  relatedNames: { doubled, doubledControl: lookupOf('CNAME', nxdomain()), chain: [] },
});

testRule(recordDoubledLabel, [
  {
    name: 'the full name was entered and the zone appended',
    facts,
    finds: ['record.doubled-label block'],
    says: [
      'The record is at shop.example.com.example.com',
      'Your provider appends example.com to the name that you type.',
      'from shop.example.com to shop',
    ],
    shows: ['dig +norecurse @192.0.2.1 shop.example.com.example.com CNAME'],
  },
  {
    name: 'a wildcard matches the control name too',
    facts: { ...facts, relatedNames: { ...facts.relatedNames, doubledControl: doubled } },
    finds: [],
  },
  { name: 'the record is there too', facts: buildFacts({ relatedNames: facts.relatedNames }), finds: [] },
]);

testRule(recordMissing, [{ name: 'a doubled label is not also reported as missing', facts, finds: [] }]);
