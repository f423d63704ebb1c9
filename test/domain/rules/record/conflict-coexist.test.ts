import { conflictCoexist } from '../../../../src/domain/rules/record/conflict.js';
import {
  a,
  lookupOf,
  buildAbsentServer,
  buildFacts,
  buildServer,
  caaRecord,
  cname,
  mx,
  NAME,
  refused,
  silent,
  value,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

testRule(conflictCoexist, [
  {
    name: 'A and MX next to the CNAME',
    facts: buildFacts({
      servers: [buildServer(1, { a: value(a(NAME, '192.0.2.99')), mx: value(mx(NAME, 'mail.example.com')) })],
    }),
    finds: ['conflict.coexist block'],
    says: ['has A 192.0.2.99 and MX 10 mail.example.com next to its CNAME', 'keep the CNAME'],
    shows: [
      'dig +norecurse @192.0.2.1 shop.example.com CNAME',
      'dig +norecurse @192.0.2.1 shop.example.com MX',
    ],
  },
  {
    name: 'an address next to a CNAME to another host: without the address, visitors would go there',
    facts: buildFacts({
      servers: [
        buildServer(1, { cname: value(cname(NAME, 'old.example.net')), a: value(a(NAME, '192.0.2.99')) }),
      ],
      relatedNames: { ...buildFacts().relatedNames, chain: [{ from: NAME, to: 'old.example.net', ttl: 60 }] },
    }),
    finds: ['conflict.coexist block'],
    says: ['Replace A 192.0.2.99, CNAME old.example.net', 'with CNAME shop -> cname.platform.test'],
  },
  {
    name: 'CAA next to the CNAME',
    facts: buildFacts({
      caa: {
        ...buildFacts().caa,
        steps: [{ name: NAME, lookup: lookupOf('CAA', value(caaRecord(NAME, 'issue', 'ca.test'))) }],
      },
    }),
    finds: ['conflict.coexist block'],
    says: ['has CAA 0 issue "ca.test" next to its CNAME'],
    shows: ['dig +norecurse @192.0.2.1 shop.example.com CAA'],
  },
  {
    name: 'address queries fail at one server',
    facts: buildFacts({
      servers: [buildServer(1), buildServer(2, { a: refused('SERVFAIL'), aaaa: silent() })],
    }),
    finds: ['conflict.coexist unknown'],
    says: ['Queries for A and AAAA of shop.example.com failed at ns2.example.net'],
    shows: [
      'dig +norecurse @192.0.2.2 shop.example.com A',
      'dig +norecurse @192.0.2.2 shop.example.com AAAA',
    ],
  },
  ...(['mx', 'txt', 'https'] as const).map((type) => ({
    name: `the ${type} query fails`,
    facts: buildFacts({ servers: [buildServer(1, { [type]: silent() })] }),
    finds: ['conflict.coexist warn'],
    says: [`Queries for ${type.toUpperCase()} of`],
  })),
  {
    name: 'a conflict, and a failed query',
    facts: buildFacts({
      servers: [buildServer(1, { a: value(a(NAME, '192.0.2.99')), mx: refused('REFUSED') })],
    }),
    finds: ['conflict.coexist block', 'conflict.coexist warn'],
  },
  {
    name: 'no CNAME',
    facts: buildFacts({ servers: [buildAbsentServer(1, { mx: silent() })] }),
    finds: [],
  },
]);
