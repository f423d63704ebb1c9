import { createCheckContext } from '../../src/domain/gather/check-context.js';
import type { CheckOptions, CheckRequest } from '../../src/domain/request/options.js';
import type { Report } from '../../src/domain/report/report.js';
import { createChecker, type CheckerSettings } from '../../src/domain/run/checker.js';
import { pause } from '../../src/time/clock.js';
import { createVirtualClock, until } from '../support/virtual-clock.js';
import { fakeDns, type FakeDns, type World } from './fake-dns.js';

// Loaded before a check loads it: a virtual clock advances while nothing is queried.
import '../../src/domain/advice/find-provider.js';

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
export function contextOf(world: World) {
  const { dns, clock, options, settled } = zoneLab(world);
  const resolvers = (world.resolvers ?? []).map((address) => ({
    server: { address, port: 53, transport: 'dns' as const },
    label: address,
  }));
  const parts = { dns, resolvers, signal: undefined, pause: (delayMs: number) => pause(clock, delayMs) };
  return { context: createCheckContext(parts, options), dns, clock, settled };
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

export const SHOP = 'shop.example.test';
/** The right record of the shop. */
export const RIGHT = `shop CNAME ${TARGET}.`;

/**
 * Simulated servers, and checks that query them. The clock advances only when nothing else happens.
 *
 * @param given The servers, or lines of example.test.
 */
export function zoneLab(
  given: World | readonly string[],
  own: CheckOptions = {},
  settings: CheckerSettings = {},
) {
  const clock = createVirtualClock();
  const dns = fakeDns({ now: clock.monotonic, ...('zones' in given ? given : worldOf(given)) });
  const options = { dns, clock, random: counter(), resolvers: [RESOLVER], ...own };
  const settled = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    work.finally(() => (isOver = true)).catch(() => undefined);
    while (!isOver) {
      await until(() => isOver || clock.pending > 0);
      if (!isOver) await clock.next();
    }
    return work;
  };
  /** Checks the shop. */
  const check = async (request: Partial<CheckRequest> = {}): Promise<Report> => {
    const checker = await createChecker(options, settings);
    const whole = { domain: SHOP, target: TARGET, plan: 'Pro', deployed: true, ...request };
    return settled(checker.check(whole)).finally(() => {
      checker.close();
    });
  };
  return { dns, clock, options, settled, check };
}
