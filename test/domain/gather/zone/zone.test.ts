import { describe, expect, test } from 'vitest';
import type { ZoneFacts } from '../../../../src/domain/gather/facts/facts.js';
import { findZone, zoneFacts } from '../../../../src/domain/gather/zone.js';
import { parentOf } from '../../../../src/domain/gather/zone-cut.js';
import type { World } from '../../fake-dns.js';
import {
  NS1,
  NS2,
  PLATFORM,
  RESOLVER,
  TARGET,
  TLD,
  contextOf,
  resolverQueries,
  worldOf,
} from '../../world.js';

async function zoneOf(name: string, world: World, override?: ZoneFacts['kind']): Promise<ZoneFacts> {
  const { context, dns } = contextOf(world);
  const facts = zoneFacts(await findZone(context, name), name, override);
  expect(resolverQueries(dns, name)).toEqual([]);
  return facts;
}

const SUB = ['team NS ns.team', 'ns.team A 192.0.2.41'];
const SUB_ZONE: Partial<World> = {
  zones: { 'team.example.test': ['@ NS ns', 'ns A 192.0.2.41', 'a.b TXT deep'] },
  servers: { '192.0.2.41': ['team.example.test'] },
};

describe('the zone', () => {
  const cases: [string, string, World, string, string][] = [
    ['of a deep alias', 'a.b.example.test', worldOf([`a.b CNAME ${TARGET}.`]), 'example.test', 'subdomain'],
    [
      'of a name deep beyond a cut',
      'a.b.team.example.test',
      worldOf(SUB, SUB_ZONE),
      'team.example.test',
      'subdomain',
    ],
    [
      'of an alias to a whole zone of its own',
      'shop.example.test',
      worldOf(['shop CNAME platform.test.'], {
        zones: { 'platform.test': ['@ NS ns', `ns A ${PLATFORM}`, '@ A 192.0.2.80'] },
        servers: { [NS1]: ['example.test', 'platform.test'] },
      }),
      'example.test',
      'subdomain',
    ],
  ];
  test('below a cut has the referral', async () => {
    const { cut } = await zoneOf('team.example.test', worldOf(SUB, SUB_ZONE));
    expect(cut).toMatchObject({ parentZone: 'example.test', referral: { server: { address: NS1 } } });
    expect(await zoneOf('example.test', worldOf([]))).not.toHaveProperty('cut');
  });

  test.each(cases)('%s', async (_, name, world, zone, kind) => {
    expect(await zoneOf(name, world)).toMatchObject({ name: zone, kind, decidedBy: 'zone-cut' });
  });

  test('has the hosts of both sides', async () => {
    const facts = await zoneOf('shop.example.test', worldOf([]));
    expect(facts).toMatchObject({
      registrable: 'example.test',
      parentHosts: ['ns1.example.test', 'ns2.example.test'],
      ownHosts: ['ns1.example.test', 'ns2.example.test'],
      unresolvedHosts: [],
      failedHosts: [],
      delegation: { outcome: 'value', server: { address: TLD }, records: { length: 2 } },
    });
  });

  test('has the servers that either side lists', async () => {
    const { context } = contextOf(worldOf(['@ NS ns3', 'ns3 A 192.0.2.13']));
    const { zone } = await findZone(context, 'shop.example.test');
    expect(zone.servers.map(({ host, address }) => [host, address])).toEqual([
      ['ns1.example.test', NS1],
      ['ns2.example.test', NS2],
      ['ns3.example.test', '192.0.2.13'],
    ]);
  });

  test('is the registrable domain if no server responds', async () => {
    const silent = worldOf([], { faults: { [NS1]: 'silent', [NS2]: 'silent' } });
    const expected = { name: 'example.test', decidedBy: 'public-suffix' };
    expect(await zoneOf('shop.example.test', silent)).toMatchObject({ ...expected, kind: 'subdomain' });
    const offline = worldOf([], { faults: { [RESOLVER]: 'silent' } });
    const { context } = contextOf(offline);
    const found = await findZone(context, 'example.test');
    expect(zoneFacts(found, 'example.test', undefined)).toMatchObject({ ...expected, kind: 'apex' });
    expect(await zoneOf('shop.example.test', offline)).toMatchObject({
      ...expected,
      kind: 'subdomain',
      ownHosts: [],
    });
  });

  test('ignores an upward referral, which a lame server returns', async () => {
    const { context, dns } = contextOf(worldOf([], { servers: { [NS1]: ['test'] } }));
    const { zone, isConfirmed } = await findZone(context, 'shop.example.test');
    expect([zone.name, isConfirmed]).toEqual(['example.test', true]);
    expect(dns.queries).toContain(`${NS2} A shop.example.test`);
  });

  test('follows the override', async () => {
    expect(await zoneOf('shop.example.test', worldOf([]), 'apex')).toMatchObject({
      name: 'shop.example.test',
      kind: 'apex',
      decidedBy: 'override',
    });
    expect(await zoneOf('team.example.test', worldOf(SUB, SUB_ZONE), 'subdomain')).toMatchObject({
      name: 'example.test',
      kind: 'subdomain',
      decidedBy: 'override',
    });
  });

  test('is not queried for every name if no server responds', async () => {
    const { context, dns } = contextOf(worldOf([], { faults: { [NS1]: 'silent', [NS2]: 'silent' } }));
    await findZone(context, 'a.example.test');
    await findZone(context, 'b.example.test');
    const queries = dns.queries.filter((line) => line.startsWith(NS1) || line.startsWith(NS2));
    expect(queries).toEqual([`${NS1} NS example.test`, `${NS2} NS example.test`]);
  });

  test('is queried at responding servers first', async () => {
    const { context, dns } = contextOf(worldOf([], { faults: { [NS1]: 'silent' } }));
    await findZone(context, 'a.example.test');
    await findZone(context, 'b.example.test');
    expect(dns.queries.filter((line) => line.startsWith(NS1))).toHaveLength(1);
  });
});

