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
  {
    name: 'mail at the name',
    facts: buildFacts({ servers: [buildAbsentServer(1, mail)] }),
    finds: ['conflict.other-types block'],
    says: [
      'has MX 10 mail.example.com and TXT "v=spf1 -all"',
      'If shop.example.com receives mail, choose another subdomain for the service: the MX must stay.',
      'Replace MX 10 mail.example.com and TXT "v=spf1 -all" with CNAME shop',
    ],
    shows: ['dig +norecurse @192.0.2.1 shop.example.com MX'],
  },
  {
    name: 'an address too: one change replaces all, because a CNAME fits beside none of them',
    facts: buildFacts({ servers: [buildAbsentServer(1, { ...mail, a: value(a(NAME, '192.0.2.99')) })] }),
    finds: ['conflict.other-types block'],
    says: ['Replace A 192.0.2.99, MX 10 mail.example.com and TXT'],
  },
  {
    name: 'the provider follows the alias itself, so mail may coexist',
    facts: buildFacts({
      servers: [
        buildAbsentServer(1, {
          ...mail,
          a: value(a(NAME, TARGET_A, 60)),
          aRepeated: value(a(NAME, TARGET_A, 58)),
        }),
      ],
    }),
    finds: [],
  },
  {
    name: 'types queried at one server, and CAA',
    facts: buildFacts({
      servers: [buildAbsentServer(1)],
      relatedNames: {
        ...buildFacts().relatedNames,
        others: [lookupOf('SRV', value(srv)), lookupOf('SSHFP', nodata())],
      },
      caa: {
        ...buildFacts().caa,
        steps: [{ name: NAME, lookup: lookupOf('CAA', value(caaRecord(NAME, 'issue', 'ca.test'))) }],
      },
    }),
    finds: ['conflict.other-types block'],
    says: ['has SRV 1 2 443 host.example.net and CAA 0 issue "ca.test"'],
    shows: [
      'dig +norecurse @192.0.2.1 shop.example.com SRV',
      'dig +norecurse @192.0.2.1 shop.example.com CAA',
    ],
  },
  {
    name: 'mail of a wildcard: the CNAME takes precedence',
    facts: buildFacts({
      servers: [buildAbsentServer(1, mail)],
      relatedNames: {
        ...buildFacts().relatedNames,
        wildcard: {
          name: '*.example.com',
          lookup: lookupOf('MX', value(mx('x7.shop.example.com', 'mail.example.com')), 'x7.shop.example.com'),
        },
      },
    }),
    finds: [],
  },
]);
