import { Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDomain, type CheckRequest, type FindingId, type Report } from '../../src/domain/index.js';
import { type Finished, runCli, startCli } from '../support/run-cli.js';
import { createLab, describeServers, type Lab } from './lab.js';
import { type NameServer, startNameServer, whyNoServer } from './name-server.js';
import { whyNotHere } from './programs.js';
import { type Resolver as ZoneResolver, startResolver } from './resolver.js';
import { delegationOf, PLATFORM_TTL, platformZone, type ServedZone, topZones, zoneAt } from './zone-text.js';

/** Some containers have no IPv6. */
const HAS_IPV6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);
const ADDRESS = {
  registry: '127.53.0.1',
  first: '127.53.0.2',
  alias: '127.53.0.4',
  resolver: '127.53.0.5',
  gdnsd: '127.53.0.6',
  yadifa: '127.53.0.7',
  tinydns: '127.53.0.8',
  dnsdist: '127.53.0.9',
  sixth: HAS_IPV6 ? '::1' : '127.53.0.10',
};
const TARGET = 'cname.platform.test';
const RIGHT = `shop CNAME ${TARGET}.`;
/** Seconds. A test waits for it. */
const BRIEF_TTL = 6;
const KNOT: readonly ServedZone[] = [
  platformZone(ADDRESS.first),
  zoneAt('example.test', ADDRESS.first, [RIGHT]),
  { ...zoneAt('truncated.test', ADDRESS.first, [RIGHT]), overTcp: true },
  { ...zoneAt('brief.test', ADDRESS.first, []), negativeTtl: BRIEF_TTL },
];
const SIXTH = zoneAt('sixth.test', ADDRESS.sixth, [RIGHT]);
const ALIAS = zoneAt('alias.test', ADDRESS.alias, [
  `@ 3600 ALIAS ${TARGET}.`,
  '@ MX 10 mail.example.test.',
  // Its server returns one of them, except for the type CNAME.
  `two CNAME ${TARGET}.`,
  'two CNAME old.example.test.',
]);
const RECORDS = [
  RIGHT,
  'chain CNAME shop',
  'long CNAME chain',
  'old A 198.51.100.7',
  'dead CNAME nowhere',
  `*.wild CNAME ${TARGET}.`,
];
const COPIED = zoneAt('copied.test', ADDRESS.dnsdist, ['@ A 192.0.2.10', '@ AAAA 2001:db8::10']);
const OTHERS = {
  gdnsd: zoneAt('gdnsd.test', ADDRESS.gdnsd, RECORDS),
  yadifa: zoneAt('yadifa.test', ADDRESS.yadifa, RECORDS),
  tinydns: zoneAt('tinydns.test', ADDRESS.tinydns, [
    ...RECORDS,
    `both CNAME ${TARGET}.`,
    'both A 198.51.100.7',
  ]),
};
const SERVERS = ['gdnsd', 'yadifa', 'tinydns'] as const;
const DELEGATED = [...KNOT, SIXTH, ALIAS, COPIED, ...Object.values(OTHERS)];
const reason = whyNotHere() ?? whyNoServer('powerdns');
const why = (kind: 'dnsdist' | (typeof SERVERS)[number]): string | undefined => reason ?? whyNoServer(kind);

