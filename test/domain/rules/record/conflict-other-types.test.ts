import { conflictOtherTypes } from '../../../../src/domain/rules/record/conflict.js';
import {
  a,
  lookupOf,
  buildAbsentServer,
  buildFacts,
  caaRecord,
  mx,
  NAME,
  nodata,
  TARGET_A,
  txt,
  value,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const srv = {
  name: NAME,
  ttl: 3600,
  data: { type: 'SRV', priority: 1, weight: 2, port: 443, target: 'host.example.net' },
} as const;
const mail = { mx: value(mx(NAME, 'mail.example.com')), txt: value(txt(NAME, 'v=spf1 -all')) };

testRule(conflictOtherTypes, [
  [
    'mail at the name',
    { servers: [buildAbsentServer(1, mail)] },
    'conflict.other-types block',
    'has MX 10 mail.example.com and TXT "v=spf1 -all"',
    'If shop.example.com receives mail, choose another subdomain for the service: the MX must stay.',
    'Replace MX 10 mail.example.com and TXT "v=spf1 -all" with CNAME shop',
    'dig +norecurse @192.0.2.1 shop.example.com MX',
  ],
  [
    'an address too: one change replaces all, because a CNAME fits beside none of them',
    { servers: [buildAbsentServer(1, { ...mail, a: value(a(NAME, '192.0.2.99')) })] },
    'conflict.other-types block',
    'Replace A 192.0.2.99, MX 10 mail.example.com and TXT',
  ],
  [
    'the provider follows the alias itself, so mail may coexist',
    {
      servers: [
        buildAbsentServer(1, {
          ...mail,
          a: value(a(NAME, TARGET_A, 60)),
          aRepeated: value(a(NAME, TARGET_A, 58)),
        }),
      ],
    },
    'nothing',
  ],
  [
    'types queried at one server, and CAA',
    {
      servers: [buildAbsentServer(1)],
      relatedNames: {
        ...buildFacts().relatedNames,
        others: [lookupOf('SRV', value(srv)), lookupOf('SSHFP', nodata())],
      },
      caa: {
        ...buildFacts().caa,
        steps: [{ name: NAME, lookup: lookupOf('CAA', value(caaRecord(NAME, 'issue', 'ca.test'))) }],
      },
    },
    'conflict.other-types block',
    'has SRV 1 2 443 host.example.net and CAA 0 issue "ca.test"',
    'dig +norecurse @192.0.2.1 shop.example.com SRV',
    'dig +norecurse @192.0.2.1 shop.example.com CAA',
  ],
  [
    'mail of a wildcard: the CNAME takes precedence',
    {
      servers: [buildAbsentServer(1, mail)],
      relatedNames: {
        ...buildFacts().relatedNames,
        wildcard: {
          name: '*.example.com',
          lookup: lookupOf('MX', value(mx('x7.shop.example.com', 'mail.example.com')), 'x7.shop.example.com'),
        },
      },
    },
    'nothing',
  ],
]);
