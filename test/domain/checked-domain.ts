import { expect } from 'vitest';
import type { CheckRequest } from '../../src/domain/report/options.js';
import type { Report } from '../../src/domain/report/report.js';
import type { World } from './fake-dns.js';
import { PLATFORM, resolverQueries, SHOP, TLD, zoneLab } from './world.js';

export { RIGHT, SHOP } from './world.js';

/** Checks the shop. */
export async function checkShop(
  request: Partial<CheckRequest>,
  world: World,
): Promise<{ report: Report; recursive: string[] }> {
  const { dns, check } = zoneLab(world);
  return { report: await check(request), recursive: resolverQueries(dns, request.domain ?? SHOP) };
}

/** Checks the shop, for which Let's Encrypt issues. Resolvers must be queried only if all of them are in the report. */
export async function expectSubdomainFindings(world: World, expected: string): Promise<void> {
  const { report, recursive } = await checkShop({ issuer: 'letsencrypt.org' }, world);
  expect(summary(report)).toEqual(expected);
  const areResolversQueried = report.observed.recursive.length > 0;
  // A SERVFAIL is followed by the same query with the CD flag.
  expect(new Set(recursive).size).toBe(areResolversQueried ? 2 : 0);
}

/** The state, where the record is if that is not a subdomain of example.test, then the findings. */
export function summary({ state, kind, zone, decidedBy, findings }: Report): string {
  const isUsual = zone === 'example.test' && decidedBy === 'zone-cut';
  const place = isUsual ? (kind === 'apex' ? ', apex' : '') : `, ${kind} in ${zone} by ${decidedBy}`;
  return `${state}${place}: ${findings.map(({ id, severity }) => `${id} ${severity}`).join(', ')}`;
}

/** The top-level domain with the platform and the given lines. */
export function tld(lines: readonly string[]): World['zones'] {
  return {
    test: ['@ NS a.nic', `a.nic A ${TLD}`, 'platform NS ns.platform', `ns.platform A ${PLATFORM}`, ...lines],
  };
}
