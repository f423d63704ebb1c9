import {
  zoneNoDelegation,
  zoneNotRegistered,
  zoneOnHold,
} from '../../../../../src/domain/diagnose/rules/zone/zone-delegation.js';
import {
  buildAbsentServer,
  buildZone,
  lookupOf,
  nodata,
  nxdomain,
  silent,
  ZONE,
} from '../../../facts-builder.js';
import { testRule } from '../../../rule-table.js';
import type { Lookup } from '../../../../../src/domain/gather/facts/lookup.js';
import { respond } from '../../../fake-dns.js';

testRule(zoneNoDelegation, {
  'registered, without name servers: zone.no-delegation block': [
    {
      servers: [],
      zone: buildZone({ delegation: lookupOf('NS', nodata(), ZONE), parentHosts: [], ownHosts: [] }),
    },
    'has no name servers',
  ],
  'no name server has an address: zone.no-delegation block': [
    { servers: [], zone: buildZone({ unresolvedHosts: ['ns1.example.net', 'ns2.example.net'] }) },
    'ns1.example.net and ns2.example.net',
    'At your registrar',
    'dig ns2.example.net A',
  ],
  'a name that was delegated by mistake: zone.no-delegation block': [
    {
      servers: [],
      domain: { input: 'ns.example.com', ascii: 'ns.example.com', unicode: 'ns.example.com' },
      zone: buildZone({
        name: 'ns.example.com',
        kind: 'apex',
        parentHosts: ['ns9.elsewhere.test'],
        ownHosts: [],
        unresolvedHosts: ['ns9.elsewhere.test'],
        cut: { parentZone: ZONE, referral: lookupOf('SOA', nodata(), 'ns.example.com') },
      }),
    },
    'None of the name servers of ns.example.com has an address: ns9.elsewhere.test.',
    'If ns.example.com is a zone of its own, enter its name servers in the zone example.com. Otherwise: Remove the NS records of ns',
    'dig +norecurse @192.0.2.1 ns.example.com NS',
    'dig ns9.elsewhere.test A',
  ],
  'one of two name servers has an address: nothing': {
    servers: [],
    zone: buildZone({ unresolvedHosts: ['ns2.example.net'] }),
  },
});

const rootSoa = { type: 'SOA', primary: 'a.root.test', serial: 1, refresh: 1800, minimum: 86_400 } as const;
const deniedByRoot = (): Lookup => {
  const lookup = lookupOf('NS', nxdomain(), 'example.nosuch');
  const exchange = respond({ rcode: 'NXDOMAIN', authority: [{ name: '.', ttl: 86_400, data: rootSoa }] });
  return { ...lookup, exchange };
};

testRule(zoneNotRegistered, {
  'the top-level domain does not exist: zone.not-registered block': [
    { servers: [], zone: buildZone({ delegation: deniedByRoot(), registrable: 'example.nosuch' }) },
    "The top-level domain .nosuch does not exist, so example.nosuch can't exist.",
    'Check the spelling of the ending .nosuch.',
  ],
  'the parent does not know the name: zone.not-registered block': [
    { servers: [], zone: buildZone({ delegation: lookupOf('NS', nxdomain(), ZONE) }) },
    'example.com is not registered',
    'paid for',
    'dig +norecurse @192.0.2.1 example.com NS',
  ],
  'the parent does not respond: nothing': {
    servers: [],
    zone: buildZone({ delegation: lookupOf('NS', silent(), ZONE) }),
  },
});

const at = (...hosts: string[]) => buildZone({ parentHosts: hosts, ownHosts: hosts });
const servers = [buildAbsentServer(1)];

testRule(zoneOnHold, {
  'the registrar holds the domain: zone.not-registered block': [
    { servers, zone: at('ns1.renewyourdomain.net', 'ns2.renewyourdomain.net') },
    'The registration of example.com has probably expired or is suspended.',
    'Renew or reactivate it first',
    'dig +norecurse @192.0.2.1 example.com NS',
  ],
  'the contact details are not confirmed: zone.not-registered block': {
    servers,
    zone: at('failed-whois-verification.namecheap.com', 'verify-contact-details.namecheap.com'),
  },
  'nothing is known of the servers: zone.not-registered warn': {
    servers: [],
    zone: at('expirens3.hichina.com', 'expirens4.hichina.com'),
  },
  'a parking service: zone.no-delegation block': [
    { servers, zone: at('ns1.sedoparking.com', 'ns2.sedoparking.com') },
    'belong to Sedo, which parks domains (as of 2022-10-24)',
    'renew or reactivate it first. Otherwise, enter the name servers of your DNS provider',
  ],
  'the record is right there: nothing': { zone: at('ns1.sedoparking.com', 'ns2.sedoparking.com') },
  'only one of two names says so: nothing': {
    servers,
    zone: at('ns1.renewyourdomain.net', 'ns1.example.net'),
  },
  'names that only begin with such words: nothing': {
    servers,
    zone: at('ns1.suspenders.com', 'ns1.renewyourhome.com', 'ns1.unexpired.com', 'ns1.contact-details.com'),
  },
  'the parent lists other servers: nothing': {
    servers,
    zone: buildZone({ parentHosts: ['ns1.example.net'], ownHosts: ['ns1.renewyourdomain.net'] }),
  },
  'a domain with such a word, and its own servers: nothing': {
    servers,
    zone: { ...at('ns1.suspended.com', 'ns2.suspended.com'), name: 'suspended.com' },
  },
});
