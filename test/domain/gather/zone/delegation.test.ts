import { describe, expect, test } from 'vitest';
import { findDelegation } from '../../../../src/domain/gather/zone/delegation.js';
import type { World } from '../../fake-dns.js';
import { RESOLVER, TLD, contextOf, worldOf } from '../../world.js';

async function delegationOf(registrable: string, world: World) {
  const { context, dns } = contextOf(world);
  const { lookup, hosts, glue } = await findDelegation(context, registrable);
  return {
    outcome: lookup?.outcome,
    by: lookup?.server.address,
    hosts,
    glue: glue.length,
    queries: dns.queries,
  };
}

describe('the delegation', () => {
  test('is the NS records of the parent, with its glue', async () => {
    const { outcome, by, hosts, glue, queries } = await delegationOf('example.test', worldOf([]));
    expect({ outcome, by, hosts, glue }).toEqual({
      outcome: 'value',
      by: TLD,
      hosts: ['ns1.example.test', 'ns2.example.test'],
      glue: 2,
    });
    expect(queries).not.toContain(`+rd ${RESOLVER} NS example.test`);
  });

  test('of an unregistered name is not queried at a resolver', async () => {
    const { outcome, by, queries } = await delegationOf('nowhere.test', worldOf([]));
    expect([outcome, by]).toEqual(['nxdomain', TLD]);
    expect(queries.some((line) => line.startsWith('+rd') && line.includes('nowhere'))).toBe(false);
  });

  test('is queried at the next server of the parent if one does not respond', async () => {
    const world = worldOf([], { faults: { '192.0.2.2': 'silent' }, servers: { '192.0.2.2': ['test'] } });
    const zones = { ...world.zones, test: ['@ NS a.a', 'a.a A 192.0.2.2', ...(world.zones.test ?? [])] };
    expect((await delegationOf('example.test', { ...world, zones })).by).toBe(TLD);
  });

  test('is queried at a resolver if the parent does not respond', async () => {
    const { outcome, by, hosts } = await delegationOf(
      'example.test',
      worldOf([], { faults: { [TLD]: 'silent' } }),
    );
    expect([outcome, by, hosts]).toEqual(['value', RESOLVER, ['ns1.example.test', 'ns2.example.test']]);
  });

  test('is unknown if no server responds', async () => {
    const faults = { [TLD]: 'silent', [RESOLVER]: 'silent' } as const;
    const { outcome, hosts } = await delegationOf('example.test', worldOf([], { faults }));
    expect([outcome, hosts]).toEqual(['failed', []]);
  });

  test('below a suffix that is not a zone comes from the zone above', async () => {
    // In the public suffix list, city.kobe.jp is an exception, and c.kobe.jp a suffix.
    const world = worldOf([], {
      zones: {
        'kobe.jp': ['@ NS ns', 'ns A 192.0.2.71', 'example.c NS ns1.example.test.'],
        'example.c.kobe.jp': ['@ NS ns1.example.test.'],
      },
      servers: { '192.0.2.71': ['kobe.jp'] },
    });
    const { by, hosts } = await delegationOf('example.c.kobe.jp', world);
    expect([by, hosts]).toEqual(['192.0.2.71', ['ns1.example.test']]);
  });

  test("may come from a parent's server that serves the zone itself", async () => {
    const world = worldOf([], { servers: { [TLD]: ['test', 'example.test'] } });
    const { outcome, hosts } = await delegationOf('example.test', world);
    expect([outcome, hosts]).toEqual(['value', ['ns1.example.test', 'ns2.example.test']]);
  });
});
