import { describe, expect, test } from 'vitest';
import { addressesOf } from '../../src/domain/run/checks.js';
import type { CheckOptions } from '../../src/domain/request/options.js';
import type { Report } from '../../src/domain/report/report.js';
import type { FakeDns, World } from './fake-dns.js';
import { EXAMPLE, NS1, NS2, TARGET, TLD, worldOf, zoneLab } from './world.js';

const SHOP = `shop CNAME ${TARGET}.`;
/** The addresses that an untrusted zone may name, to reach the network of the machine. */
const INTERNAL = [
  '10.0.0.5',
  '127.0.0.1',
  '0.0.0.0',
  '100.64.0.5',
  '169.254.169.254',
  '192.168.1.1',
  '224.0.0.251',
  '::1',
  'fd00:ec2::254',
  'fe80::1',
  '::ffff:10.0.0.5',
  '64:ff9b::a00:5',
  '2002:a00:5::1',
];

async function check(
  world: World,
  options: CheckOptions = {},
): Promise<{ report: Report; dns: FakeDns; internal: string[] }> {
  const { dns, check: checkShop } = zoneLab(world, options);
  return { report: await checkShop(), dns, internal: internalQueries(dns) };
}

function internalQueries({ queries }: FakeDns): string[] {
  return queries.filter((line) => INTERNAL.includes(line.replace('+rd ', '').split(' ')[0] ?? ''));
}

/** example.test with its only name server at this address, which serves the zone. */
function zoneAt(address: string): World {
  const type = address.includes(':') ? 'AAAA' : 'A';
  const world = worldOf([SHOP]);
  const delegation = ['example NS ns1.example', `ns1.example ${type} ${address}`];
  const glue = (world.zones.test ?? []).filter((line) => !line.includes('example'));
  return {
    ...world,
    zones: {
      ...world.zones,
      test: [...glue, ...delegation],
      'example.test': ['@ NS ns1', `ns1 ${type} ${address}`, SHOP],
    },
    servers: { ...world.servers, [address]: ['example.test'] },
  };
}

describe('a name server at an internal address', () => {
  test.each(INTERNAL)('%s is not queried, and the report says why', async (address) => {
    const { report, internal } = await check(zoneAt(address));
    expect(internal).toEqual([]);
    expect(report.state).toBe('inconclusive');
    const finding = report.findings.find(({ id }) => id === 'zone.unreachable-ns');
    expect(finding).toMatchObject({
      severity: 'unknown',
      message: expect.stringContaining('No name server of example.test was queried'),
      fix: { text: expect.stringContaining('--authoritative-port') },
    });
    expect(finding?.message).toContain(`(${address}): not queried: it is reserved for`);
    // Scripts run these commands.
    expect(JSON.stringify([finding?.evidence, report.next])).not.toContain(`@${address}`);
  });

  test('is queried with an authoritative port', async () => {
    const { report, internal } = await check(zoneAt('10.0.0.5'), { authoritativePort: 53 });
    expect(internal).not.toEqual([]);
    expect(report.state).toBe('verified');
  });

  test.each([['10.0.0.53'], ['127.0.0.53']])('is queried with the resolver %s', async (resolver) => {
    const world = { ...zoneAt('10.0.0.5'), resolvers: [resolver] };
    expect((await check(world, { resolvers: [resolver] })).report.state).toBe('verified');
  });

  test('is not queried because a resolver of the system is at such an address', async () => {
    const systemResolvers = [{ address: '127.0.0.53', port: 53, transport: 'dns' as const }];
    const world = { ...zoneAt('10.0.0.5'), resolvers: ['127.0.0.53'] };
    const { report, dns, internal } = await check(world, {
      resolvers: undefined,
      systemResolvers,
      usePublic: false,
    });
    expect(dns.queries).toContain('+rd 127.0.0.53 NS test');
    expect(internal).toEqual([]);
    expect(report.state).toBe('inconclusive');
  });

  test('causes a warning next to a public one', async () => {
    const glue = `ns2 A 10.0.0.5`;
    const world = worldOf([SHOP], {
      zones: {
        test: [
          ...(worldOf([]).zones.test ?? []).filter((line) => !line.includes(NS2)),
          'ns2.example A 10.0.0.5',
        ],
        'example.test': [...EXAMPLE.filter((line) => !line.includes(NS2)), glue, SHOP],
      },
    });
    const { report, internal } = await check(world);
    expect(internal).toEqual([]);
    expect(report.state).toBe('verified');
    expect(report.findings.find(({ id }) => id === 'zone.unreachable-ns')).toMatchObject({
      severity: 'warn',
      message: expect.stringContaining('ns2.example.test (10.0.0.5): not queried: it is reserved'),
    });
  });
});

describe('an internal address is not queried', () => {
  test.each<[string, Partial<World['zones']>]>([
    ['as the server of a parent', { test: ['@ NS a.nic', 'a.nic A 10.0.0.5'] }],
    [
      'as a server that only the zone lists',
      { 'example.test': [...EXAMPLE, '@ NS ns3', 'ns3 A 10.0.0.5', SHOP] },
    ],
    [
      'in the referral to a zone below',
      { 'example.test': [...EXAMPLE, 'shop NS ns.shop', 'ns.shop A 10.0.0.5'] },
    ],
    [
      'as a server of the target of an alias',
      {
        'example.test': [...EXAMPLE, 'shop CNAME inside.evil.test.'],
        test: [...(worldOf([]).zones.test ?? []), 'evil NS ns.evil', 'ns.evil A 10.0.0.5'],
        'evil.test': ['@ NS ns', 'ns A 10.0.0.5', `inside CNAME ${TARGET}.`],
      },
    ],
    [
      'as an address that a resolver returns for a host',
      {
        'example.test': ['@ NS ns.evil.test.', SHOP],
        test: [
          ...(worldOf([]).zones.test ?? []).filter((line) => !line.includes('example')),
          'example NS ns.evil',
          'evil NS a.evil',
          `a.evil A ${NS1}`,
        ],
        'evil.test': ['@ NS a', `a A ${NS1}`, 'ns A 10.0.0.5'],
      },
    ],
  ])('%s', async (_, zones) => {
    const base = worldOf([SHOP]);
    const world: World = {
      ...base,
      zones: { ...base.zones, ...(zones as World['zones']) },
      servers: { ...base.servers, '10.0.0.5': Object.keys({ ...base.zones, ...zones }) },
    };
    const { internal } = await check(world);
    expect(internal).toEqual([]);
  });

  test('for the addresses of a redirect host', async () => {
    const { dns, options } = zoneLab(zoneAt('10.0.0.5'));
    const found = await addressesOf('shop.example.test', options);
    expect(internalQueries(dns)).toEqual([]);
    expect(found.outcome).toBe('unknown');
    expect(dns.queries.some((line) => line.startsWith(TLD))).toBe(true);
  });
});