describeServers('against real name servers', reason, () => {
  let lab: Lab<keyof typeof ADDRESS>;
  let knot: NameServer;
  let resolver: ZoneResolver;
  beforeAll(async () => {
    lab = await createLab(ADDRESS);
    const { at, daemons } = lab;
    const top = topZones(ADDRESS.registry, DELEGATED.flatMap(delegationOf));
    [knot] = await Promise.all([
      startNameServer('knot', daemons, at('first'), [...KNOT, COPIED]),
      startNameServer('knot', daemons, at('registry'), top),
      startNameServer('knot', daemons, at('sixth'), [SIXTH]),
      ...SERVERS.filter((kind) => why(kind) === undefined).map((kind) =>
        startNameServer(kind, daemons, at(kind), [OTHERS[kind]]),
      ),
    ]);
    if (why('dnsdist') === undefined)
      await startNameServer('dnsdist', daemons, at('dnsdist'), [COPIED], at('first'));
    resolver = await startResolver('unbound', daemons, at('resolver'), at('registry'), DELEGATED);
    await startNameServer('powerdns', daemons, at('alias'), [ALIAS], at('resolver'));
  });
  afterAll(() => (lab as Lab<string> | undefined)?.close());

  const check = (domain: string, parts: Partial<CheckRequest> = {}): Promise<Report> =>
    checkDomain({ domain, target: TARGET, plan: 'Pro', deployed: true, ...parts }, lab.options('resolver'));
  const flags = (): string[] => {
    const { resolvers, authoritativePort } = lab.options('resolver');
    return ['--resolver', ...resolvers, '--authoritative-port', String(authoritativePort)];
  };
  const add = (...records: string[]): Promise<void> => knot.edit({ 'example.test': [RIGHT, ...records] });
  /** The addresses that programs get from this resolver, by node:dns. */
  const addresses = (name: string): Promise<string[]> => {
    const client = new Resolver();
    client.setServers(lab.options('resolver').resolvers);
    return client.resolve4(name);
  };

  test('a right record is verified, at the source and at the resolver', async () => {
    const report = await check('shop.example.test');
    expect(report).toMatchObject({ state: 'verified', kind: 'subdomain', zone: 'example.test' });
    expect(idsOf(report)).toEqual(expect.arrayContaining(['record.ok', 'prop.done']));
    expect(report.observed.authoritative).toMatchObject([
      { server: 'ns1.example.test', over: 'udp', serial: 1, records: [`CNAME ${TARGET}`], ttl: 3600 },
    ]);
  });

  describe('a record added later', () => {
    test('is visible at once, because the resolver was not queried while it was missing', async () => {
      const before = await check('fresh.example.test');
      expect(before.state).toBe('action-required');
      expect(idsOf(before)).toContain('record.missing');
      expect(resolver.queriedTypes('fresh.example.test')).toEqual([]);

      await add(`fresh CNAME ${TARGET}.`);
      await expect(addresses('fresh.example.test')).resolves.toEqual(['192.0.2.10']);
      expect(await check('fresh.example.test')).toMatchObject({ state: 'verified' });
      expect(resolver.queriedTypes('fresh.example.test')).toEqual(expect.arrayContaining(['A', 'AAAA']));
    });
  });

  test('an ALIAS at the apex is proved by its TTL, which counts down', async () => {
    const report = await check('alias.test');
    expect(report).toMatchObject({ state: 'verified', kind: 'apex', zone: 'alias.test' });
    expect(idsOf(report)).toContain('apex.alias-proved');
    const [server] = report.observed.authoritative;
    expect(server?.records).toEqual(expect.arrayContaining(['A 192.0.2.10', 'AAAA 2001:db8::10']));
    expect(server?.ttl).toBeLessThanOrEqual(PLATFORM_TTL);
  });

  test('two CNAMEs, of which the server returns one with A, are not verified', async () => {
    const report = await check('two.alias.test');
    expect(report.state).toBe('action-required');
    expect(idsOf(report)).toContain('conflict.multiple-cname');
    expect(resolver.queriedTypes('two.alias.test')).toEqual([]);
  });

  test('responses truncated over UDP are fetched over TCP', async () => {
    const report = await check('shop.truncated.test');
    expect(report.state).toBe('verified');
    expect(report.observed.authoritative).toMatchObject([{ over: 'tcp', records: [`CNAME ${TARGET}`] }]);
  });

  test('a name server with only an IPv6 address is queried there', async ({ skip }) => {
    if (!HAS_IPV6) skip('this machine has no IPv6 loopback');
    const report = await check('shop.sixth.test');
    expect(report).toMatchObject({ state: 'verified', zone: 'sixth.test' });
    expect(report.observed.authoritative).toMatchObject([
      { server: 'ns1.sixth.test', address: '::1', over: 'udp', records: [`CNAME ${TARGET}`] },
    ]);
  });

  describe.each(SERVERS)('%s', (kind) => {
    test.skipIf(why(kind) !== undefined).each([
      ['shop', 'verified', 'record.ok'],
      ['chain', 'verified', 'record.chain'],
      ['long', 'verified', 'record.chain'],
      ['name.wild', 'verified', 'record.wildcard'],
      ['old', 'action-required', 'conflict.address'],
      ['none', 'action-required', 'record.missing'],
      ['dead', 'action-required', 'record.dangling'],
    ])('%s is %s', async (label, state, id) => {
      const report = await check(`${label}.${kind}.test`);
      expect([report.state, idsOf(report)]).toEqual([state, expect.arrayContaining([id])]);
      if (state === 'verified') expect(idsOf(report)).not.toContain('record.dangling');
    });
  });

  test.skipIf(why('tinydns') !== undefined)('an address next to an alias is a conflict', async () => {
    const report = await check('both.tinydns.test');
    expect(report.todo).toMatchObject([{ action: 'remove', record: { type: 'A', value: '198.51.100.7' } }]);
  });

  test.skipIf(why('dnsdist') !== undefined)('a cache in front of fixed addresses is no ALIAS', async () => {
    await check('copied.test');
    const report = await check('copied.test');
    expect(idsOf(report)).not.toContain('apex.alias-proved');
    expect(idsOf(report)).toContain('apex.looks-copied');
  });

  describe('--wait', () => {
    const wait = (domain: string) =>
      startCli([
        ...['domain', 'verify', domain, '--target', TARGET, ...flags(), '--plan', 'pro', '--deployed'],
        ...['--no-certificate', '--wait', '--timeout', '60s', '-o', 'ndjson'],
      ]);

    test('ends when the missing record exists, and queried no resolver before', async () => {
      const waiting = wait('awaited.example.test');
      await waiting.seen('stdout', /"event":"changed".*"state":"action-required"/);
      expect(resolver.queriedTypes('awaited.example.test')).toEqual([]);
      await add(`awaited CNAME ${TARGET}.`);
      const events = eventsOf(await waiting.finished);
      expect(events.at(0)).toMatchObject({ event: 'changed', report: { state: 'action-required' } });
      expect(events.at(-1)).toMatchObject({ event: 'end', end: 'reached', report: { state: 'verified' } });
      // Each type once.
      expect(resolver.queriedTypes('awaited.example.test').sort()).toEqual(['A', 'AAAA']);
    });

    test('lasts until the resolver’s cache expires, as estimated', async () => {
      await expect(addresses('shop.brief.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
      await knot.edit({ 'brief.test': [`shop CNAME ${TARGET}.`] });
      const waiting = wait('shop.brief.test');
      const [first, ...later] = eventsOf(await waiting.finished);
      expect(first).toMatchObject({ event: 'changed', report: { state: 'propagating' } });
      expect(first?.report.estimate?.inSeconds).toBeLessThanOrEqual(BRIEF_TTL);
      // The first check after the estimated time.
      expect(later.map(({ event, report }) => [event, report.state])).toEqual([
        ['changed', 'verified'],
        ['end', 'verified'],
      ]);
      await expect(addresses('shop.brief.test')).resolves.toEqual(['192.0.2.10']);
    });
  });

  test('the lines of `domain records -o zone` work in the zone file of a real server', async () => {
    const names = ['pasted.example.test', 'münchen.example.test', 'a.deep.example.test', 'example.test'];
    const ran = await runCli(['domain', 'records', ...names, '--target', TARGET, ...flags(), '-o', 'zone']);
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    await add(...ran.stdout.split('\n'));
    for (const name of names.slice(0, -1)) expect(await check(name)).toMatchObject({ state: 'verified' });
    // The ALIAS is a comment, which every server accepts.
    expect(idsOf(await check('example.test'))).toContain('apex.missing');
  });
});

/** The events of a watch, as lines. */
function eventsOf({ exitCode, stdout, stderr }: Finished): { event: string; end?: string; report: Report }[] {
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function idsOf({ findings }: Report): FindingId[] {
  return findings.map(({ id }) => id);
}
