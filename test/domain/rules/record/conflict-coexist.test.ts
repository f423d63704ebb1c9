import { conflictCoexist } from '../../../../src/domain/rules/record/conflict-coexist.js';
import {
  a,
  ask,
  buildAbsentServer,
  buildFacts,
  buildServer,
  caaRecord,
  mx,
  NAME,
  refused,
  silent,
  value,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

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
  {
    name: 'CAA beside the CNAME',
    facts: buildFacts({
      caa: {
        ...buildFacts().caa,
        steps: [{ name: NAME, lookup: ask('CAA', value(caaRecord(NAME, 'issue', 'ca.test'))) }],
      },
    }),
    finds: ['conflict.coexist block'],
    says: ['has CAA beside its CNAME'],
    shows: ['dig +norecurse @192.0.2.1 shop.example.com CAA'],
  },
  {
    name: 'addresses that a server can’t be asked for beside the CNAME',
    facts: buildFacts({
      servers: [buildServer(1), buildServer(2, { a: refused('SERVFAIL'), aaaa: silent() })],
    }),
    finds: ['conflict.coexist unknown'],
    says: ['ns2.example.net (192.0.2.2) could not be asked for A and AAAA beside the CNAME', 'not known'],
    shows: [
      'dig +norecurse @192.0.2.2 shop.example.com A',
      'dig +norecurse @192.0.2.2 shop.example.com AAAA',
    ],
  },
  ...(['mx', 'txt', 'https'] as const).map((type) => ({
    name: `${type} that can’t be asked for beside the CNAME`,
    facts: buildFacts({ servers: [buildServer(1, { [type]: silent() })] }),
    finds: ['conflict.coexist warn'],
    says: [`could not be asked for ${type.toUpperCase()} beside`],
  })),
  {
    name: 'a conflict, and more that is not known',
    facts: buildFacts({
      servers: [buildServer(1, { a: value(a(NAME, '192.0.2.99')), mx: refused('REFUSED') })],
    }),
    finds: ['conflict.coexist block', 'conflict.coexist warn'],
  },
  {
    name: 'no CNAME to be beside of',
    facts: buildFacts({ servers: [buildAbsentServer(1, { mx: silent() })] }),
    finds: [],
  },
]);
