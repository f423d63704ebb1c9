// Loaded before a check loads it: a virtual clock advances while nothing is queried.
import '../../src/domain/provider/find-provider.js';
import { createCheckContext, type CheckContext } from '../../src/domain/gather/check-context.js';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.js';
import { fakeDns, type FakeDns, type World } from './fake-dns.js';

/** The target in all tests. */
export const TARGET = 'cname.platform.test';

/** Addresses of the servers below. */
export const TLD = '192.0.2.1';
export const NS1 = '192.0.2.11';
export const NS2 = '192.0.2.12';
export const PLATFORM = '192.0.2.21';
export const RESOLVER = '192.0.2.53';

/** Lines of every version of example.test. */
export const EXAMPLE = ['@ NS ns1', '@ NS ns2', `ns1 A ${NS1}`, `ns2 A ${NS2}`];

/**
 * Servers for the top-level domain test, the platform, and example.test on two servers.
 *
 * @param example Lines of example.test in addition to its name servers.
 */
export function worldOf(example: readonly string[], overrides: Partial<World> = {}): World {
  const { zones, servers, ...rest } = overrides;
  return {
    zones: {
      test: [
        '@ NS a.nic',
        `a.nic A ${TLD}`,
        'example NS ns1.example',
        'example NS ns2.example',
        `ns1.example A ${NS1}`,
        `ns2.example A ${NS2}`,
        'platform NS ns.platform',
        `ns.platform A ${PLATFORM}`,
      ],
      'platform.test': ['@ NS ns', `ns A ${PLATFORM}`, 'cname 60 A 192.0.2.80', 'cname 60 AAAA 2001:db8::80'],
      'example.test': [...EXAMPLE, ...example],
      ...zones,
    },
    servers: {
      [TLD]: ['test'],
      [NS1]: ['example.test'],
      [NS2]: ['example.test'],
      [PLATFORM]: ['platform.test'],
      ...servers,
    },
    resolvers: [RESOLVER],
    ...rest,
  };
}

/** A context with simulated servers, and a clock that stands still. */
export function contextOf(world: World): { context: CheckContext; dns: FakeDns; clock: VirtualClock } {
  const clock = createVirtualClock();
  const dns = fakeDns({ now: clock.monotonic, ...world });
  const resolvers = (world.resolvers ?? []).map((address) => ({
    server: { address, port: 53, transport: 'dns' as const },
    label: address,
  }));
  const context = createCheckContext({ dns, resolvers, signal: undefined }, { clock, random: counter() });
  return { context, dns, clock };
}

/** Pseudo-random numbers, the same in each test run. */
export function counter(): () => number {
  let state = 1;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The queries for a name that resolvers received. */
export function resolverQueries(dns: FakeDns, name: string): string[] {
  return dns.queries.filter((line) => line.startsWith('+rd ') && line.endsWith(` ${name}`));
}
