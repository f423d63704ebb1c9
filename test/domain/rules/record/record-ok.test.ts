import { recordOk } from '../../../../src/domain/rules/record/record-state.js';
import {
  a,
  buildAbsentServer,
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
    [
      'both servers have it',
      {},
      'record.ok info',
      'shop.example.com points to cname.platform.test',
      'dig +norecurse @192.0.2.1 shop.example.com CNAME',
    ],
    [
      'a server that does not respond is ignored',
      { servers: [buildServer(1), buildUniformServer(2, silent())] },
      'record.ok info',
    ],
    ['one lacks it', { servers: [buildServer(1), buildAbsentServer(2)] }, 'nothing'],
    ['no server responded', { servers: [buildUniformServer(1, refused('REFUSED'))] }, 'nothing'],
    [
      'the provider follows the alias itself',
      { servers: [buildAbsentServer(1, flattened)] },
      'record.ok info',
      'returns its addresses',
    ],
  ],
  ['record.ok'],
);
