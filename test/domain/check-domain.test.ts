import { describe, expect, test } from 'vitest';
import { checkDomain } from '../../src/domain/check-domain.js';
import type { CheckOptions, CheckRequest } from '../../src/domain/options.js';
import type { Report } from '../../src/domain/report.js';
import { createVirtualClock, until } from '../support/virtual-clock.js';
import { fakeDns, type World } from './fake-dns.js';
import {
  EXAMPLE,
  NS1,
  NS2,
  PLATFORM,
  RESOLVER,
  TARGET,
  TLD,
  counter,
  recursiveQuestions,
  worldOf,
} from './world.js';

const SHOP = 'shop.example.test';
const RIGHT = `shop CNAME ${TARGET}.`;
const UNREACHABLE_NS = { [NS1]: 'silent', [NS2]: 'silent' } as const;

interface Checked {
  report: Report;
  asked: string[];
  recursive: string[];
}

async function checked(
  request: Partial<CheckRequest>,
  world: World,
  options: CheckOptions = {},
): Promise<Checked> {
  const clock = createVirtualClock();
  const dns = fakeDns({ now: clock.monotonic, ...world });
  let done = false;
  const whole = { domain: SHOP, target: TARGET, plan: 'Pro', deployed: true, ...request };
  const promise = checkDomain(whole, {
    dns,
    clock,
    random: counter(),
    resolvers: [RESOLVER],
    ...options,
  }).finally(() => (done = true));
  promise.catch(() => undefined);
  await until(() => done || clock.pending > 0);
  if (!done) await clock.next();
  const report = await promise;
  return { report, asked: dns.asked, recursive: recursiveQuestions(dns, whole.domain) };
}

/** State, then the findings' ids, heaviest first. */
function summary({ state, kind, zone, decidedBy, findings }: Report): string[] {
  return [
    `${state}: ${kind} in ${zone} by ${decidedBy}`,
    ...findings.map(({ id, severity }) => `${id} ${severity}`),
  ];
}

