import { recordPartial } from '../../../../src/domain/rules/record/record-state.js';
import {
  buildAbsentServer,
  buildFacts,
  buildServer,
  buildUniformServer,
  buildZone,
  silent,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

testRule(recordPartial, [
  {
    name: 'servers of the same serial disagree',
    facts: buildFacts({ servers: [buildServer(1), buildAbsentServer(2)] }),
    finds: ['record.partial wait'],
    says: ['ns1.example.net (192.0.2.1) has the record; ns2.example.net (192.0.2.2) does not'],
    shows: ['dig +norecurse @192.0.2.2 shop.example.com CNAME'],
  },
  {
    name: 'a secondary is behind',
    facts: buildFacts({ servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })] }),
    finds: ['record.partial wait'],
  },
  {
    name: 'another provider’s zone never gets the record',
    facts: buildFacts({
      zone: buildZone({ ownHosts: ['ns1.example.net', 'ns3.example.net'] }),
      servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })],
    }),
    finds: ['record.partial block'],
    says: ['do not get a copy of the record', 'Remove ns2.example.net (192.0.2.2) from the name servers'],
  },
  {
    name: 'a server that does not respond is not one without the record',
    facts: buildFacts({ servers: [buildServer(1), buildUniformServer(2, silent())] }),
    finds: [],
  },
  {
    name: 'none has it',
    facts: buildFacts({ servers: [buildAbsentServer(1), buildAbsentServer(2)] }),
    finds: [],
  },
]);
