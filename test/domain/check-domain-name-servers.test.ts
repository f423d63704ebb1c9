import { describe, expect, test } from 'vitest';
import { glueDifferences } from '../../src/domain/gather/delegation.js';
import { checkShop, RIGHT, SHOP, summary, tld } from './checked-domain.js';
import { respond, type World } from './fake-dns.js';
import { a, ns } from './facts-builder.js';
import { NS1, NS2, RESOLVER, TARGET, TLD, worldOf, zoneLab } from './world.js';

/** The finding of the report that blocks first, or the first one. */
async function firstFinding(world: World, domain = SHOP) {
  const { report } = await checkShop({ domain, issuer: 'letsencrypt.org' }, world);
  return { report, first: report.findings[0] };
}

describe('a target that was entered as a name server', () => {
  test('with type NS instead of CNAME', async () => {
    const { report, first } = await firstFinding(worldOf([`shop NS ${TARGET}.`]));
    expect(summary(report)).toEqual('action-required: conflict.other-types block');
    expect(first?.message).toContain(`${SHOP} has the record NS ${TARGET}`);
    expect(first?.fix?.text).toContain(`from NS to CNAME: CNAME shop -> ${TARGET}, TTL 3600.`);
    expect(first?.evidence[0]?.command).toBe(`dig +norecurse @${NS1} ${SHOP} NS`);
    expect(report.expected).toMatchObject([{ type: 'CNAME', label: 'shop' }]);
  });

  test('at the registrar', async () => {
    const zones = tld([`example NS ${TARGET}.`]);
    const { report } = await firstFinding(worldOf([], { zones }));
    expect(report.state).toBe('action-required');
    const finding = report.findings.find(({ id }) => id === 'zone.lame-ns');
    expect(finding).toMatchObject({ severity: 'block' });
    expect(finding?.message).toContain(`The target ${TARGET} is entered as a name server of example.test`);
    expect(finding?.fix?.text).toMatch(
      /^At your registrar, enter the name servers of your DNS provider instead/,
    );
  });

  test('is not confused with a zone of its own', async () => {
    const world = worldOf([`shop NS ns1`], {
      zones: { [SHOP]: ['@ NS ns1.example.test.', '@ A 192.0.2.80'] },
    });
    const servers = { ...world.servers, [NS1]: ['example.test', SHOP] };
    const { report } = await firstFinding({ ...world, servers });
    expect(report.kind).toBe('apex');
  });
});

test('an IP address that was entered as a name server', async () => {
  const world = worldOf([], { zones: tld(['example NS 192.0.2.9.']) });
  const { report, first } = await firstFinding(world);
  expect(report.state).toBe('action-required');
  expect(first?.id).toBe('zone.no-delegation');
  expect(first?.message).toContain(
    '192.0.2.9 is an IP address, but name servers are entered by their host names.',
  );
});

test('one resolver that denies the name servers does not show that they have no address', async () => {
  const denying = '192.0.2.99';
  const world = worldOf([], {
    zones: {
      ...tld(['example NS ns1.hoster', 'example NS ns2.hoster', 'hoster NS ns.platform']),
      'hoster.test': [`ns1 A ${NS1}`, `ns2 A ${NS2}`],
      'example.test': ['@ NS ns1.hoster.test.', '@ NS ns2.hoster.test.', RIGHT],
    },
    resolvers: [denying, RESOLVER],
    replace: (query) =>
      new RegExp(`^${denying} A+ ns\\d\\.hoster\\.test$`).test(query)
        ? respond({ rcode: 'NXDOMAIN', recursionAvailable: true })
        : undefined,
  });
  const report = await zoneLab(world, { resolvers: [denying, RESOLVER] }).check();
  expect(report.findings.map(({ id }) => id)).not.toContain('zone.no-delegation');
  expect(report.state).toBe('verified');
});

