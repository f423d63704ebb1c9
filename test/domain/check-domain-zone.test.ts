import { describe, expect, test } from 'vitest';
import { checkShop, RIGHT, SHOP, summary, tld } from './checked-domain.js';
import type { World } from './fake-dns.js';
import { NS1, NS2, RESOLVER, TARGET, TLD, worldOf } from './world.js';

describe('a zone', () => {
  const cases: [string, string, World, string][] = [
    [
      'of its own, delegated',
      'team.example.test',
      delegated([`@ ALIAS ${TARGET}.`]),
      'verified, apex in team.example.test by zone-cut: apex.alias-proved info, caa.ok info, prop.done info',
    ],
    [
      'of its own, for a name in it',
      'shop.team.example.test',
      delegated([RIGHT]),
      'verified, subdomain in team.example.test by zone-cut: record.ok info, caa.ok info, prop.done info',
    ],
    [
      'below, on the same servers',
      'shop.team.example.test',
      sameServers([RIGHT]),
      'verified, subdomain in team.example.test by zone-cut: record.ok info, caa.ok info, prop.done info',
    ],
    [
      'below, with the target in it',
      SHOP,
      worldOf(['team NS ns.team', 'ns.team A 192.0.2.41', 'shop CNAME cname.team'], {
        zones: {
          'team.example.test': ['@ NS ns', 'ns A 192.0.2.41', 'cname CNAME cname.platform.test.'],
        },
        servers: { '192.0.2.41': ['team.example.test'] },
      }),
      'verified: record.chain info, record.ok info, caa.ok info, prop.done info',
    ],
    [
      'that is not registered',
      'shop.nowhere.test',
      worldOf([]),
      'action-required, subdomain in nowhere.test by public-suffix: zone.not-registered block',
    ],
    [
      'without name servers',
      SHOP,
      worldOf([], { zones: tld(['example TXT reserved']) }),
      'action-required, subdomain in example.test by public-suffix: zone.no-delegation block',
    ],
    [
      'with a gap between it and the name',
      'john.smith.test',
      worldOf([], { zones: tld([`john.smith CNAME ${TARGET}.`]) }),
      'verified, subdomain in test by zone-cut: record.ok info, caa.ok info, prop.done info',
    ],
    [
      'that the registry keeps itself',
      'example.test',
      worldOf([], { zones: tld(['example A 192.0.2.80', 'example MX 10 mail.platform']) }),
      'action-required, apex in example.test by public-suffix: zone.no-delegation block',
    ],
    [
      'whose servers have no address',
      SHOP,
      worldOf([], { zones: tld(['example NS ns.gone']) }),
      'action-required, subdomain in example.test by public-suffix: zone.no-delegation block',
    ],
    [
      'that the parent lists otherwise',
      SHOP,
      worldOf([RIGHT], { zones: tld(['example NS ns1.example', `ns1.example A ${NS1}`]) }),
      'verified: zone.ns-mismatch warn, record.ok info, caa.ok info, prop.done info',
    ],
    [
      'whose parent is silent',
      SHOP,
      worldOf([RIGHT], { faults: { [TLD]: 'silent' } }),
      'verified: record.ok info, caa.ok info, prop.done info',
    ],
    [
      'whose servers and resolvers do not respond',
      SHOP,
      worldOf([RIGHT], { faults: { [TLD]: 'silent', [RESOLVER]: 'silent' } }),
      'inconclusive, subdomain in example.test by public-suffix: zone.unreachable-ns unknown',
    ],
    [
      'with two labels below the suffix',
      'shop.example.co.uk',
      worldOf([], british()),
      'action-required, subdomain in example.co.uk by zone-cut: record.missing block, caa.ok info',
    ],
  ];
  test.each(cases)('%s', async (_, domain, world, expected) => {
    const { report, recursive } = await checkShop({ domain }, world);
    expect(summary(report)).toEqual(expected);
    expect(report.observed.recursive.length > 0 || recursive.length === 0).toBe(true);
  });
});

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
