import { describe, expect, test } from 'vitest';
import type { CheckOptions } from '../../src/domain/request/options.js';
import type { Report } from '../../src/domain/report/report.js';
import type { DnsExchange, DnsRecord } from '../../src/domain/dns/dns.js';
import { createVirtualClock, until } from '../support/virtual-clock.js';
import { type FakeDns, respond, type World } from './fake-dns.js';
import { EXAMPLE, NS1, NS2, PLATFORM, RESOLVER, resolverQueries, TARGET, worldOf, zoneLab } from './world.js';

const SHOP = 'shop.example.test';
const OTHER = 'old.example.net';
const HEALTHY = [`shop CNAME ${TARGET}.`];

async function check(
  world: World,
  { domain = SHOP, ...options }: CheckOptions & { domain?: string } = {},
): Promise<{ report: Report; dns: FakeDns; found: string[] }> {
  const { dns, check: checkShop } = zoneLab(world, options);
  const report = await checkShop({ domain });
  return { report, dns, found: report.findings.map(({ id, severity }) => `${id} ${severity}`) };
}

function aliases(...targets: string[]): DnsExchange {
  const records = targets.map((target): DnsRecord => ({
    name: SHOP,
    ttl: 3600,
    data: { type: 'CNAME', target },
  }));
  return respond({ authoritative: true, answers: records });
}

const [SOA]: DnsRecord[] = [
  {
    name: 'example.test',
    ttl: 900,
    data: { type: 'SOA', primary: 'ns1.example.test', serial: 1, refresh: 3600, minimum: 900 },
  },
];
const NXDOMAIN = respond({
  authoritative: true,
  rcode: 'NXDOMAIN',
  authority: SOA === undefined ? [] : [SOA],
});

describe('two CNAMEs', () => {
  test.each([
    ['the right one', TARGET],
    ['the other one', OTHER],
  ])('of which every response has only %s, except for that to CNAME', async (_, first) => {
    const replace = (query: string): DnsExchange | undefined => {
      if (!query.endsWith(` ${SHOP}`) || query.startsWith(RESOLVER)) return undefined;
      return query.includes(' CNAME ') ? aliases(TARGET, OTHER) : aliases(first);
    };
    const { report, dns, found } = await check(worldOf(HEALTHY, { replace }));
    expect(found).toContain('conflict.multiple-cname block');
    expect(report.state).toBe('action-required');
    expect(report.findings[0]?.message).toContain('has 2 CNAME records');
    expect(resolverQueries(dns, SHOP)).toEqual([]);
  });

  test.each([
    ['in turn', (count: number) => (count % 2 === 0 ? TARGET : OTHER)],
    ['once', (count: number) => (count === 2 ? OTHER : TARGET)],
  ])('of which each response has another one: %s', async (_, targetOf) => {
    let count = 0;
    const replace = (query: string): DnsExchange | undefined =>
      query.endsWith(` ${SHOP}`) && query.startsWith(NS1) ? aliases(targetOf(count++)) : undefined;
    const { report, found } = await check(worldOf(HEALTHY, { replace }));
    expect(found).toContain('conflict.multiple-cname block');
    expect(report.state).toBe('action-required');
    const finding = report.findings.find(({ id }) => id === 'conflict.multiple-cname');
    expect(finding?.message).toContain('different CNAME records');
    expect(finding?.fix?.text).toContain('a moment ago');
  });
});

describe('resolvers that all fail', () => {
  const [first, second] = [RESOLVER, '192.0.2.54'];
  const world = worldOf(HEALTHY, {
    resolvers: [first, second],
    replace: (query) =>
      query.startsWith('192.0.2.5') && query.endsWith(` ${SHOP}`)
        ? respond({ rcode: 'SERVFAIL' })
        : undefined,
  });

  test('are inconclusive if the user named one', async () => {
    const { report, found } = await check(world, { resolvers: [first, second] });
    expect(found.filter((text) => text === 'prop.resolver-error unknown')).toHaveLength(2);
    expect(report.state).toBe('inconclusive');
  });

  test('cause a warning otherwise', async () => {
    const systemResolvers = [first, second].map((address) => ({
      address,
      port: 53,
      transport: 'dns' as const,
    }));
    const options = { resolvers: undefined, usePublic: false, systemResolvers };
    const { report, found } = await check(world, options);
    expect(report.state).toBe('verified');
    expect(found.filter((text) => text === 'prop.resolver-error warn')).toHaveLength(2);
  });
});