test('name servers that refuse the zone only over IPv6 stay in the list', async () => {
  const [six1, six2] = ['2001:db8::11', '2001:db8::12'];
  const world = worldOf([], {
    zones: {
      ...tld(['example NS ns1.hoster', 'example NS ns2.hoster', 'hoster NS ns.platform']),
      'hoster.test': [`ns1 A ${NS1}`, `ns1 AAAA ${six1}`, `ns2 A ${NS2}`, `ns2 AAAA ${six2}`],
      'example.test': ['@ NS ns1.hoster.test.', '@ NS ns2.hoster.test.', RIGHT],
    },
    faults: { [six1]: 'REFUSED', [six2]: 'REFUSED' },
  });
  const { report } = await firstFinding(world);
  const { message, fix } = report.findings.find(({ id }) => id === 'zone.lame-ns')!;
  expect(message).toContain(`ns1.hoster.test (${six1}) and ns2.hoster.test (${six2}): REFUSED`);
  expect(fix?.text).toContain(`At the provider of ns1.hoster.test (${six1}) and ns2.hoster.test (${six2})`);
  expect(fix?.text).toContain('Or correct the addresses of ns1.hoster.test and ns2.hoster.test.');
  expect(fix?.text).not.toMatch(/remove/i);
});

test.each([NS1, NS2])('the other server does not respond: %s stays in the list', async (refusing) => {
  const faults = { [NS1]: 'silent', [NS2]: 'silent', [refusing]: 'REFUSED' } as const;
  const { report } = await firstFinding(worldOf([RIGHT], { faults }));
  const { severity, fix } = report.findings.find(({ id }) => id === 'zone.lame-ns')!;
  expect(severity).toBe('warn');
  expect(fix?.text).not.toMatch(/remove/i);
});

test('a name server that is an alias', async () => {
  const world = worldOf([RIGHT], {
    zones: {
      ...tld(['example NS alias.hoster', 'hoster NS ns.hoster', `ns.hoster A ${NS2}`]),
      'hoster.test': ['@ NS ns', `ns A ${NS2}`, 'alias CNAME real', `real A ${NS1}`],
      'example.test': ['@ NS alias.hoster.test.', RIGHT],
    },
    servers: { [NS2]: ['hoster.test'] },
  });
  const { report } = await firstFinding({
    ...world,
    servers: { ...world.servers, [TLD]: ['test'], [NS1]: ['example.test'], '192.0.2.21': ['platform.test'] },
  });
  expect(report.state).toBe('verified');
  const finding = report.findings.find(({ id }) => id === 'zone.lame-ns');
  expect(finding).toMatchObject({ severity: 'warn' });
  expect(finding?.message).toContain('alias.hoster.test is an alias of real.hoster.test');
  expect(finding?.fix?.text).toContain('enter real.hoster.test instead of alias.hoster.test');
});

describe('glue', () => {
  const zone = { name: 'example.test', parentHosts: ['ns1.example.test', 'ns.other.test'] };
  const glueOf = (address: string) => [
    a('ns1.example.test', address, 3600),
    ns('example.test', 'ns1.example.test'),
  ];

  test.each([
    ['equal', '192.0.2.1', '192.0.2.1', 0],
    ['another address', '192.0.2.1', '192.0.2.2', 1],
  ])('with %s', (_, atParent, inZone, count) => {
    expect(glueDifferences({ ...zone, parentGlue: glueOf(atParent) }, glueOf(inZone))).toHaveLength(count);
  });

  test('is not compared if the zone shows no address', () =>
    expect(glueDifferences({ ...zone, parentGlue: glueOf('192.0.2.1') }, [])).toEqual([]));

  test('with one more address in the zone is not outdated', () => {
    const own = [...glueOf('192.0.2.1'), ...glueOf('192.0.2.2')];
    expect(glueDifferences({ ...zone, parentGlue: glueOf('192.0.2.1') }, own)).toEqual([]);
  });
});
