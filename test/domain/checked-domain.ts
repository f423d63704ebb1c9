import { describe, expect, test } from 'vitest';
import type { CheckRequest } from '../../src/domain/request/options.js';
import type { Report } from '../../src/domain/report/report.js';
import type { World } from './fake-dns.js';
import { PLATFORM, resolverQueries, SHOP, TLD, zoneLab } from './world.js';

export { RIGHT, SHOP } from './world.js';

/** Checks a domain, by default the shop. */
export async function checkShop(
  { domain = SHOP, ...request }: Partial<CheckRequest>,
  given: World | readonly string[],
): Promise<{ report: Report; recursive: string[] }> {
  const { dns, check } = zoneLab(given);
  return { report: await check({ domain, ...request }), recursive: resolverQueries(dns, domain) };
}

/** The lines of example.test or all servers, the summary of the report, and the domain if it is another one. */
type Check = readonly [given: World | readonly string[], expected: string, domain?: string];

/**
 * Tests checks of domains, for which Let's Encrypt issues. Resolvers must be queried only if all of them are in the
 * report.
 */
export function testChecks(about: string, usualDomain: string, cases: Readonly<Record<string, Check>>): void {
  describe(about, () => {
    test.each(Object.entries(cases))('%s', async (_, [given, expected, domain = usualDomain]) => {
      const { report, recursive } = await checkShop({ issuer: 'letsencrypt.org', domain }, given);
      expect(summary(report)).toBe(expected);
      const areResolversQueried = report.observed.recursive.length > 0;
      // A SERVFAIL is followed by the same query with the CD flag.
      expect(new Set(recursive).size).toBe(areResolversQueried ? 2 : 0);
    });
  });
}

/** The state, where the record is if that is not a subdomain of example.test, then the findings with their severity, if not info. */
export function summary({ state, kind, zone, decidedBy, findings }: Report): string {
  const isUsual = zone === 'example.test' && decidedBy === 'zone-cut';
  const place = isUsual ? (kind === 'apex' ? ', apex' : '') : `, ${kind} in ${zone} by ${decidedBy}`;
  const found = findings.map(({ id, severity }) => (severity === 'info' ? id : `${id} ${severity}`));
  return `${state}${place}: ${found.join(', ')}`;
}

/** The top-level domain with the platform and the given lines. */
export function tld(lines: readonly string[]): World['zones'] {
  return {
    test: ['@ NS a.nic', `a.nic A ${TLD}`, 'platform NS ns.platform', `ns.platform A ${PLATFORM}`, ...lines],
  };
}
