import { recordPartial } from '../../../../src/domain/rules/record/record-state.js';
import {
  buildAbsentServer,
  buildServer,
  buildUniformServer,
  buildZone,
  silent,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

testRule(recordPartial, [
  [
    'servers of the same serial disagree',
    { servers: [buildServer(1), buildAbsentServer(2)] },
    'record.partial wait',
    'ns1.example.net (192.0.2.1) has the record; ns2.example.net (192.0.2.2) does not',
    'dig +norecurse @192.0.2.2 shop.example.com CNAME',
  ],
  [
    'a secondary is behind',
    { servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })] },
    'record.partial wait',
  ],
  [
    'another provider’s zone never gets the record',
    {
      zone: buildZone({ ownHosts: ['ns1.example.net', 'ns3.example.net'] }),
      servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })],
    },
    'record.partial block',
    'do not get a copy of the record',
    'Remove ns2.example.net (192.0.2.2) from the name servers',
  ],
  [
    'a server that does not respond is not one without the record',
    { servers: [buildServer(1), buildUniformServer(2, silent())] },
    'nothing',
  ],
  ['none has it', { servers: [buildAbsentServer(1), buildAbsentServer(2)] }, 'nothing'],
]);
