import { expect, test } from 'vitest';
import type { CheckRequest } from '../../../src/domain/request/options.js';
import type { Report } from '../../../src/domain/report/report.js';
import type { World } from '../fake-dns.js';
import { createChecker } from '../../../src/domain/run/checker.js';
import { stubProbe } from '../stub-probe.js';
import { PLATFORM, SHOP, TARGET, worldOf, zoneLab } from '../world.js';

/** Checks with stub probes. Returns the addresses whose certificates were read for the target. */
async function check(
  request: Partial<CheckRequest>,
  world: World,
  serving: readonly string[],
): Promise<{ report: Report; read: string[] }> {
  const read: string[] = [];
  const probe = stubProbe('pending', ({ certificate, target }) => {
    if (certificate?.domain !== target) return undefined;
    const addresses = certificate?.addresses ?? [];
    read.push(...addresses);
    const results = addresses.map((address) => ({
      address,
      result: serving.includes(address) ? 'ok' : 'other',
    }));
    return { certificate: { status: 'active', addresses: results } };
  });
  const { check: checkShop } = zoneLab(world, {}, { probe });
  return { report: await checkShop({ probe: {}, ...request }), read };
}

const severityOf = ({ findings }: Report, id: string) => findings.find((one) => one.id === id)?.severity;

test('accepts an apex whose address serves the certificate of the target', async () => {
  const world = worldOf(['@ A 192.0.2.99']);
  const { report, read } = await check({ domain: 'example.test' }, world, ['192.0.2.99']);
  expect(read).toEqual(['192.0.2.99']);
  expect(report.state).toBe('verified');
  expect(report.findings.find(({ id }) => id === 'apex.alias-consistent')?.message).toBe(
    `example.test resolves to 192.0.2.99. ${TARGET} returned other addresses, but this one serves its certificate.`,
  );
});

test('rejects an apex whose address serves another certificate', async () => {
  const { report } = await check({ domain: 'example.test' }, worldOf(['@ A 192.0.2.99']), []);
  expect(severityOf(report, 'apex.wrong-address')).toBe('block');
});

test.each([
  ['an alias to the target', [`shop CNAME ${TARGET}.`], true],
  ['another address', ['shop A 192.0.2.99'], false],
])(
  'a domain with %s is at a target whose addresses differ in each response: %s',
  async (_, lines, expected) => {
    const seen: unknown[] = [];
    const probe = stubProbe('pending', ({ certificate }) => {
      seen.push(certificate?.isAtTarget);
      return undefined;
    });
    const { dns, options, settled } = zoneLab(lines);
    const { zones } = dns.world;
    let count = 0;
    Object.defineProperty(dns.world, 'zones', {
      get: () => ({
        ...zones,
        'platform.test': ['@ NS ns', `ns A ${PLATFORM}`, `cname A 192.0.2.${String(100 + (count++ % 100))}`],
      }),
    });
    const checker = await createChecker(options, { probe });
    await settled(checker.certificate({ domain: SHOP, target: TARGET }));
    checker.close();
    expect(seen).toEqual([expected]);
  },
);
