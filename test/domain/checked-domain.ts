import { expect } from 'vitest';
import { checkDomain } from '../../src/domain/checks.js';
import type { CheckRequest } from '../../src/domain/report/options.js';
import type { Report } from '../../src/domain/report/report.js';
import { createVirtualClock, until } from '../support/virtual-clock.js';
import { fakeDns, type World } from './fake-dns.js';
import { counter, PLATFORM, resolverQueries, RESOLVER, TARGET, TLD } from './world.js';

export const SHOP = 'shop.example.test';
/** The right record of the shop. */
export const RIGHT = `shop CNAME ${TARGET}.`;

/** Checks the shop, with a clock that advances only when nothing else happens. */
export async function checkShop(
  request: Partial<CheckRequest>,
  world: World,
): Promise<{ report: Report; recursive: string[] }> {
  const clock = createVirtualClock();
  const dns = fakeDns({ now: clock.monotonic, ...world });
  let done = false;
  const whole = { domain: SHOP, target: TARGET, plan: 'Pro', deployed: true, ...request };
  const options = { dns, clock, random: counter(), resolvers: [RESOLVER] };
  const promise = checkDomain(whole, options).finally(() => (done = true));
  promise.catch(() => undefined);
  await until(() => done || clock.pending > 0);
  if (!done) await clock.next();
  const report = await promise;
  return { report, recursive: resolverQueries(dns, whole.domain) };
}

/** Checks the shop, for which Let's Encrypt issues. Resolvers must be queried only if all of them are in the report. */
export async function expectSubdomainFindings(world: World, expected: readonly string[]): Promise<void> {
  const { report, recursive } = await checkShop({ issuer: 'letsencrypt.org' }, world);
  expect(summary(report)).toEqual(expected);
  const areResolversQueried = report.observed.recursive.length > 0;
  // A SERVFAIL is followed by the same query with the CD flag.
  expect(new Set(recursive).size).toBe(areResolversQueried ? 2 : 0);
}

/** State, then the findings' ids by severity. */
export function summary({ state, kind, zone, decidedBy, findings }: Report): string[] {
  return [
    `${state}: ${kind} in ${zone} by ${decidedBy}`,
    ...findings.map(({ id, severity }) => `${id} ${severity}`),
  ];
}

/** The top-level domain with the platform and the given lines. */
export function tld(lines: readonly string[]): World['zones'] {
  return {
    test: ['@ NS a.nic', `a.nic A ${TLD}`, 'platform NS ns.platform', `ns.platform A ${PLATFORM}`, ...lines],
  };
}
