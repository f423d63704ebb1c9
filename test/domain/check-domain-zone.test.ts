import { RIGHT, SHOP, testChecks, tld } from './checked-domain.js';
import { respond, type World } from './fake-dns.js';
import { NS1, NS2, RESOLVER, TARGET, TLD, worldOf } from './world.js';

testChecks('a zone', SHOP, {
  'of its own, delegated': [
    delegated([`@ ALIAS ${TARGET}.`]),
    'verified, apex in team.example.test by zone-cut: apex.alias-proved, caa.ok, prop.done',
    'team.example.test',
  ],
  'of its own, without a record of the name': [
    delegated([]),
    'action-required, apex in team.example.test by zone-cut: apex.missing block, caa.ok',
    'team.example.test',
  ],
  'of its own, for a name in it': [
    delegated([RIGHT]),
    'verified, subdomain in team.example.test by zone-cut: record.ok, caa.ok, prop.done',
    'shop.team.example.test',
  ],
  'below, on the same servers': [
    sameServers([RIGHT]),
    'verified, subdomain in team.example.test by zone-cut: record.ok, caa.ok, prop.done',
    'shop.team.example.test',
  ],
  'below, with the target in it': [
    worldOf(['team NS ns.team', 'ns.team A 192.0.2.41', 'shop CNAME cname.team'], {
      zones: { 'team.example.test': ['@ NS ns', 'ns A 192.0.2.41', 'cname CNAME cname.platform.test.'] },
      servers: { '192.0.2.41': ['team.example.test'] },
    }),
    'verified: record.chain, record.ok, caa.ok, prop.done',
  ],
  'that is not registered': [
    [],
    'action-required, subdomain in nowhere.test by public-suffix: zone.not-registered block',
    'shop.nowhere.test',
  ],
  'of a service that gives its names to customers': [
    worldOf([], privateSuffix([])),
    'action-required, subdomain in github.io by zone-cut: name.public-suffix block, record.missing block, caa.ok',
    'shop.github.io',
  ],
  'of a service that set the record': [
    worldOf([], privateSuffix([RIGHT])),
    'verified, subdomain in github.io by zone-cut: name.public-suffix, record.ok, caa.ok, prop.done',
    'shop.github.io',
  ],
  'below a top-level domain that does not exist': [
    worldOf([], {
      replace: (query) =>
        query.includes('.nosuch') || query.endsWith(' nosuch') ? DENIED_BY_ROOT : undefined,
    }),
    'action-required, subdomain in example.nosuch by public-suffix: zone.not-registered block',
    'shop.example.nosuch',
  ],
  'without name servers': [
    worldOf([], { zones: tld(['example TXT reserved']) }),
    'action-required, subdomain in example.test by public-suffix: zone.no-delegation block',
  ],
  'with a gap between it and the name': [
    worldOf([], { zones: tld([`john.smith CNAME ${TARGET}.`]) }),
    'verified, subdomain in test by zone-cut: record.ok, caa.ok, prop.done',
    'john.smith.test',
  ],
  'that the registry keeps itself': [
    worldOf([], { zones: tld(['example A 192.0.2.80', 'example MX 10 mail.platform']) }),
    'action-required, apex in example.test by public-suffix: zone.no-delegation block',
    'example.test',
  ],
  'whose servers have no address': [
    worldOf([], { zones: tld(['example NS ns.gone']) }),
    'action-required, subdomain in example.test by public-suffix: zone.no-delegation block',
  ],
  'that the parent lists otherwise': [
    worldOf([RIGHT], { zones: tld(['example NS ns1.example', `ns1.example A ${NS1}`]) }),
    'verified: zone.ns-mismatch warn, record.ok, caa.ok, prop.done',
  ],
  'whose parent is silent': [
    worldOf([RIGHT], { faults: { [TLD]: 'silent' } }),
    'verified: record.ok, caa.ok, prop.done',
  ],
  'whose servers and resolvers do not respond': [
    worldOf([RIGHT], { faults: { [TLD]: 'silent', [RESOLVER]: 'silent' } }),
    'inconclusive, subdomain in example.test by public-suffix: zone.unreachable-ns unknown',
  ],
  'with two labels below the suffix': [
    worldOf([], british()),
    'action-required, subdomain in example.co.uk by zone-cut: record.missing block, caa.ok',
    'shop.example.co.uk',
  ],
});

const DENIED_BY_ROOT = respond({
  rcode: 'NXDOMAIN',
  recursionAvailable: true,
  authority: [
    {
      name: '.',
      ttl: 86_400,
      data: { type: 'SOA', primary: 'a.root.test', serial: 1, refresh: 1800, minimum: 86_400 },
    },
  ],
});

function privateSuffix(lines: readonly string[]): Partial<World> {
  return {
    zones: {
      io: ['@ NS a.nic', `a.nic A ${TLD}`, 'github NS ns1.github', `ns1.github A ${NS1}`],
      'github.io': ['@ NS ns1', `ns1 A ${NS1}`, ...lines],
    },
    servers: { [TLD]: ['test', 'io'], [NS1]: ['github.io'] },
  };
}

function delegated(lines: readonly string[]): World {
  return worldOf(['team NS ns.team', 'ns.team A 192.0.2.41'], {
    zones: { 'team.example.test': ['@ NS ns', 'ns A 192.0.2.41', ...lines] },
    servers: { '192.0.2.41': ['team.example.test'] },
  });
}

function sameServers(lines: readonly string[]): World {
  const both = ['example.test', 'team.example.test'];
  return worldOf(['team NS ns1', 'team NS ns2'], {
    zones: { 'team.example.test': ['@ NS ns1.example.test.', '@ NS ns2.example.test.', ...lines] },
    servers: { [NS1]: both, [NS2]: both },
  });
}

function british(): Partial<World> {
  return {
    zones: {
      'co.uk': ['@ NS ns', `ns A 192.0.2.51`, 'example NS ns.example', 'ns.example A 192.0.2.52'],
      'example.co.uk': ['@ NS ns', 'ns A 192.0.2.52'],
    },
    servers: { '192.0.2.51': ['co.uk'], '192.0.2.52': ['example.co.uk'] },
  };
}
