import { describe, expect, test } from 'vitest';
import { checkDomains } from '../../src/domain/run/checks.js';
import type { CheckRequest } from '../../src/domain/request/options.js';
import type { Report } from '../../src/domain/report/report.js';
import { settle } from '../support/virtual-clock.js';
import type { World } from './fake-dns.js';
import { NS1, RESOLVER, TARGET, TLD, worldOf, zoneLab } from './world.js';

/** Zones d0.test, d1.test, … on one server, each with names w0, w1, … that are right. */
function manyZones(zones: number, names: number, lines: readonly string[] = []): World {
  const labels = Array.from({ length: zones }, (_, index) => `d${String(index)}`);
  const base = worldOf([]);
  const records = Array.from({ length: names }, (_, index) => `w${String(index)} CNAME ${TARGET}.`);
  const own = labels.map((label): [string, string[]] => [
    `${label}.test`,
    ['@ NS ns', `ns A ${NS1}`, ...records, ...lines],
  ]);
  const cuts = labels.flatMap((label) => [`${label} NS ns.${label}`, `ns.${label} A ${NS1}`]);
  return {
    ...base,
    zones: { ...base.zones, test: [...(base.zones.test ?? []), ...cuts], ...Object.fromEntries(own) },
    servers: { ...base.servers, [NS1]: own.map(([name]) => name) },
  };
}

function requestsFor(names: readonly string[]): CheckRequest[] {
  return names.map((domain) => ({ domain, target: TARGET, plan: 'Pro', deployed: true }));
}

async function collect(reports: AsyncIterable<Report>): Promise<Report[]> {
  const list: Report[] = [];
  for await (const report of reports) list.push(report);
  return list;
}

describe('many domains', () => {
  const names = Array.from({ length: 60 }, (_, index) => `w${String(index % 20)}.d${String(index % 3)}.test`);

  test('are reported in the order of the requests', async () => {
    const { options } = zoneLab(manyZones(3, 20));
    const reports = await collect(checkDomains(requestsFor(names), options));
    expect(reports.map(({ domain }) => domain.input)).toEqual(names);
    expect(new Set(reports.map(({ state }) => state))).toEqual(new Set(['verified']));
  });

  test('share zones, servers, siblings and the target', async () => {
    const { dns, options } = zoneLab(manyZones(3, 20));
    await collect(checkDomains(requestsFor(names), options));
    const count = (text: string): number => dns.queries.filter((line) => line.includes(text)).length;
    expect(count(`+rd ${RESOLVER} NS test`)).toBe(1);
    expect(count(`${TLD} NS d0.test`)).toBe(1);
    expect(count(`${NS1} NS d0.test`)).toBe(1);
    expect(count(`SOA d0.test`)).toBe(0);
    expect(count(`${NS1} CAA d0.test`)).toBe(1);
    expect(count(` A ${TARGET}`)).toBe(1);
    expect(count(` CAA ${TARGET}`)).toBe(1);
    // Six types and CAA; then two by the resolver. Beyond that, a handful for each zone.
    expect(dns.queries.length).toBeLessThanOrEqual(60 * (7 + 2) + 3 * 8 + 12);
  });

  test('run at most `concurrency` checks at a time', async () => {
    const { dns, options } = zoneLab(manyZones(3, 20));
    let running = 0;
    let most = 0;
    const ask = dns.query.bind(dns);
    dns.query = async (...question) => {
      running += 1;
      most = Math.max(most, running);
      const exchange = await ask(...question);
      running -= 1;
      return exchange;
    };
    await collect(checkDomains(requestsFor(names), { ...options, concurrency: 2 }));
    expect(most).toBeLessThanOrEqual(2 * 12);
    expect(most).toBeGreaterThan(4);
  });

  test('are read only as they are needed', async () => {
    const { options } = zoneLab(manyZones(1, 20));
    let taken = 0;
    function* endless(): Generator<CheckRequest> {
      for (;;) {
        taken += 1;
        yield { domain: `w${String(taken % 20)}.d0.test`, target: TARGET };
      }
    }
    for await (const report of checkDomains(endless(), { ...options, concurrency: 1 })) {
      expect(report.domain.ascii).toBe('w1.d0.test');
      break;
    }
    expect(taken).toBeLessThanOrEqual(9);
  });

  test('that wait for a TTL to count down do not block others', async () => {
    const lab = zoneLab(manyZones(5, 1, ['@ 60 A 192.0.2.80', '@ 60 AAAA 2001:db8::80']));
    const requests = requestsFor(Array.from({ length: 5 }, (_, index) => `d${String(index)}.test`));
    const reports = collect(checkDomains(requests, { ...lab.options, concurrency: 1 }));
    while (lab.clock.pending < 5) await settle();
    await lab.clock.advance(2_000);
    expect((await reports).map(({ state }) => state)).toEqual(Array(5).fill('verified'));
  });

  test('may include an invalid name', async () => {
    const { options } = zoneLab(manyZones(1, 1));
    const reports = await collect(checkDomains(requestsFor(['w0.d0.test', 'a b', 'w0.d0.test']), options));
    expect(reports.map(({ state }) => state)).toEqual(['verified', 'invalid', 'verified']);
  });

  test('may include an invalid target', async () => {
    const { options } = zoneLab(manyZones(1, 1));
    const [first] = requestsFor(['w0.d0.test']);
    const requests = [{ ...first!, target: 'a b' }, first!];
    const reports = await collect(checkDomains(requests, options));
    expect(reports.map(({ state }) => state)).toEqual(['invalid', 'verified']);
  });

  test('may include the target itself', async () => {
    const { options } = zoneLab(manyZones(1, 1));
    const reports = await collect(checkDomains(requestsFor([TARGET, 'w0.d0.test']), options));
    expect(reports.map(({ state }) => state)).toEqual(['invalid', 'verified']);
  });
});
