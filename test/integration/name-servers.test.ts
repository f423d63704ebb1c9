import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDomain, type CheckRequest, type FindingId, type Report } from '../../src/domain/index.js';
import { runCli } from '../support/run-cli.js';
import { EXAMPLE_RECORDS, type Internet, PLATFORM_TTL, startInternet, TARGET } from './internet.js';
import { whyNotHere } from './programs.js';
import { CACHE_TTL_MAX } from './unbound.js';
import { NEGATIVE_TTL } from './zone-text.js';

const reason = whyNotHere();

describe.skipIf(reason !== undefined)('against Knot DNS, PowerDNS and Unbound', () => {
  let internet: Internet;
  beforeAll(async () => {
    internet = await startInternet();
  });
  // Absent where it could not be started.
  afterAll(() => (internet as Internet | undefined)?.close());

  const check = (domain: string, parts: Partial<CheckRequest> = {}): Promise<Report> =>
    checkDomain({ domain, target: TARGET, plan: 'Pro', deployed: true, ...parts }, internet.options);
  const add = (...records: string[]): Promise<void> =>
    internet.first.edit('example.test', [...EXAMPLE_RECORDS, ...records]);
  /** What a program on a machine with this resolver gets, by Node's own resolver. */
  const addresses = (name: string): Promise<readonly { address: string; ttl: number }[]> => {
    const resolver = new Resolver();
    resolver.setServers([...(internet.options.resolvers ?? [])]);
    return resolver.resolve4(name, { ttl: true });
  };

  test('a record that is right is verified, at the source and at the resolver', async () => {
    const report = await check('shop.example.test');
    expect(report).toMatchObject({ state: 'verified', kind: 'subdomain', zone: 'example.test' });
    expect(idsOf(report)).toEqual(expect.arrayContaining(['record.ok', 'prop.done']));
    expect(report.observed.authoritative).toMatchObject([
      { server: 'ns1.example.test', over: 'udp', serial: 1, records: [`CNAME ${TARGET}`], ttl: 3600 },
    ]);
  });

  describe('a record that is added later', () => {
    test('is seen at once, for the resolver was not asked while it was missing', async () => {
      const before = await check('fresh.example.test');
      expect(before.state).toBe('action-required');
      expect(idsOf(before)).toContain('record.missing');
      expect(internet.resolver.asked('fresh.example.test')).toEqual([]);

      await add(`fresh CNAME ${TARGET}.`);
      await expect(addresses('fresh.example.test')).resolves.toMatchObject([{ address: '192.0.2.10' }]);
      expect(await check('fresh.example.test')).toMatchObject({ state: 'verified' });
      expect(internet.resolver.asked('fresh.example.test')).toEqual(
        expect.arrayContaining(['A', 'AAAA', 'CNAME']),
      );
    });

    test('stays unseen where the resolver was asked too early, for as long as estimated', async () => {
      await expect(addresses('poisoned.example.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
      await add(`poisoned CNAME ${TARGET}.`);
      await expect(addresses('poisoned.example.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });

      const report = await check('poisoned.example.test');
      expect(report.state).toBe('propagating');
      expect(idsOf(report)).toContain('prop.stale-negative');
      const { rcode, authority } = await internet.resolver.endpoint.ask('poisoned.example.test', 'A', {
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
  ])('an old address is served on for what the estimate says: $why', async ({ label, keptFor }) => {
    const name = `${label}.example.test`;
    const [old] = await addresses(name);
    await internet.first.edit('example.test', [
      ...EXAMPLE_RECORDS.filter((record) => !record.startsWith(label)),
      `${label} CNAME ${TARGET}.`,
    ]);
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

  test('a name server with an older copy is told from one that is wrong', async () => {
    const report = await check('shop.behind.test');
    expect(report.state).toBe('propagating');
    expect(idsOf(report)).toContain('zone.serial-skew');
    expect(report.observed.authoritative).toMatchObject([
      { server: 'ns1.behind.test', serial: 2, records: [`CNAME ${TARGET}`] },
      { server: 'ns2.behind.test', serial: 1, records: [] },
    ]);
    expect(internet.resolver.asked('shop.behind.test')).toEqual([]);
  });

  test('answers that are truncated over UDP are fetched over TCP', async () => {
    const report = await check('shop.truncated.test');
    expect(report.state).toBe('verified');
    expect(report.observed.authoritative).toMatchObject([{ over: 'tcp', records: [`CNAME ${TARGET}`] }]);
  });

  test.each([
    { domain: 'shop.example.test', exitCode: 0, state: 'verified', shows: 'record.ok' },
    { domain: 'alias.test', exitCode: 0, state: 'verified', shows: 'apex.alias-proved' },
    { domain: 'shop.behind.test', exitCode: 8, state: 'propagating', shows: 'zone.serial-skew' },
    { domain: 'absent.example.test', exitCode: 1, state: 'action-required', shows: 'record.missing' },
    { domain: 'nobody.test', exitCode: 1, state: 'action-required', shows: 'zone.not-registered' },
  ])('the command says $state of $domain, and exits with $exitCode', async (expected) => {
    const { domain, exitCode, state, shows } = expected;
    const flags = ['--target', TARGET, ...internet.flags, '--plan', 'pro', '--deployed', '--no-certificate'];
    const ran = await runCli(['domain', 'verify', domain, ...flags, '-o', 'json']);
    expect(ran.stderr).toBe('');
    const report = JSON.parse(ran.stdout) as Report;
    expect(report.state).toBe(state);
    expect(idsOf(report)).toContain(shows);
    expect(ran.exitCode).toBe(exitCode);
    if (exitCode === 1) expect(internet.resolver.asked(domain)).toEqual([]);
  });
});

if (reason !== undefined) {
  test(`real name servers (skipped: ${reason})`, (context) => {
    context.skip();
  });
}

function idsOf({ findings }: Report): FindingId[] {
  return findings.map(({ id }) => id);
}

/** TTLs are whole seconds, and one may pass between two questions. */
function expectWithin2s(estimated: number | undefined, left: number | undefined): void {
  expect(Math.abs((estimated ?? Number.NaN) - (left ?? Number.NaN))).toBeLessThanOrEqual(2);
}
