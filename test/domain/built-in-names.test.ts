import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDomains, planRecords } from '../../src/domain/run/checks.js';
import { recordChanges } from '../../src/domain/report/record-changes.js';
import type { RecordPlan } from '../../src/domain/advice/record-plan.js';
import type { Report } from '../../src/domain/report/report.js';
import type { DnsClient, DnsExchange } from '../../src/domain/dns/dns.js';
import { createDnsClient } from '../../src/domain/dns/dns-client.js';
import { createMock, type Mock, type MockServer } from '../../src/mock/index.js';
import { longSentences } from './rule-table.js';
import { mockNetwork } from './mock-network.js';
import { createTurnClock } from './turn-clock.js';

const client = createDnsClient({ timeoutMs: 100, triesMax: 1, clock: createTurnClock() });
const exchanges = new Map<string, Promise<DnsExchange>>();
/** Sends each query once, so that checks and plans see the same responses, however slow the machine is. */
const dns: DnsClient = {
  query(dnsServer, question, queryOptions) {
    const key = JSON.stringify([dnsServer.address, question, { ...queryOptions, limitMs: 0 }]);
    const sent = exchanges.get(key) ?? client.query(dnsServer, question, queryOptions);
    exchanges.set(key, sent);
    // Another check may still need a query that the first one ended.
    void sent.then((exchange) => {
      if (exchange.kind === 'failure' && exchange.reason === 'aborted') exchanges.delete(key);
    });
    return sent;
  },
  close() {
    client.close();
  },
};
let mock: Mock;
let server: MockServer;
const reports = new Map<string, Report>();
const plans = new Map<string, RecordPlan>();

beforeAll(async () => {
  mock = createMock();
  server = await mock.listen({ port: 0, dnsPort: 0 });
  const names = (mock.dns?.names ?? []).map(({ name }) => name);
  const requests = names.map((domain) => ({
    domain,
    target: 'cname.platform.test',
    plan: 'Pro',
    deployed: true,
    issuer: 'letsencrypt.org',
  }));
  for await (const report of checkDomains(requests, mockNetwork(mock, server, dns)))
    reports.set(report.domain.input, report);
  for await (const planned of planRecords(requests, mockNetwork(mock, server, dns))) {
    if (planned.ok) plans.set(planned.plan.domain.input, planned.plan);
  }
}, 60_000);
afterAll(async () => {
  dns.close();
  await server.close();
});

describe("the mock's built-in names", () => {
  test('a report and a record plan say the same', () => {
    const differing = [...reports].flatMap(([name, { todo }]) => {
      const plan = plans.get(name)?.todo ?? [];
      // Changes that are only recommended follow.
      return JSON.stringify(plan.slice(0, todo.length)) === JSON.stringify(todo)
        ? []
        : [{ name, todo, plan }];
    });
    expect(differing).toEqual([]);
    expect(plans.size).toBe(reports.size);
  });

  test('a record plan has the problems that no record fixes', () => {
    const missing = [...reports].flatMap(([name, { findings }]) => {
      const own = plans.get(name)?.findings.map(({ id }) => id);
      return findings
        .filter(({ axis, severity }) => axis === 'zone' && (severity === 'block' || severity === 'warn'))
        .flatMap(({ id }) => (own?.includes(id) === true ? [] : [`${name}: ${id}`]));
    });
    expect(missing).toEqual([]);
  });

  test('no sentence of a finding has more than 20 words', () => {
    const long = [...reports].flatMap(([name, { findings }]) =>
      findings.flatMap(({ id, message, fix }) =>
        longSentences(`${message} ${fix?.text ?? ''}`).map((sentence) => ({ name, id, sentence })),
      ),
    );
    expect(long).toEqual([]);
  });

  test('next steps fit the findings', () => {
    const wrong = [...reports].flatMap(([name, { findings, next }]) => {
      const blocks = new Set(findings.flatMap(({ axis, severity }) => (severity === 'block' ? axis : [])));
      const offers = (when: string): boolean => next.some((step) => step.when === when);
      const records = recordChanges(
        findings.filter(({ axis, severity }) => axis === 'record' && severity === 'block'),
      );
      const isRight =
        offers('Show the record to set') === records.add.length > 0 &&
        offers('Watch until the record is visible') === records.add.length > 0 &&
        (!offers('Watch until a certificate can be issued') || blocks.has('caa'));
      return isRight ? [] : [{ name, next: next.map(({ when }) => when) }];
    });
    expect(wrong).toEqual([]);
  });
});
