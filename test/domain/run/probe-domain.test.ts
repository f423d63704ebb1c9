import { describe, expect, test } from 'vitest';
import type { CheckRequest, FoundAddresses } from '../../../src/domain/request/options.js';
import type { Probe, ProbeRequest } from '../../../src/domain/probe/probe-request.js';
import type { World } from '../fake-dns.js';
import { finding } from '../../../src/domain/report/finding.js';
import { stubProbe } from '../stub-probe.js';
import { NS1, NS2, PLATFORM, RESOLVER, TARGET, TLD, resolverQueries, worldOf, zoneLab } from '../world.js';

const SILENT = { [NS1]: 'silent', [NS2]: 'silent' } as const;
const RIGHT = worldOf([`shop CNAME ${TARGET}.`]);

const setUp = (world: World, probe: Probe) => {
  const { dns, check } = zoneLab(world, {}, { probe });
  return { dns, check: (request: Partial<CheckRequest>) => check({ probe: {}, ...request }) };
};

describe('probes', () => {
  function scripted() {
    const seen: (ProbeRequest & { found: readonly string[] })[] = [];
    const missing = finding('redirect.missing', 'block', { message: '', evidence: [] });
    const probe = stubProbe('active', async (request) => {
      const { certificate, redirects } = request;
      if (certificate !== undefined)
        seen.push({ ...request, found: (await request.addressesOf(TARGET)).addresses });
      if (redirects === undefined) return undefined;
      return { redirects: redirects.map((entry) => ({ ...entry, observed: [] })), findings: [missing] };
    });
    return { probe, seen };
  }

  test('get the addresses of visitors', async () => {
    const { probe, seen } = scripted();
    const report = await setUp(RIGHT, probe).check({ probe: { httpsPort: 8443 } });
    expect(report).toMatchObject({ state: 'active', certificate: { status: 'active' } });
    expect(report).not.toHaveProperty('redirects');
    expect(seen).toMatchObject([
      {
        certificate: { domain: 'shop.example.test', addresses: ['192.0.2.80', '2001:db8::80'] },
        target: TARGET,
        probe: { httpsPort: 8443 },
        found: ['192.0.2.80', '2001:db8::80'],
      },
    ]);
  });

  test('leave out the old address in the cache of a resolver', async () => {
    const { probe, seen } = scripted();
    const cached = { 'A shop.example.test': ['@ 120 A 192.0.2.99'] };
    const report = await setUp({ ...RIGHT, cached }, probe).check({});
    expect(report.findings.map(({ id }) => id)).toContain('prop.stale-positive');
    expect(seen).toMatchObject([{ certificate: { addresses: ['192.0.2.80', '2001:db8::80'] } }]);
  });

  test('do not check the certificate before the record is right, or if it is not wanted', async () => {
    const { probe, seen } = scripted();
    await setUp(worldOf([]), probe).check({});
    await setUp(RIGHT, probe).check({ certificate: false });
    expect(seen).toEqual([]);
  });

  test('of redirects add findings to the report', async () => {
    const { probe } = scripted();
    const redirects = [{ from: 'www.example.test', to: 'shop.example.test', status: 301 }];
    const report = await setUp(RIGHT, probe).check({ redirects });
    expect(report.redirects).toMatchObject([{ from: 'www.example.test' }]);
    expect(report.findings[0]?.id).toBe('redirect.missing');
  });
});

describe('redirects', () => {
  const HOST = 'new.example.test';
  const entries = [{ from: HOST, to: 'shop.example.test', status: 301 }];

  /** The context of the redirect probe, and the addresses that it found for another host. */
  async function probeRedirects(
    world: World,
    { status = 'active', ...request }: Partial<CheckRequest> & { status?: 'active' | 'pending' } = {},
  ) {
    const seen: { own: FoundAddresses; found: readonly string[] }[] = [];
    const probe = stubProbe(status, async ({ redirects, addressesOf }) => {
      if (redirects === undefined) return undefined;
      const { addresses: found } = await addressesOf(HOST);
      seen.push({ own: await addressesOf('shop.example.test'), found });
      return { redirects: [] };
    });
    const { check, dns } = setUp(world, probe);
    const report = await check({ redirects: entries, ...request });
    return { seen, dns, report };
  }

  test.each<[string, string[], string[]]>([
    ['an old address', ['shop A 192.0.2.99'], ['192.0.2.99']],
    ['another name of the zone', ['shop CNAME old', 'old A 192.0.2.98'], ['192.0.2.98']],
    ['a name elsewhere', ['shop CNAME ns.platform.test.'], [PLATFORM]],
  ])('are probed at the addresses of the domain: %s', async (_name, lines, addresses) => {
    const { seen } = await probeRedirects(worldOf(lines));
    expect(seen).toMatchObject([{ own: { outcome: 'found', addresses } }]);
  });

  test.each<[string, World, FoundAddresses['outcome']]>([
    ['its servers say', worldOf([]), 'missing'],
    ['its alias leads nowhere', worldOf(['shop CNAME gone.platform.test.']), 'missing'],
    ['it is unregistered', worldOf([], { zones: { test: ['@ NS a.nic', `a.nic A ${TLD}`] } }), 'missing'],
    ['its servers do not respond', worldOf([], { faults: SILENT }), 'unknown'],
    ['its AAAA queries fail', worldOf(['shop TXT x'], { rcodes: failing('AAAA') }), 'unknown'],
    ['its name servers are unknown', { ...RIGHT, faults: { [RESOLVER]: 'REFUSED' } }, 'unknown'],
    [
      'its target is unknown',
      { ...RIGHT, rcodes: refusing('A', 'AAAA'), faults: { [PLATFORM]: 'silent' } },
      'unknown',
    ],
  ])('get the missing addresses of the domain as %s', async (_name, world, outcome) => {
    const { seen } = await probeRedirects(world);
    expect(seen).toMatchObject([{ own: { outcome, addresses: [] } }]);
  });

  test("are probed at the target's addresses if no resolver responds", async () => {
    const { seen } = await probeRedirects({ ...RIGHT, rcodes: refusing('A', 'AAAA') });
    expect(seen).toMatchObject([{ own: { addresses: ['192.0.2.80', '2001:db8::80'] } }]);
  });

  test('query no resolver for hosts that may not exist yet', async () => {
    const { seen, dns } = await probeRedirects(
      worldOf([`shop CNAME ${TARGET}.`], { faults: { [NS1]: 'silent', [NS2]: 'silent' } }),
    );
    expect(seen).toMatchObject([{ found: [] }]);
    expect(resolverQueries(dns, HOST)).toEqual([]);
  });

  test('may be probed at a host that only a resolver knows', async () => {
    const { seen, dns } = await probeRedirects(
      worldOf([`${HOST}. A 192.0.2.97`], { faults: { [NS1]: 'silent', [NS2]: 'silent' } }),
      { probe: { connect: HOST } },
    );
    expect(seen).toMatchObject([{ found: ['192.0.2.97'] }]);
    expect(resolverQueries(dns, HOST)).not.toEqual([]);
  });
});

function failing(type: string): NonNullable<World['rcodes']> {
  return Object.fromEntries([NS1, NS2].map((ns) => [`${ns} ${type} shop.example.test`, 'SERVFAIL']));
}

function refusing(...types: string[]): NonNullable<World['rcodes']> {
  const names = ['shop.example.test', TARGET];
  const questions = names.flatMap((name) => types.map((type) => `${RESOLVER} ${type} ${name}`));
  return Object.fromEntries(questions.map((question) => [question, 'REFUSED']));
}
