import { describe, expect, test } from 'vitest';
import { checkDomain } from '../../../src/domain/run/checks.js';
import { traceQueries } from '../../../src/domain/run/trace-queries.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { failure, fakeDns, respond } from '../fake-dns.js';
import { counter, NS1, RESOLVER, TARGET, worldOf } from '../world.js';

const SERVER = { address: NS1, port: 53, transport: 'dns' } as const;
const QUESTION = { name: 'shop.example.test', type: 'A' } as const;

describe('the trace of a check', () => {
  test.each([undefined, false, true])('is in the report only if requested: %s', async (trace) => {
    const dns = fakeDns(worldOf([`shop CNAME ${TARGET}.`]));
    const options = { dns, clock: createVirtualClock(), random: counter(), resolvers: [RESOLVER] };
    const request = { domain: 'shop.example.test', target: TARGET, plan: 'Pro', deployed: true };
    const report = await checkDomain(request, { ...options, trace });
    expect(report.trace?.length).toBe(trace === true ? dns.queries.length : undefined);
    if (trace !== true) return;
    expect(report.trace).toContainEqual({
      server: 'ns1.example.test',
      address: NS1,
      name: 'shop.example.test',
      type: 'A',
      transport: 'udp',
      rcode: 'NOERROR',
      isAuthoritative: true,
      elapsedMs: 1,
      extendedErrors: [],
    });
  });
});

describe('a traced query', () => {
  test('has the extended errors of a response, safe to print', async () => {
    const extendedErrors = [{ code: 6, text: 'bogus\u001B[31m' }];
    const response = respond({ rcode: 'SERVFAIL', extendedErrors, over: 'tcp' });
    const { dns, take } = traceQueries({ query: () => Promise.resolve(response), close: () => undefined });
    await dns.query(SERVER, QUESTION, { recursive: true });
    expect(take()).toMatchObject([
      { rcode: 'SERVFAIL', transport: 'tcp', extendedErrors: [{ code: 6, text: 'bogus^[[31m' }] },
    ]);
    expect(take()).toEqual([]);
  });

  test('has the failure without a response', async () => {
    const failed = failure('timeout', 'no response within 2 s');
    const { dns, take } = traceQueries({ query: () => Promise.resolve(failed), close: () => undefined });
    await dns.query(SERVER, QUESTION, { recursive: false });
    const [query] = take();
    expect(query).toMatchObject({ server: NS1, rcode: 'no response within 2 s', isAuthoritative: false });
    expect(query).not.toHaveProperty('transport');
  });
});
