import { expect, test } from 'vitest';
import { recordChanges } from '../../../../../src/domain/report/record-changes.js';
import { addProvider } from '../../../../../src/domain/advice/find-provider.js';
import { diagnose } from '../../../../../src/domain/diagnose/diagnose.js';
import {
  conflictAddress,
  conflictCoexist,
  conflictHttpsRr,
  conflictMultipleCname,
  conflictOtherTypes,
} from '../../../../../src/domain/diagnose/rules/record/conflict.js';
import {
  chainOf,
  a,
  aaaa,
  lookupOf,
  buildAbsentServer,
  buildFacts,
  buildZone,
  NAME,
  TARGET_A,
  value,
  buildServer,
  caaRecord,
  cname,
  mx,
  refused,
  silent,
  buildApexFacts,
  buildApexServer,
  https,
  TARGET,
  ZONE,
  nodata,
  txt,
  TARGET_AAAA,
  WANTED,
} from '../../../facts-builder.js';
import { testRule } from '../../../rule-table.js';

const holding = (...addresses: ReturnType<typeof a>[]) => {
  const v4 = addresses.filter(({ data }) => data.type === 'A');
  const v6 = addresses.filter(({ data }) => data.type === 'AAAA');
  return buildAbsentServer(1, {
    ...(v4.length > 0 && { a: value(...v4) }),
    ...(v6.length > 0 && { aaaa: value(...v6) }),
  });
};
const old = holding(a(NAME, '192.0.2.99', 300), aaaa(NAME, '2001:db8::99'));

