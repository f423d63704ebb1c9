import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDomain, type CheckRequest, type FindingId, type Report } from '../../src/domain/index.js';
import { type Finished, runCli, startCli } from '../support/run-cli.js';
import {
  BRIEF_TTL,
  EXAMPLE_RECORDS,
  hasIpv6Loopback,
  type Internet,
  PLATFORM_TTL,
  startInternet,
  TARGET,
} from './internet.js';
import { describeServers } from './lab.js';
import { whyNoServer } from './name-server.js';
import { whyNotHere } from './programs.js';
import { CACHE_TTL_MAX } from './resolver.js';
import { NEGATIVE_TTL } from './zone-text.js';

const reason = whyNotHere() ?? whyNoServer('powerdns');

describeServers('against Knot DNS, PowerDNS and Unbound', reason, () => {
  let internet: Internet;
  beforeAll(async () => {
    internet = await startInternet();
  });
  // Absent if it could not be started.
  afterAll(() => (internet as Internet | undefined)?.close());

  const check = (domain: string, parts: Partial<CheckRequest> = {}): Promise<Report> =>
    checkDomain({ domain, target: TARGET, plan: 'Pro', deployed: true, ...parts }, internet.options);
  const add = (...records: string[]): Promise<void> =>
    internet.first.edit({ 'example.test': [...EXAMPLE_RECORDS, ...records] });
  /** The records that programs get from this resolver, by node:dns. */
  const addresses = (name: string): Promise<readonly { address: string; ttl: number }[]> => {
    const resolver = new Resolver();
    resolver.setServers([...(internet.options.resolvers ?? [])]);
    return resolver.resolve4(name, { ttl: true });
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
      expect(internet.resolver.queriedTypes('fresh.example.test')).toEqual([]);

      await add(`fresh CNAME ${TARGET}.`);
      await expect(addresses('fresh.example.test')).resolves.toMatchObject([{ address: '192.0.2.10' }]);
      expect(await check('fresh.example.test')).toMatchObject({ state: 'verified' });
      expect(internet.resolver.queriedTypes('fresh.example.test')).toEqual(
        expect.arrayContaining(['A', 'AAAA']),
      );
    });

    test('stays invisible if the resolver was queried too early, for the estimated time', async () => {
      await expect(addresses('poisoned.example.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
      await add(`poisoned CNAME ${TARGET}.`);
      await expect(addresses('poisoned.example.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });

      const report = await check('poisoned.example.test');
      expect(report.state).toBe('propagating');
      expect(idsOf(report)).toContain('prop.stale-negative');
      const { rcode, authority } = await internet.resolver.endpoint.query('poisoned.example.test', 'A', {
        recursive: true,
      });
      expect(rcode).toBe('NXDOMAIN');
      const left = authority.find(({ data }) => data.type === 'SOA')?.ttl ?? Number.NaN;
      expect(left).toBeLessThanOrEqual(NEGATIVE_TTL);
      expectWithin2s(report.estimate?.inSeconds, left);
    });
  });

  test.each([
    { label: 'moved', keptFor: 1800, why: "the old record's TTL" },
    { label: 'slow', keptFor: CACHE_TTL_MAX, why: "the resolver's own limit, below the old TTL of 7200" },
  ])('an old address is served for the estimated time: $why', async ({ label, keptFor }) => {
    const name = `${label}.example.test`;
    const [old] = await addresses(name);
    const others = EXAMPLE_RECORDS.filter((record) => !record.startsWith(label));
    await internet.first.edit({ 'example.test': [...others, `${label} CNAME ${TARGET}.`] });
    const report = await check(name);
    expect(report.state).toBe('propagating');
    expect(idsOf(report)).toContain('prop.stale-positive');
    const [still] = await addresses(name);
    expect(still?.address).toBe(old?.address);
    expectWithin2s(report.estimate?.inSeconds, still?.ttl);
    expect(still?.ttl).toBeLessThanOrEqual(keptFor);
    expect(still?.ttl).toBeGreaterThan(keptFor - 60);
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
    expect(internet.resolver.queriedTypes('two.alias.test')).toEqual([]);
  });

  test('distinguishes a name server with an older copy from a wrong one', async () => {
    const report = await check('shop.behind.test');
    expect(report.state).toBe('propagating');
    expect(idsOf(report)).toContain('zone.serial-skew');
    expect(report.observed.authoritative).toMatchObject([
      { server: 'ns1.behind.test', serial: 2, records: [`CNAME ${TARGET}`] },
      { server: 'ns2.behind.test', serial: 1, records: [] },
    ]);
    expect(internet.resolver.queriedTypes('shop.behind.test')).toEqual([]);
  });

  test('responses truncated over UDP are fetched over TCP', async () => {
    const report = await check('shop.truncated.test');
    expect(report.state).toBe('verified');
    expect(report.observed.authoritative).toMatchObject([{ over: 'tcp', records: [`CNAME ${TARGET}`] }]);
  });

  test('a name server with only an IPv6 address is queried there', async ({ skip }) => {
    if (!hasIpv6Loopback()) skip('this machine has no IPv6 loopback');
    const report = await check('shop.sixth.test');
    expect(report).toMatchObject({ state: 'verified', zone: 'sixth.test' });
    expect(report.observed.authoritative).toMatchObject([
      { server: 'ns1.sixth.test', address: '::1', over: 'udp', records: [`CNAME ${TARGET}`] },
    ]);
  });

  describe('--wait', () => {
    const wait = (domain: string) =>
      startCli([
        ...['domain', 'verify', domain, '--target', TARGET, ...internet.flags, '--plan', 'pro', '--deployed'],
        ...['--no-certificate', '--wait', '--timeout', '60s', '-o', 'ndjson'],
      ]);

    test('ends when the missing record exists, and queried no resolver before', async () => {
      const waiting = wait('awaited.example.test');
      await waiting.seen('stdout', /"event":"changed".*"state":"action-required"/);
      expect(internet.resolver.queriedTypes('awaited.example.test')).toEqual([]);
      await add(`awaited CNAME ${TARGET}.`);
      const events = eventsOf(await waiting.finished);
      expect(events.at(0)).toMatchObject({ event: 'changed', report: { state: 'action-required' } });
      expect(events.at(-1)).toMatchObject({ event: 'end', end: 'reached', report: { state: 'verified' } });
      // Each type once.
      expect(internet.resolver.queriedTypes('awaited.example.test').sort()).toEqual(['A', 'AAAA']);
    });

    test('lasts until the resolver’s cache expires, as estimated', async () => {
      await expect(addresses('shop.brief.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
      await internet.first.edit({ 'brief.test': [`shop CNAME ${TARGET}.`] });
      const waiting = wait('shop.brief.test');
      const [first, ...later] = eventsOf(await waiting.finished);
      expect(first).toMatchObject({ event: 'changed', report: { state: 'propagating' } });
      expect(first?.report.estimate?.inSeconds).toBeLessThanOrEqual(BRIEF_TTL);
      // The first check after the estimated time.
      expect(later.map(({ event, report }) => [event, report.state])).toEqual([
        ['changed', 'verified'],
        ['end', 'verified'],
      ]);
      await expect(addresses('shop.brief.test')).resolves.toMatchObject([{ address: '192.0.2.10' }]);
    });
  });

  test('the lines of `domain records -o zone` work in the zone file of a real server', async () => {
    const names = ['pasted.example.test', 'münchen.example.test', 'a.deep.example.test', 'example.test'];
    const ran = await runCli([
      'domain',
      'records',
      ...names,
      '--target',
      TARGET,
      ...internet.flags,
      '-o',
      'zone',
    ]);
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

/** TTLs are whole seconds, and one may pass between two queries. */
function expectWithin2s(estimated: number | undefined, left: number | undefined): void {
  expect(Math.abs((estimated ?? Number.NaN) - (left ?? Number.NaN))).toBeLessThanOrEqual(2);
}
