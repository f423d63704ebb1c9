import {
  apexCname,
  apexMissing,
  apexAliasBroken,
  apexFamily,
} from '../../../../../src/domain/diagnose/rules/apex/apex-record.js';
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
} from '../../../facts-builder.js';
import { testRule } from '../../../rule-table.js';

testRule(apexCname, {
  'a CNAME at the apex, even to the target: apex.cname block': [
    buildApexFacts({ servers: [buildServer(1, {}, { name: ZONE })] }),
    'hides all other records',
    `ALIAS @ -> ${TARGET}`,
    'dig +norecurse @192.0.2.1 example.com CNAME',
  ],
});

const none = { a: nodata(), aaaa: nodata() };
const at = (host: string) => buildZone({ kind: 'apex', ownHosts: [host] });

testRule(apexMissing, {
  'no address: apex.missing block': [
    buildApexFacts({ servers: [buildApexServer(1, none)] }),
    'Add ALIAS @ -> cname.platform.test, TTL 3600.',
    'ANAME',
    'dig +norecurse @192.0.2.1 example.com A',
    'dig +norecurse @192.0.2.1 example.com AAAA',
  ],
  'at a provider with another name for it: apex.missing block': [
    buildApexFacts({ servers: [buildApexServer(1, none)], zone: at('amy.ns.cloudflare.com') }),
    'Cloudflare supports this (type CNAME in its panel)',
  ],
  'at a provider without it: apex.missing block': [
    buildApexFacts({ servers: [buildApexServer(1, none)], zone: at('ns1.vultr.com') }),
    'Vultr has no ALIAS or ANAME records',
    'add a CNAME for www.example.com',
    'also MX',
  ],
  'the query for one family fails: nothing': buildApexFacts({
    servers: [buildApexServer(1, { a: nodata(), aaaa: silent() })],
  }),
});

const broken = { a: refused('SERVFAIL'), aaaa: refused('SERVFAIL') };

testRule(apexAliasBroken, {
  'the zone is served, its addresses are not: apex.alias-broken block': [
    buildApexFacts({ servers: [buildApexServer(1, broken)] }),
    'ns1.example.net (192.0.2.1) fails with SERVFAIL for A and AAAA',
    'probably wrong',
    'dig +norecurse @192.0.2.1 example.com A',
  ],
  'at one of two servers: apex.alias-broken warn': buildApexFacts({
    servers: [buildApexServer(1), buildApexServer(2, broken)],
  }),
  'a server that fails for the zone too: nothing': buildApexFacts({
    servers: [buildUniformServer(1, refused('SERVFAIL'))],
  }),
  'a server that does not respond: nothing': buildApexFacts({
    servers: [buildApexServer(1, { a: silent() })],
  }),
});

/** Two name servers with the same responses. */
const serversWith = (answers: Parameters<typeof buildApexServer>[1]) => ({
  servers: [buildApexServer(1, answers), buildApexServer(2, answers)],
});

testRule(apexFamily, {
  'AAAA only: apex.ipv4-missing block': [
    buildApexFacts(serversWith({ a: nodata(), aRepeated: nodata() })),
    'has no IPv4 address (A), but cname.platform.test has',
    'replace AAAA with ALIAS @',
    'dig +norecurse @192.0.2.1 example.com A',
  ],
  'A only: apex.ipv6-missing warn': buildApexFacts(serversWith({ aaaa: nodata() })),
  'A only, as the target: nothing': buildApexFacts({
    ...serversWith({ aaaa: nodata() }),
    platform: { ...buildFacts().platform, aaaa: lookupOf('AAAA', nodata(), TARGET), addresses: [TARGET_A] },
  }),
  'a failed query shows nothing: nothing': buildApexFacts(serversWith({ aaaa: silent() })),
});
