import {
  apexCname,
  apexMissing,
  apexAliasBroken,
  apexFamily,
} from '../../../../src/domain/rules/apex/apex-record.js';
import {
  buildApexFacts,
  buildServer,
  TARGET,
  ZONE,
  buildApexServer,
  buildZone,
  nodata,
  silent,
  buildUniformServer,
  refused,
  buildFacts,
  lookupOf,
  TARGET_A,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

testRule(apexCname, [
  [
    'a CNAME at the apex, even to the target',
    buildApexFacts({ servers: [buildServer(1, {}, { name: ZONE })] }),
    'apex.cname block',
    'hides all other records',
    `ALIAS @ -> ${TARGET}`,
    'dig +norecurse @192.0.2.1 example.com CNAME',
  ],
]);

const none = { a: nodata(), aaaa: nodata() };
const at = (host: string) => buildZone({ kind: 'apex', ownHosts: [host] });

testRule(apexMissing, [
  [
    'no address',
    buildApexFacts({ servers: [buildApexServer(1, none)] }),
    'apex.missing block',
    'Add ALIAS @ -> cname.platform.test, TTL 3600.',
    'ANAME',
    'dig +norecurse @192.0.2.1 example.com A',
    'dig +norecurse @192.0.2.1 example.com AAAA',
  ],
  [
    'at a provider with another name for it',
    buildApexFacts({ servers: [buildApexServer(1, none)], zone: at('amy.ns.cloudflare.com') }),
    'apex.missing block',
    'Cloudflare supports this (type CNAME in its panel)',
  ],
  [
    'at a provider without it',
    buildApexFacts({ servers: [buildApexServer(1, none)], zone: at('ns1.vultr.com') }),
    'apex.missing block',
    'Vultr has no ALIAS or ANAME records',
    'add a CNAME for www.example.com',
    'mail (MX, SPF, DKIM, DMARC)',
  ],
  [
    'the query for one family fails',
    buildApexFacts({ servers: [buildApexServer(1, { a: nodata(), aaaa: silent() })] }),
    'nothing',
  ],
]);

const broken = { a: refused('SERVFAIL'), aaaa: refused('SERVFAIL') };

testRule(apexAliasBroken, [
  [
    'the zone is served, its addresses are not',
    buildApexFacts({ servers: [buildApexServer(1, broken)] }),
    'apex.alias-broken block',
    'ns1.example.net (192.0.2.1) fails with SERVFAIL for A and AAAA',
    'probably wrong',
    'dig +norecurse @192.0.2.1 example.com A',
  ],
  [
    'at one of two servers',
    buildApexFacts({ servers: [buildApexServer(1), buildApexServer(2, broken)] }),
    'apex.alias-broken warn',
  ],
  [
    'a server that fails for the zone too',
    buildApexFacts({ servers: [buildUniformServer(1, refused('SERVFAIL'))] }),
    'nothing',
  ],
  [
    'a server that does not respond',
    buildApexFacts({ servers: [buildApexServer(1, { a: silent() })] }),
    'nothing',
  ],
]);

/** Two name servers with the same responses. */
const serversWith = (answers: Parameters<typeof buildApexServer>[1]) => ({
  servers: [buildApexServer(1, answers), buildApexServer(2, answers)],
});

testRule(apexFamily, [
  [
    'AAAA only',
    buildApexFacts(serversWith({ a: nodata(), aRepeated: nodata() })),
    'apex.ipv4-missing block',
    'has no IPv4 address (A), but cname.platform.test has',
    'Replace AAAA 2001:db8::10 with ALIAS @',
    'dig +norecurse @192.0.2.1 example.com A',
  ],
  ['A only', buildApexFacts(serversWith({ aaaa: nodata() })), 'apex.ipv6-missing warn'],
  [
    'A only, as the target',
    buildApexFacts({
      ...serversWith({ aaaa: nodata() }),
      platform: { ...buildFacts().platform, aaaa: lookupOf('AAAA', nodata(), TARGET), addresses: [TARGET_A] },
    }),
    'nothing',
  ],
  ['a failed query shows nothing', buildApexFacts(serversWith({ aaaa: silent() })), 'nothing'],
]);
