import { conflictAddress } from '../../../../src/domain/rules/record/conflict.js';
import {
  a,
  aaaa,
  lookupOf,
  buildAbsentServer,
  buildFacts,
  buildZone,
  NAME,
  TARGET_A,
  value,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const holding = (...addresses: ReturnType<typeof a>[]) => {
  const v4 = addresses.filter(({ data }) => data.type === 'A');
  const v6 = addresses.filter(({ data }) => data.type === 'AAAA');
  return buildAbsentServer(1, {
    ...(v4.length > 0 && { a: value(...v4) }),
    ...(v6.length > 0 && { aaaa: value(...v6) }),
  });
};
const old = holding(a(NAME, '192.0.2.99', 300), aaaa(NAME, '2001:db8::99'));

testRule(conflictAddress, [
  {
    name: 'A and AAAA of an old host',
    facts: buildFacts({ servers: [old] }),
    finds: ['conflict.address block'],
    says: ['Replace A 192.0.2.99 and AAAA 2001:db8::99 with CNAME shop -> cname.platform.test, TTL 3600'],
    shows: [
      'dig +norecurse @192.0.2.1 shop.example.com A',
      'dig +norecurse @192.0.2.1 shop.example.com AAAA',
    ],
  },
  {
    name: 'the target’s own addresses as fixed records',
    facts: buildFacts({ servers: [holding(a(NAME, TARGET_A))] }),
    finds: ['conflict.address block'],
    says: ['as fixed records', 'block the CNAME'],
  },
  {
    name: 'the target’s own addresses, synthesised by the provider',
    facts: buildFacts({
      servers: [
        buildAbsentServer(1, { a: value(a(NAME, TARGET_A, 60)), aRepeated: value(a(NAME, TARGET_A, 58)) }),
      ],
    }),
    finds: ['conflict.address warn'],
    says: ['This works'],
  },
  {
    name: 'a Cloudflare proxy',
    facts: buildFacts({
      servers: [old],
      zone: buildZone({ ownHosts: ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'] }),
    }),
    finds: ['conflict.address block'],
    says: ['DNS only'],
  },
  {
    name: 'a CNAME that Cloudflare proxies',
    facts: buildFacts({
      servers: [holding(a(NAME, '104.16.1.2', 300))],
      zone: buildZone({ ownHosts: ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'] }),
    }),
    finds: ['conflict.address block'],
    says: [
      'shop.example.com is proxied by Cloudflare: its addresses (A 104.16.1.2) hide the record.',
      'Set the record to "DNS only" (grey cloud), and check that it reads CNAME shop -> cname.platform.test, TTL 3600.',
    ],
  },
  {
    name: 'a CNAME that Cloudflare flattens',
    facts: buildFacts({
      servers: [holding(a(NAME, TARGET_A, 300))],
      zone: buildZone({ ownHosts: ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'] }),
    }),
    finds: ['conflict.address block'],
    says: ['Cloudflare also does this', 'turn off "Flatten all CNAMEs"'],
  },
  {
    name: "a CDN's address at another provider",
    facts: buildFacts({ servers: [holding(a(NAME, '104.16.1.2', 300))] }),
    finds: ['conflict.address block'],
    says: ['They belong to the CDN Cloudflare.', 'Replace A 104.16.1.2 with CNAME'],
  },
  {
    name: 'an unreachable address is record.reserved-address',
    facts: buildFacts({ servers: [holding(a(NAME, '10.0.0.5'))] }),
    finds: [],
  },
  {
    name: 'an address of a wildcard is record.missing',
    facts: buildFacts({
      servers: [holding(a(NAME, '192.0.2.99'))],
      relatedNames: {
        ...buildFacts().relatedNames,
        wildcard: {
          name: '*.example.com',
          lookup: lookupOf('A', value(a('x7.example.com', '192.0.2.99')), 'x7.shop.example.com'),
        },
      },
    }),
    finds: [],
  },
]);
