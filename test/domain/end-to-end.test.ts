import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDomain, checkDomains } from '../../src/domain/run/checks.js';
import type { CheckRequest } from '../../src/domain/request/options.js';
import type { Report } from '../../src/domain/report/report.js';
import { createDnsClient } from '../../src/domain/dns/dns-client.js';
import { createMock, type Mock, type MockServer } from '../../src/mock/index.js';
import { mockNetwork } from './mock-network.js';
import { createTurnClock } from './turn-clock.js';

const TARGET = 'cname.platform.test';
/** The findings of the mock's names. Other names show failures of queries. */
const FINDING = /^[a-z]+\.[a-z-]+$/;

let mock: Mock;
let server: MockServer;
const dns = createDnsClient({ timeoutMs: 100, triesMax: 1, clock: createTurnClock() });

beforeAll(async () => {
  mock = createMock({ dns: { journalMax: 100_000 } });
  server = await mock.listen({ port: 0, dnsPort: 0 });
});
afterAll(async () => {
  dns.close();
  await server.close();
});

function requestFor(domain: string): CheckRequest {
  return { domain, target: TARGET, plan: 'Pro', deployed: true, issuer: 'letsencrypt.org' };
}

/** Questions to the resolver for a name. */
function recursive(name: string): string[] {
  const journal = mock.dns?.journal ?? [];
  return journal.filter((entry) => entry.recursionDesired && entry.name === name).map(({ type }) => type);
}

describe("the mock's built-in names", () => {
  let reports: ReadonlyMap<string, Report>;
  beforeAll(async () => {
    const names = (mock.dns?.names ?? []).filter(({ shows }) =>
      shows.split(', ').every((id) => FINDING.test(id)),
    );
    const found = new Map<string, Report>();
    for await (const report of checkDomains(
      names.map(({ name }) => requestFor(name)),
      mockNetwork(mock, server, dns),
    )) {
      found.set(report.domain.input, report);
    }
    reports = found;
  });

  test('show their findings', () => {
    const missing = (mock.dns?.names ?? []).flatMap(({ name, shows }) => {
      const found = reports.get(name)?.findings.map(({ id }) => id as string) ?? [];
      // The checks share a virtual clock. If it jumps over the end of a TTL between two queries, nothing counts down.
      const ids = found.includes('apex.alias-consistent') ? [...found, 'apex.alias-proved'] : found;
      return (
        shows
          .split(', ')
          // test/mock/web checks certificates, redirects and probes, which need web servers.
          .filter((id) => reports.has(name) && !/^(?:cert|probe|redirect)\./.test(id) && !ids.includes(id))
          .map((id) => `${name}: ${id}`)
      );
    });
    expect(missing).toEqual([]);
    expect(reports.size).toBeGreaterThan(50);
  });

  test('are queried at the resolver only if every name server is right', () => {
    const early = [...reports.values()].filter(
      ({ domain, observed }) => observed.recursive.length === 0 && recursive(domain.ascii).length > 0,
    );
    expect(early.map(({ domain }) => domain.ascii)).toEqual([]);
    expect(reports.get('missing.example.test')?.observed.recursive).toEqual([]);
    expect(recursive('shop.example.test').sort()).toEqual(['A', 'AAAA']);
  });

  test('report when the resolver’s cache expires', () => {
    const { estimate } = reports.get('fresh.example.test') ?? {};
    expect(estimate?.inSeconds).toBeGreaterThan(0);
    expect(estimate?.inSeconds).toBeLessThanOrEqual(900);
  });
});

test('a record added after a check is visible at once, because no resolver was queried', async () => {
  const before = await checkDomain(requestFor('new.example.test'), mockNetwork(mock, server, dns));
  expect(before).toMatchObject({ state: 'action-required', findings: [{ id: 'record.missing' }, {}] });
  mock.dns?.setRecords('new.example.test', 'CNAME', [`${TARGET}.`]);
  expect(await checkDomain(requestFor('new.example.test'), mockNetwork(mock, server, dns))).toMatchObject({
    state: 'verified',
  });
});

test.each(['large', 'truncated', 'no-edns', 'hostile', 'wrong-id'])(
  '%s responses do no harm',
  async (label) => {
    const { state } = await checkDomain(requestFor(`${label}.example.test`), mockNetwork(mock, server, dns));
    const expected: Record<string, Report['state']> = {
      large: 'action-required',
      truncated: 'verified',
      'no-edns': 'verified',
    };
    expect(state).toBe(expected[label] ?? 'inconclusive');
  },
);

test('a check opens its own sockets, and closes them', async () => {
  const { dns: _, ...own } = mockNetwork(mock, server, dns);
  expect(await checkDomain(requestFor('shop.example.test'), own)).toMatchObject({ state: 'verified' });
});