describe('NXDOMAIN for a name that has records', () => {
  test.each<[string, readonly string[], (query: string) => boolean]>([
    ['AAAA, next to a CNAME', HEALTHY, (query) => query.includes(' AAAA ')],
    [
      'AAAA at the first server, which a resolver shows',
      HEALTHY,
      (query) => query.includes(' AAAA ') && !query.startsWith(NS2),
    ],
    ['AAAA at the second server', HEALTHY, (query) => query.startsWith(`${NS2} AAAA`)],
    ['HTTPS', HEALTHY, (query) => query.includes(' HTTPS ')],
    ['MX and TXT', HEALTHY, (query) => / (MX|TXT) /.test(query)],
    ['CAA', HEALTHY, (query) => query.includes(' CAA ')],
    ['CNAME', HEALTHY, (query) => query.includes(' CNAME ')],
    ['AAAA, from a wildcard', [`* CNAME ${TARGET}.`], (query) => query.includes(' AAAA ')],
  ])('%s', async (_, lines, isDenied) => {
    const replace = (query: string): DnsExchange | undefined =>
      query.endsWith(` ${SHOP}`) && isDenied(query) ? NXDOMAIN : undefined;
    const { report, found } = await check(worldOf(lines, { replace }));
    expect(found).toContain('zone.wrong-nxdomain block');
    expect(report.state).toBe('action-required');
    const finding = report.findings.find(({ id }) => id === 'zone.wrong-nxdomain');
    expect(finding?.message).toMatch(/shop\.example\.test has records, but .* NXDOMAIN/);
    expect(finding?.evidence.map(({ text }) => text).join()).toContain('NXDOMAIN for');
  });

  test('AAAA, next to the addresses of an apex', async () => {
    const replace = (query: string): DnsExchange | undefined =>
      query.endsWith(' AAAA example.test') ? NXDOMAIN : undefined;
    const clock = createVirtualClock();
    const checking = check(worldOf(['@ 60 A 192.0.2.80'], { replace }), { domain: 'example.test', clock });
    // For the second query that evidence for an ALIAS needs.
    await until(() => clock.pending > 0);
    await clock.next();
    expect((await checking).found).toContain('zone.wrong-nxdomain block');
  });

  test('is not repeated to resolvers, which would remember it', async () => {
    const replace = (query: string): DnsExchange | undefined =>
      query.endsWith(` AAAA ${SHOP}`) ? NXDOMAIN : undefined;
    const { dns } = await check(worldOf(HEALTHY, { replace }));
    expect(resolverQueries(dns, SHOP)).toEqual([]);
  });

  test('at the name above, which has no records of its own, is a warning', async () => {
    const replace = (query: string): DnsExchange | undefined =>
      query.endsWith(' CAA eu.example.test') ? NXDOMAIN : undefined;
    const world = worldOf([`shop.eu CNAME ${TARGET}.`], { replace });
    const { report, found } = await check(world, { domain: 'shop.eu.example.test' });
    expect(found).toContain('zone.wrong-nxdomain warn');
    expect(report.state).toBe('verified');
  });

  test.each<[string, readonly string[]]>([
    ['the target does not exist', ['shop CNAME gone.example.test.']],
    ['nothing exists', []],
    ['the name above has records too', [...HEALTHY, 'eu A 192.0.2.80']],
  ])('is right if %s', async (_, lines) => {
    expect((await check(worldOf(lines))).found.join()).not.toContain('wrong-nxdomain');
  });

  test('at a server without any record of the name is not wrong: the copy is older', async () => {
    const copies = { [`${NS2} example.test`]: EXAMPLE };
    const { found } = await check(worldOf(HEALTHY, { copies }));
    expect(found.join()).not.toContain('wrong-nxdomain');
  });

  test('at a resolver counts also if the target has no address of that family', async () => {
    const replace = (query: string): DnsExchange | undefined =>
      query === `${RESOLVER} AAAA ${SHOP}` ? { ...NXDOMAIN } : undefined;
    const zones = { 'platform.test': ['@ NS ns', `ns A ${PLATFORM}`, 'cname 60 A 192.0.2.80'] };
    const { report, found } = await check(worldOf(HEALTHY, { replace, zones }));
    expect(found).toContain('prop.stale-negative wait');
    expect(report.state).toBe('propagating');
  });
});
