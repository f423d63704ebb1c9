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
  [
    'A and AAAA of an old host',
    { servers: [old] },
    'conflict.address block',
    'Replace A 192.0.2.99 and AAAA 2001:db8::99 with CNAME shop -> cname.platform.test, TTL 3600',
    'dig +norecurse @192.0.2.1 shop.example.com A',
    'dig +norecurse @192.0.2.1 shop.example.com AAAA',
  ],
  [
    'the target’s own addresses as fixed records',
    { servers: [holding(a(NAME, TARGET_A))] },
    'conflict.address block',
    'as fixed records',
    'block the CNAME',
  ],
  [
    'the target’s own addresses, synthesised by the provider',
    {
      servers: [
        buildAbsentServer(1, { a: value(a(NAME, TARGET_A, 60)), aRepeated: value(a(NAME, TARGET_A, 58)) }),
      ],
    },
    'conflict.address warn',
    'This works',
  ],
  [
    'a Cloudflare proxy',
    {
      servers: [old],
      zone: buildZone({ ownHosts: ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'] }),
    },
    'conflict.address block',
    'DNS only',
  ],
  [
    'a CNAME that Cloudflare proxies',
    {
      servers: [holding(a(NAME, '104.16.1.2', 300))],
      zone: buildZone({ ownHosts: ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'] }),
    },
    'conflict.address block',
    'shop.example.com is proxied by Cloudflare: its addresses (A 104.16.1.2) hide the record.',
    'Set the record to "DNS only" (grey cloud), and check that it reads CNAME shop -> cname.platform.test, TTL 3600.',
  ],
  [
    'a CNAME that Cloudflare flattens',
    {
      servers: [holding(a(NAME, TARGET_A, 300))],
      zone: buildZone({ ownHosts: ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'] }),
    },
    'conflict.address block',
    'Cloudflare also does this',
    'turn off "Flatten all CNAMEs"',
  ],
  [
    "a CDN's address at another provider",
    { servers: [holding(a(NAME, '104.16.1.2', 300))] },
    'conflict.address block',
    'They belong to the CDN Cloudflare.',
    'Replace A 104.16.1.2 with CNAME',
  ],
  [
    'an unreachable address is record.reserved-address',
    { servers: [holding(a(NAME, '10.0.0.5'))] },
    'nothing',
  ],
  [
    'an address of a wildcard is record.missing',
    {
      servers: [holding(a(NAME, '192.0.2.99'))],
      relatedNames: {
        ...buildFacts().relatedNames,
        wildcard: {
          name: '*.example.com',
          lookup: lookupOf('A', value(a('x7.example.com', '192.0.2.99')), 'x7.shop.example.com'),
        },
      },
    },
    'nothing',
  ],
]);
