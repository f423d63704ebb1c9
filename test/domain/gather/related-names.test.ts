import { describe, expect, test } from 'vitest';
import { queryServers } from '../../../src/domain/gather/servers.js';
import { gatherRelatedNames } from '../../../src/domain/gather/related-names.js';
import { findZone } from '../../../src/domain/gather/zone.js';
import type { World } from '../fake-dns.js';
import { NS1, NS2, TARGET, contextOf, worldOf } from '../world.js';

async function around(name: string, world: World) {
  const { context, dns } = contextOf(world);
  const { zone } = await findZone(context, name);
  const servers = await queryServers(context, { zone, name, isThorough: true });
  const before = dns.queries.length;
  const { wildcard, others, doubled, doubledControl } = await gatherRelatedNames(context, zone.name, name, {
    servers,
    isThorough: true,
    target: TARGET,
  });
  return {
    wildcard: wildcard?.name,
    others: others?.flatMap(({ records }) => records.map(({ data }) => data.type)),
    doubled: doubled?.outcome,
    control: doubledControl?.outcome,
    queries: dns.queries.slice(before).map((line) => line.replace(/\b[0-9a-v]{12}\./, 'RANDOM.')),
  };
}

const NAME = 'shop.example.test';
const OTHERS = ['SRV', 'NAPTR', 'SSHFP', 'TLSA'].map((type) => `${NS1} ${type} ${NAME}`);

describe('of an existing record', () => {
  test('queries a random sibling, and less common types at one server', async () => {
    expect(await around(NAME, worldOf([`shop CNAME ${TARGET}.`]))).toEqual({
      wildcard: undefined,
      others: [],
      doubled: undefined,
      control: undefined,
      queries: [`${NS2} CNAME RANDOM.example.test`, ...OTHERS],
    });
  });

  test.each([
    ['that is right', [`shop CNAME ${TARGET}.`], 0],
    ['to another host', ['shop CNAME other.test.'], 1],
    ['with an address next to it', [`shop CNAME ${TARGET}.`, 'shop A 192.0.2.9'], 1],
  ])('queries MX of the zone for an alias %s: %#', async (_, lines, count) => {
    const { queries } = await around(NAME, worldOf(lines));
    expect(queries.filter((line) => line.includes(' MX example.test'))).toHaveLength(count);
  });

  test('does not report a wildcard that has the same records as the domain', async () => {
    const { wildcard, queries } = await around(
      NAME,
      worldOf([`shop CNAME ${TARGET}.`, `* CNAME ${TARGET}.`]),
    );
    expect(wildcard).toBeUndefined();
    expect(queries).toEqual([`${NS2} CNAME RANDOM.example.test`, ...OTHERS, `${NS2} CNAME RANDOM.${NAME}`]);
  });

  test('does not report a wildcard below the domain', async () => {
    const { wildcard } = await around(NAME, worldOf([`shop CNAME ${TARGET}.`, `*.shop CNAME ${TARGET}.`]));
    expect(wildcard).toBeUndefined();
  });

  test.each<[string, string, string[], string]>([
    ['beside', NAME, [`* CNAME ${TARGET}.`], '*.example.test'],
    ['of an address', NAME, ['* A 198.51.100.1'], '*.example.test'],
    ['of mail alone', NAME, ['* MX 10 mail'], '*.example.test'],
    ['far above', 'a.b.example.test', [`* CNAME ${TARGET}.`], '*.example.test'],
    ['of a name above that exists', 'a.b.example.test', [`*.b CNAME ${TARGET}.`], '*.b.example.test'],
    [
      'the nearer of two',
      'a.b.example.test',
      [`*.b CNAME ${TARGET}.`, `* CNAME ${TARGET}.`],
      '*.b.example.test',
    ],
    [
      'of a name above with the same record',
      'a.b.example.test',
      [`*.b CNAME ${TARGET}.`, `b CNAME ${TARGET}.`],
      '*.b.example.test',
    ],
  ])('finds a wildcard %s', async (_, name, lines, expected) => {
    expect((await around(name, worldOf(lines))).wildcard).toBe(expected);
  });

  test('queries the newer of two copies', async () => {
    const world = worldOf(['@ SOA ns1 2', `shop CNAME ${TARGET}.`], {
      copies: { [`${NS1} example.test`]: ['@ SOA ns1 1', '@ NS ns1', `* CNAME ${TARGET}.`] },
    });
    const { wildcard, queries } = await around(NAME, world);
    expect([wildcard, queries]).toEqual([undefined, [`${NS2} CNAME RANDOM.example.test`, ...OTHERS]]);
  });

  test('queries other types of a name without an alias', async () => {
    const { others, queries } = await around(NAME, worldOf(['shop SRV 1 2 443 host']));
    expect(others).toEqual(['SRV']);
    expect(queries).toEqual(expect.arrayContaining([`${NS1} SRV ${NAME}`, `${NS1} SSHFP ${NAME}`]));
    expect((await around(NAME, worldOf([]))).others).toBeUndefined();
  });

  test('queries other types next to an alias too', async () => {
    const world = worldOf([`shop CNAME ${TARGET}.`, 'shop SRV 1 2 443 host']);
    expect((await around(NAME, world)).others).toEqual(['SRV']);
  });

  test('skips servers that failed for one less common type', async () => {
    const rcodes = { [`${NS1} HTTPS ${NAME}`]: 'SERVFAIL' };
    const { queries } = await around(NAME, worldOf([`shop CNAME ${TARGET}.`], { rcodes }));
    expect(queries).toContain(`${NS2} SRV ${NAME}`);
    expect(queries).not.toContain(`${NS1} SRV ${NAME}`);
  });
});

describe('of a missing record', () => {
  test('queries the doubled name, and a control', async () => {
    expect(await around(NAME, worldOf([`${NAME} CNAME ${TARGET}.`]))).toEqual({
      wildcard: undefined,
      others: undefined,
      doubled: 'value',
      control: 'nxdomain',
      queries: [`${NS1} CNAME ${NAME}.example.test`, `${NS1} CNAME RANDOM.example.test.example.test`],
    });
  });

  test('finds records for both if there is a wildcard', async () => {
    const { doubled, control } = await around(
      NAME,
      worldOf([`*.example.test CNAME ${TARGET}.`, 'shop TXT hello']),
    );
    expect([doubled, control]).toEqual(['value', 'value']);
  });

  test('does not query a name that is too long', async () => {
    const long = `${Array(3).fill('a'.repeat(60)).join('.')}.${'b'.repeat(50)}.example.test`;
    expect(long.length).toBeLessThanOrEqual(253);
    expect((await around(long, worldOf([]))).queries).toEqual([]);
  });
});

test('makes no queries for an apex, or if no server responds', async () => {
  expect((await around('example.test', worldOf([]))).queries).toEqual([]);
  const faults = { [NS1]: 'silent', [NS2]: 'silent' } as const;
  expect((await around(NAME, worldOf([], { faults }))).queries).toEqual([]);
});