describe('a registrable domain that is part of longer names', () => {
  const ns = '192.0.2.71';
  const tld = ['@ NS a.nic', `a.nic A ${TLD}`, 'paul.smith NS ns.paul.smith', `ns.paul.smith A ${ns}`];
  const world = (lines: readonly string[], parts: Partial<World> = {}): World =>
    worldOf([], {
      zones: { test: [...tld, ...lines], 'paul.smith.test': ['@ NS ns', `ns A ${ns}`] },
      servers: { [ns]: ['paul.smith.test'] },
      ...parts,
    });

  test.each<[string, string, string[], string]>([
    ['is delegated', 'paul.smith.test', [], 'apex in paul.smith.test by zone-cut'],
    ['lies in a zone below', 'shop.paul.smith.test', [], 'subdomain in paul.smith.test by zone-cut'],
    [
      'is delegated although the registrable domain has records',
      'paul.smith.test',
      ['smith MX 10 mail.nic'],
      'apex in paul.smith.test by zone-cut',
    ],
    ['is an alias', 'john.smith.test', [`john.smith CNAME ${TARGET}.`], 'subdomain in test by zone-cut'],
    ['has an address', 'john.smith.test', ['john.smith AAAA 2001:db8::1'], 'subdomain in test by zone-cut'],
    ['does not exist', 'gone.smith.test', [], 'subdomain in smith.test by public-suffix'],
    ['is it itself', 'smith.test', [], 'apex in smith.test by public-suffix'],
    [
      'has the same records as any other name',
      'x.smith.test',
      ['smith A 192.0.2.9', 'x.smith A 192.0.2.9'],
      'subdomain in smith.test by public-suffix',
    ],
  ])('the name %s', async (_name, name, lines, expected) => {
    const { kind, name: zone, decidedBy } = await zoneOf(name, world(lines));
    expect(`${kind} in ${zone} by ${decidedBy}`).toBe(expected);
  });

  test('is not the delegation of a zone below it', async () => {
    expect(await zoneOf('shop.paul.smith.test', world([]))).toMatchObject({
      registrable: 'paul.smith.test',
      delegation: undefined,
      parentHosts: ['ns.paul.smith.test'],
      ownHosts: ['ns.paul.smith.test'],
    });
  });

  test('is skipped only if the parent does not delegate it', async () => {
    const facts = await zoneOf('paul.smith.test', world([], { faults: { [TLD]: 'silent' } }));
    expect(facts.name).toBe('smith.test');
  });
});

test('returns the name without its first label', () => {
  expect(parentOf('shop.example.test')).toBe('example.test');
  expect(parentOf('test')).toBe('');
});
