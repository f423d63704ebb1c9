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
  [
    'the full name was entered and the zone appended',
    facts,
    'record.doubled-label block',
    'The record is at shop.example.com.example.com',
    'Your provider appends example.com to the name that you type.',
    'from shop.example.com to shop',
    'dig +norecurse @192.0.2.1 shop.example.com.example.com CNAME',
  ],
  [
    'a wildcard matches the control name too',
    { ...facts, relatedNames: { ...facts.relatedNames, doubledControl: doubled } },
    'nothing',
  ],
  ['the record is there too', { relatedNames: facts.relatedNames }, 'nothing'],
]);

testRule(recordMissing, [['a doubled label is not also reported as missing', facts, 'nothing']]);
