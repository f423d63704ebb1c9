import { conflictCoexist } from '../../../src/domain/rules/conflict-coexist.js';
import { a, buildFacts, buildServer, mx, NAME, value } from '../facts-builder.js';
import { testRule } from '../rule-table.js';

testRule(conflictCoexist, [
  {
    name: 'an address and a mail exchanger beside the CNAME',
    facts: buildFacts({
      servers: [buildServer(1, { a: value(a(NAME, '192.0.2.99')), mx: value(mx(NAME, 'mail.example.com')) })],
    }),
    finds: ['conflict.coexist block'],
    says: ['has A and MX beside its CNAME', 'keep the CNAME'],
    shows: [
      'dig +norecurse @192.0.2.1 shop.example.com CNAME',
      'dig +norecurse @192.0.2.1 shop.example.com MX',
    ],
  },
]);