const cloudflare = buildZone({ ownHosts: ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'] });

/** Cloudflare makes A and HTTPS of a proxied CNAME: its panel has neither. */
const none = nodata();
const proxied = {
  servers: [
    buildServer(1, {
      cname: none,
      aaaa: none,
      mx: none,
      txt: none,
      a: value(a(NAME, '104.16.1.2', 300)),
      https: value(https(NAME, 1, '.', ['104.16.1.2'])),
    }),
  ],
  zone: { ...cloudflare, parentHosts: cloudflare.ownHosts },
};

test('nothing is removed of a proxied record', () => {
  const findings = diagnose(addProvider(buildFacts({ ...proxied, resolvers: [] })));
  expect(findings.map(({ id }) => id)).toEqual(['conflict.address', 'caa.ok']);
  expect(recordChanges(findings)).toEqual({ remove: [], add: [WANTED] });
});

testRule(conflictAddress, {
  'the target’s own address in upper case: conflict.address block': [
    { servers: [holding(aaaa('Shop.Example.com', TARGET_AAAA.toUpperCase()))] },
    'as fixed records',
  ],
  'A and AAAA of an old host: conflict.address block': [
    { servers: [old] },
    'Replace A 192.0.2.99 and AAAA 2001:db8::99 with CNAME shop -> cname.platform.test, TTL 3600',
    'dig +norecurse @192.0.2.1 shop.example.com A',
    'dig +norecurse @192.0.2.1 shop.example.com AAAA',
  ],
  'the target’s own addresses as fixed records: conflict.address block': [
    { servers: [holding(a(NAME, TARGET_A))] },
    'as fixed records',
    'block the CNAME',
  ],
  'the target’s own addresses, synthesised by the provider: conflict.address warn': [
    {
      servers: [
        buildAbsentServer(1, { a: value(a(NAME, TARGET_A, 60)), aRepeated: value(a(NAME, TARGET_A, 58)) }),
      ],
    },
    'This works',
  ],
  'a CNAME that Cloudflare proxies: conflict.address block': [
    { servers: [holding(a(NAME, '104.16.1.2', 300))], zone: cloudflare },
    'shop.example.com is proxied by Cloudflare: its addresses (A 104.16.1.2) hide the record.',
    'Change the record to CNAME shop -> cname.platform.test, TTL 3600 and to "DNS only" (grey cloud), in one edit.',
  ],
  'a CNAME that Cloudflare flattens: conflict.address block': [
    { servers: [holding(a(NAME, TARGET_A, 300))], zone: cloudflare },
    'Cloudflare also does this',
    'turn off "Flatten all CNAMEs"',
  ],
  'an address that URL forwarding may make: conflict.address block': [
    { servers: [holding(a(NAME, '192.0.2.99'))] },
    'If the panel shows URL forwarding instead, change its type to CNAME.',
  ],
  "a CDN's address at another provider: conflict.address block": [
    { servers: [holding(a(NAME, '104.16.1.2', 300))] },
    'They belong to the CDN Cloudflare.',
    'Replace A 104.16.1.2 with CNAME',
  ],
  'an unreachable address is record.reserved-address: nothing': { servers: [holding(a(NAME, '10.0.0.5'))] },
});

const ownCaa = {
  ...buildFacts().caa,
  steps: [{ name: NAME, lookup: lookupOf('CAA', value(caaRecord(NAME, 'issue', 'ca.test'))) }],
};

testRule(conflictCoexist, {
  'A and MX next to the CNAME: conflict.coexist block': [
    {
      servers: [buildServer(1, { a: value(a(NAME, '192.0.2.99')), mx: value(mx(NAME, 'mail.example.com')) })],
    },
    'has A 192.0.2.99 and MX 10 mail.example.com next to its CNAME',
    'keep the CNAME',
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
    'dig +norecurse @192.0.2.1 shop.example.com MX',
  ],
  'an address next to a CNAME to another host: without the address, visitors would go there: conflict.coexist block':
    [
      {
        servers: [
          buildServer(1, { cname: value(cname(NAME, 'old.example.net')), a: value(a(NAME, '192.0.2.99')) }),
        ],
        relatedNames: { chain: chainOf(NAME, 'old.example.net') },
      },
      'Replace A 192.0.2.99 and CNAME old.example.net with CNAME shop',
      'with CNAME shop -> cname.platform.test',
    ],
  'address queries fail at one server: conflict.coexist unknown': [
    { servers: [buildServer(1), buildServer(2, { a: refused('SERVFAIL'), aaaa: silent() })] },
    'Queries for A and AAAA of shop.example.com failed at ns2.example.net',
    'dig +norecurse @192.0.2.2 shop.example.com A',
    'dig +norecurse @192.0.2.2 shop.example.com AAAA',
  ],
  'the TXT query fails: conflict.coexist warn': [
    { servers: [buildServer(1, { txt: refused('REFUSED') })] },
    'Queries for TXT of',
  ],
  'queries for some types are dropped: nothing': {
    servers: [
      buildServer(1, { https: silent(), txt: silent() }),
      buildServer(2, { https: refused('NOTIMP') }),
    ],
  },
});

const having = (priority: number, target: string, hints: string[] = []) =>
  buildApexFacts({ servers: [buildApexServer(1, { https: value(https(ZONE, priority, target, hints)) })] });

testRule(conflictHttpsRr, {
  'an alias to another host: conflict.https-rr warn': [
    having(0, 'cdn.example.net'),
    'HTTPS 0 cdn.example.net',
    'dig +norecurse @192.0.2.1 example.com HTTPS',
  ],
  'an alias to the target: nothing': having(0, TARGET),
  'addresses that are not the target’s: conflict.https-rr warn': having(1, '', ['192.0.2.99']),
  'the target’s addresses: nothing': having(1, '', [TARGET_A]),
  'another host: conflict.https-rr warn': having(1, 'cdn.example.net'),
  'an alias to nowhere: conflict.https-rr warn': having(0, ''),
  'next to a CNAME it is removed anyway: nothing': {
    servers: [buildServer(1, { https: value(https(NAME, 0, 'cdn.example.net')) })],
  },
});

const pointing = (...targets: string[]) =>
  buildFacts({
    servers: [buildServer(1, { cname: value(...targets.map((target) => cname(NAME, target))) })],
  });

testRule(conflictMultipleCname, {
  'one of them is the target: conflict.multiple-cname block': [
    pointing('old.example.net', TARGET),
    'has 2 CNAME records',
    'Remove the CNAME to old.example.net. Keep the one to cname.platform.test',
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
  ],
  'the same CNAME twice counts once: nothing': pointing(TARGET, TARGET),
});

const srv = {
  name: NAME,
  ttl: 3600,
  data: { type: 'SRV', priority: 1, weight: 2, port: 443, target: 'host.example.net' },
} as const;
const mail = { mx: value(mx(NAME, 'mail.example.com')), txt: value(txt(NAME, 'v=spf1 -all')) };

testRule(conflictOtherTypes, {
  'the target as TXT: conflict.other-types block': [
    { servers: [buildAbsentServer(1, { txt: value(txt(NAME, `https://${TARGET}./`)) })] },
    'The target is right, but the type must be CNAME.',
    "Change the type of the record from TXT to CNAME: CNAME shop -> cname.platform.test, TTL 3600. If the type can't be changed",
  ],
  'the target as MX: conflict.other-types block': [
    { servers: [buildAbsentServer(1, { mx: value(mx(NAME, TARGET)) })] },
    'Change the type of the record from MX to CNAME',
  ],
  'the target as MX, and another TXT: conflict.other-types block': [
    {
      servers: [buildAbsentServer(1, { mx: value(mx(NAME, TARGET)), txt: value(txt(NAME, 'v=spf1 -all')) })],
    },
    'If shop.example.com receives mail or TXT is still needed, choose another subdomain for the service. Otherwise:',
  ],
  'mail at the name: conflict.other-types block': [
    { servers: [buildAbsentServer(1, mail)] },
    'has MX 10 mail.example.com and TXT "v=spf1 -all"',
    'If shop.example.com receives mail or TXT is still needed, choose another subdomain for the service.',
    'Otherwise: Replace MX 10 mail.example.com and TXT "v=spf1 -all" with CNAME shop',
    'dig +norecurse @192.0.2.1 shop.example.com MX',
  ],
  'the provider follows the alias itself, so mail may coexist: nothing': {
    servers: [
      buildAbsentServer(1, {
        ...mail,
        a: value(a(NAME, TARGET_A, 60)),
        aRepeated: value(a(NAME, TARGET_A, 58)),
      }),
    ],
  },
  'types queried at one server, and CAA: conflict.other-types block': [
    {
      servers: [buildAbsentServer(1)],
      relatedNames: { others: [lookupOf('SRV', value(srv)), lookupOf('SSHFP', nodata())] },
      caa: ownCaa,
    },
    'has SRV 1 2 443 host.example.net and CAA 0 issue "ca.test"',
    'dig +norecurse @192.0.2.1 shop.example.com SRV',
    'dig +norecurse @192.0.2.1 shop.example.com CAA',
  ],
});