describe('a subdomain', () => {
  const cases: [string, World, string[]][] = [
    [
      'right everywhere',
      worldOf([RIGHT]),
      ['verified: subdomain in example.test by zone-cut', 'record.ok info', 'caa.ok info', 'prop.done info'],
    ],
    [
      'missing',
      worldOf([]),
      ['action-required: subdomain in example.test by zone-cut', 'record.missing block', 'caa.ok info'],
    ],
    [
      'a name that only holds others',
      worldOf(['a.shop A 192.0.2.9']),
      ['action-required: subdomain in example.test by zone-cut', 'record.missing block', 'caa.ok info'],
    ],
    [
      'typed in full',
      worldOf([`${SHOP} CNAME ${TARGET}.`]),
      ['action-required: subdomain in example.test by zone-cut', 'record.doubled-label block', 'caa.ok info'],
    ],
    [
      'to elsewhere',
      worldOf(['shop CNAME www', 'www A 192.0.2.99']),
      ['action-required: subdomain in example.test by zone-cut', 'record.wrong-target block', 'caa.ok info'],
    ],
    [
      'to a slip of the pen',
      worldOf(['shop CNAME cname.platfrom.test.']),
      ['action-required: subdomain in example.test by zone-cut', 'record.typo-target block', 'caa.ok info'],
    ],
    [
      'without the final dot',
      worldOf([`shop CNAME ${TARGET}`]),
      ['action-required: subdomain in example.test by zone-cut', 'record.missing-dot block', 'caa.ok info'],
    ],
    [
      'through another alias',
      worldOf(['shop CNAME www', `www CNAME ${TARGET}.`]),
      [
        'verified: subdomain in example.test by zone-cut',
        'record.chain info',
        'record.ok info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'through an alias of another zone',
      worldOf(['shop CNAME hop.other.test.'], otherZone(`hop CNAME ${TARGET}.`)),
      [
        'verified: subdomain in example.test by zone-cut',
        'record.chain info',
        'record.ok info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'in a loop',
      worldOf(['shop CNAME a', 'a CNAME shop']),
      ['action-required: subdomain in example.test by zone-cut', 'record.loop block', 'caa.ok info'],
    ],
    [
      'in a loop over zones',
      worldOf(['shop CNAME hop.other.test.'], otherZone(`hop CNAME ${SHOP}.`)),
      ['action-required: subdomain in example.test by zone-cut', 'record.loop block', 'caa.ok info'],
    ],
    [
      'to nowhere',
      worldOf(['shop CNAME gone.other.test.'], otherZone()),
      ['action-required: subdomain in example.test by zone-cut', 'record.dangling block', 'caa.ok info'],
    ],
    [
      'an address',
      worldOf(['shop A 192.0.2.99']),
      ['action-required: subdomain in example.test by zone-cut', 'conflict.address block', 'caa.ok info'],
    ],
    [
      "the target's address",
      worldOf(['shop A 192.0.2.80', 'shop AAAA 2001:db8::80']),
      ['action-required: subdomain in example.test by zone-cut', 'conflict.address block', 'caa.ok info'],
    ],
    [
      'flattened',
      worldOf([`shop ALIAS ${TARGET}.`]),
      [
        'verified: subdomain in example.test by zone-cut',
        'conflict.address warn',
        'record.ok info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'two aliases',
      worldOf([RIGHT, 'shop CNAME other.test.']),
      [
        'action-required: subdomain in example.test by zone-cut',
        'conflict.multiple-cname block',
        'caa.ok info',
      ],
    ],
    [
      'an alias beside MX',
      worldOf([RIGHT, 'shop MX 10 mx']),
      ['action-required: subdomain in example.test by zone-cut', 'conflict.coexist block', 'caa.ok info'],
    ],
    [
      'MX alone',
      worldOf(['shop MX 10 mx']),
      ['action-required: subdomain in example.test by zone-cut', 'conflict.other-types block', 'caa.ok info'],
    ],
    [
      'an HTTPS record',
      worldOf([RIGHT, 'shop HTTPS 1 www.other.test.']),
      ['action-required: subdomain in example.test by zone-cut', 'conflict.coexist block', 'caa.ok info'],
    ],
    [
      'by a wildcard',
      worldOf([`* CNAME ${TARGET}.`]),
      [
        'verified: subdomain in example.test by zone-cut',
        'record.wildcard warn',
        'record.ok info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'remembered for two days',
      worldOf([`shop 172800 CNAME ${TARGET}.`]),
      [
        'verified: subdomain in example.test by zone-cut',
        'record.ttl warn',
        'record.ok info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'one server behind',
      worldOf(['@ 900 SOA ns1 2', RIGHT], { copies: copy([...EXAMPLE, '@ 900 SOA ns1 1']) }),
      [
        'propagating: subdomain in example.test by zone-cut',
        'record.partial wait',
        'zone.serial-skew wait',
        'caa.ok info',
      ],
    ],
    [
      'servers that disagree',
      worldOf([RIGHT], { copies: copy(EXAMPLE) }),
      ['propagating: subdomain in example.test by zone-cut', 'record.partial wait', 'caa.ok info'],
    ],
    [
      'one server lame',
      worldOf([RIGHT], { faults: { [NS2]: 'lame' } }),
      [
        'verified: subdomain in example.test by zone-cut',
        'zone.lame-ns warn',
        'record.ok info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'one server silent',
      worldOf([RIGHT], { faults: { [NS2]: 'silent' } }),
      [
        'verified: subdomain in example.test by zone-cut',
        'zone.unreachable-ns warn',
        'record.ok info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'all servers silent',
      worldOf([RIGHT], { faults: UNREACHABLE_NS }),
      ['inconclusive: subdomain in example.test by public-suffix', 'zone.unreachable-ns unknown'],
    ],
    [
      'all servers refuse',
      worldOf([RIGHT], { faults: { [NS1]: 'REFUSED', [NS2]: 'REFUSED' } }),
      ['action-required: subdomain in example.test by public-suffix', 'zone.lame-ns block'],
    ],
    [
      'an old address remembered',
      worldOf([RIGHT], { remembered: { [`A ${SHOP}`]: ['@ 1200 A 192.0.2.99'] } }),
      [
        'propagating: subdomain in example.test by zone-cut',
        'prop.stale-positive wait',
        'record.ok info',
        'caa.ok info',
      ],
    ],
    [
      'an absence remembered',
      worldOf([RIGHT], { remembered: forgotten() }),
      [
        'propagating: subdomain in example.test by zone-cut',
        'prop.stale-negative wait',
        'record.ok info',
        'caa.ok info',
      ],
    ],
    [
      'the resolver fails',
      worldOf([RIGHT], { rcodes: failing(RESOLVER, SHOP) }),
      [
        'inconclusive: subdomain in example.test by zone-cut',
        'prop.resolver-error unknown',
        'record.ok info',
        'caa.ok info',
      ],
    ],
    [
      'CAA for another authority',
      worldOf([RIGHT, '@ CAA 0 issue other.test']),
      [
        'verified: subdomain in example.test by zone-cut',
        'caa.blocked block',
        'record.ok info',
        'prop.done info',
      ],
    ],
    [
      'CAA that fails',
      worldOf([RIGHT], {
        rcodes: { [`${NS1} CAA ${SHOP}`]: 'SERVFAIL', [`${NS2} CAA ${SHOP}`]: 'SERVFAIL' },
      }),
      [
        'verified: subdomain in example.test by zone-cut',
        'caa.lookup-failed block',
        'record.ok info',
        'prop.done info',
      ],
    ],
  ];
  test.each(cases)('%s', async (_, world, expected) => {
    const { report, recursive } = await checked({ issuer: 'letsencrypt.org' }, world);
    expect(summary(report)).toEqual(expected);
    const isAskedForByAll = report.observed.recursive.length > 0;
    expect(recursive).toHaveLength(isAskedForByAll ? 3 : 0);
  });
});

describe('an apex', () => {
  const cases: [string, World, string[]][] = [
    [
      'by ALIAS',
      worldOf([`@ ALIAS ${TARGET}.`, '@ MX 10 mx']),
      [
        'verified: apex in example.test by zone-cut',
        'apex.alias-proved info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'by addresses with the TTL of the target',
      worldOf(['@ 60 A 192.0.2.80', '@ 60 AAAA 2001:db8::80']),
      [
        'verified: apex in example.test by zone-cut',
        'apex.alias-consistent info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'by copied addresses',
      worldOf(['@ A 192.0.2.80', '@ AAAA 2001:db8::80']),
      [
        'verified: apex in example.test by zone-cut',
        'apex.looks-copied warn',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'without addresses',
      worldOf([]),
      ['action-required: apex in example.test by zone-cut', 'apex.missing block', 'caa.ok info'],
    ],
    [
      'with an alias',
      worldOf([`@ CNAME ${TARGET}.`]),
      ['action-required: apex in example.test by zone-cut', 'apex.cname block', 'caa.ok info'],
    ],
    [
      'at a stranger',
      worldOf(['@ A 192.0.2.99']),
      ['action-required: apex in example.test by zone-cut', 'apex.wrong-address block', 'caa.ok info'],
    ],
    [
      'mixed',
      worldOf(['@ A 192.0.2.80', '@ A 192.0.2.99']),
      ['action-required: apex in example.test by zone-cut', 'apex.mixed block', 'caa.ok info'],
    ],
    [
      'with an old AAAA',
      worldOf(['@ A 192.0.2.80', '@ AAAA 2001:db8::99']),
      ['action-required: apex in example.test by zone-cut', 'apex.aaaa-stale block', 'caa.ok info'],
    ],
    [
      'with an ALIAS that fails',
      worldOf([`@ ALIAS ${TARGET}.`], { rcodes: aliasFailing() }),
      ['action-required: apex in example.test by zone-cut', 'apex.alias-broken block', 'caa.ok info'],
    ],
  ];
  test.each(cases)('%s', async (_, world, expected) => {
    const { report } = await checked({ domain: 'example.test' }, world);
    expect(summary(report)).toEqual(expected);
  });
});

describe('a zone', () => {
  const cases: [string, string, World, string[]][] = [
    [
      'of its own, delegated',
      'team.example.test',
      delegated([`@ ALIAS ${TARGET}.`]),
      [
        'verified: apex in team.example.test by zone-cut',
        'apex.alias-proved info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'of its own, for a name in it',
      'shop.team.example.test',
      delegated([RIGHT]),
      [
        'verified: subdomain in team.example.test by zone-cut',
        'record.ok info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'below, on the same servers',
      'shop.team.example.test',
      sameServers([RIGHT]),
      [
        'verified: subdomain in team.example.test by zone-cut',
        'record.ok info',
        'caa.ok info',
        'prop.done info',
      ],
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
      [
        'verified: subdomain in example.test by zone-cut',
        'record.chain info',
        'record.ok info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'that is not registered',
      'shop.nowhere.test',
      worldOf([]),
      ['action-required: subdomain in nowhere.test by public-suffix', 'zone.not-registered block'],
    ],
    [
      'without name servers',
      SHOP,
      worldOf([], { zones: tld(['example TXT reserved']) }),
      ['action-required: subdomain in example.test by public-suffix', 'zone.no-delegation block'],
    ],
    [
      'with a gap between it and the name',
      'john.smith.test',
      worldOf([], { zones: tld([`john.smith CNAME ${TARGET}.`]) }),
      ['verified: subdomain in test by zone-cut', 'record.ok info', 'caa.ok info', 'prop.done info'],
    ],
    [
      'that the registry keeps itself',
      'example.test',
      worldOf([], { zones: tld(['example A 192.0.2.80', 'example MX 10 mail.platform']) }),
      ['action-required: apex in example.test by public-suffix', 'zone.no-delegation block'],
    ],
    [
      'whose servers have no address',
      SHOP,
      worldOf([], { zones: tld(['example NS ns.gone']) }),
      ['action-required: subdomain in example.test by public-suffix', 'zone.no-delegation block'],
    ],
    [
      'that the parent lists otherwise',
      SHOP,
      worldOf([RIGHT], { zones: tld(['example NS ns1.example', `ns1.example A ${NS1}`]) }),
      [
        'verified: subdomain in example.test by zone-cut',
        'zone.ns-mismatch warn',
        'record.ok info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'whose parent is silent',
      SHOP,
      worldOf([RIGHT], { faults: { [TLD]: 'silent' } }),
      ['verified: subdomain in example.test by zone-cut', 'record.ok info', 'caa.ok info', 'prop.done info'],
    ],
    [
      'that nobody can be asked about',
      SHOP,
      worldOf([RIGHT], { faults: { [TLD]: 'silent', [RESOLVER]: 'silent' } }),
      ['inconclusive: subdomain in example.test by public-suffix', 'zone.unreachable-ns unknown'],
    ],
    [
      'with two labels below the suffix',
      'shop.example.co.uk',
      worldOf([], british()),
      ['action-required: subdomain in example.co.uk by zone-cut', 'record.missing block', 'caa.ok info'],
    ],
  ];
  test.each(cases)('%s', async (_, domain, world, expected) => {
    const { report, recursive } = await checked({ domain }, world);
    expect(summary(report)).toEqual(expected);
    expect(report.observed.recursive.length > 0 || recursive.length === 0).toBe(true);
  });
});

function otherZone(...lines: string[]): Partial<World> {
  return {
    zones: {
      ...tld([
        'example NS ns1.example',
        'example NS ns2.example',
        `ns1.example A ${NS1}`,
        `ns2.example A ${NS2}`,
        'other NS ns.other',
        'ns.other A 192.0.2.31',
      ]),
      'other.test': ['@ NS ns', 'ns A 192.0.2.31', ...lines],
    },
    servers: { '192.0.2.31': ['other.test'] },
  };
}

/** The top-level domain, with the platform and these lines. */
function tld(lines: readonly string[]): World['zones'] {
  return {
    test: ['@ NS a.nic', `a.nic A ${TLD}`, 'platform NS ns.platform', `ns.platform A ${PLATFORM}`, ...lines],
  };
}

/** What ns2 has instead. */
function copy(lines: readonly string[]): NonNullable<World['copies']> {
  return { [`${NS2} example.test`]: lines };
}

function forgotten(): NonNullable<World['remembered']> {
  const absence = ['@ 600 SOA ns1 1 900'];
  return { [`A ${SHOP}`]: absence, [`AAAA ${SHOP}`]: absence, [`CNAME ${SHOP}`]: absence };
}

function failing(address: string, name: string): NonNullable<World['rcodes']> {
  return Object.fromEntries(['A', 'AAAA', 'CNAME'].map((type) => [`${address} ${type} ${name}`, 'SERVFAIL']));
}

function aliasFailing(): NonNullable<World['rcodes']> {
  const questions = [NS1, NS2].flatMap((address) =>
    ['A', 'AAAA'].map((type) => `${address} ${type} example.test`),
  );
  return Object.fromEntries(questions.map((question) => [question, 'SERVFAIL']));
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
