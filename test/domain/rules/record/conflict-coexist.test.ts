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
import { type RuleCase, testRule } from '../../rule-table.js';

testRule(conflictCoexist, [
  [
    'A and MX next to the CNAME',
    {
      servers: [buildServer(1, { a: value(a(NAME, '192.0.2.99')), mx: value(mx(NAME, 'mail.example.com')) })],
    },
    'conflict.coexist block',
    'has A 192.0.2.99 and MX 10 mail.example.com next to its CNAME',
    'keep the CNAME',
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
    'dig +norecurse @192.0.2.1 shop.example.com MX',
  ],
  [
    'an address next to a CNAME to another host: without the address, visitors would go there',
    {
      servers: [
        buildServer(1, { cname: value(cname(NAME, 'old.example.net')), a: value(a(NAME, '192.0.2.99')) }),
      ],
      relatedNames: { ...buildFacts().relatedNames, chain: [{ from: NAME, to: 'old.example.net', ttl: 60 }] },
    },
    'conflict.coexist block',
    'Replace A 192.0.2.99, CNAME old.example.net',
    'with CNAME shop -> cname.platform.test',
  ],
  [
    'CAA next to the CNAME',
    {
      caa: {
        ...buildFacts().caa,
        steps: [{ name: NAME, lookup: lookupOf('CAA', value(caaRecord(NAME, 'issue', 'ca.test'))) }],
      },
    },
    'conflict.coexist block',
    'has CAA 0 issue "ca.test" next to its CNAME',
    'dig +norecurse @192.0.2.1 shop.example.com CAA',
  ],
  [
    'address queries fail at one server',
    {
      servers: [buildServer(1), buildServer(2, { a: refused('SERVFAIL'), aaaa: silent() })],
    },
    'conflict.coexist unknown',
    'Queries for A and AAAA of shop.example.com failed at ns2.example.net',
    'dig +norecurse @192.0.2.2 shop.example.com A',
    'dig +norecurse @192.0.2.2 shop.example.com AAAA',
  ],
  ...(['mx', 'txt', 'https'] as const).map((type): RuleCase => [
    `the ${type} query fails`,
    { servers: [buildServer(1, { [type]: silent() })] },
    'conflict.coexist warn',
    `Queries for ${type.toUpperCase()} of`,
  ]),
  [
    'a conflict, and a failed query',
    {
      servers: [buildServer(1, { a: value(a(NAME, '192.0.2.99')), mx: refused('REFUSED') })],
    },
    'conflict.coexist block, conflict.coexist warn',
  ],
  ['no CNAME', { servers: [buildAbsentServer(1, { mx: silent() })] }, 'nothing'],
]);
