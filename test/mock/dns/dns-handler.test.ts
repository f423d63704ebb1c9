import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDnsFaults } from '../../../src/mock/dns/dns-faults.js';
import { createDnsHandler } from '../../../src/mock/dns/dns-handler.js';
import { createNameServers } from '../../../src/mock/dns/name-servers.js';
import { readZoneFile } from '../../../src/mock/dns/zone-file.js';
import { BUILT_IN_ZONES } from '../../../src/mock/dns/built-in-zones.js';
import { NOON } from '../send-request.js';
import { queryBytes, readResponse, dnsWithoutSockets } from './dns-client.js';
import { runs } from '../../support/random-runs.js';

describe('rejects', () => {
  test.each([
    ['ANY', 'NOTIMP'],
    ['AXFR', 'REFUSED'],
    ['IXFR', 'REFUSED'],
  ])('%s: %s', (type, head) => {
    expect(dnsWithoutSockets().query('example.test', type).head).toBe(head);
  });

  test('unknown EDNS versions', () => {
    const bytes = queryBytes('shop.example.test', 'A');
    bytes[bytes.length - 5] = 1;
    const response = readResponse(dnsWithoutSockets().send(bytes) ?? new Uint8Array());
    expect(response.packet).toMatchObject({ rcode: 'NOERROR', additionals: [{ extendedRcode: 1 }] });
  });

  test('packets that are not queries, and ignores packets that are not DNS', () => {
    const dns = dnsWithoutSockets();
    const twoQuestions = queryBytes('shop.example.test', 'A');
    twoQuestions[5] = 2;
    expect(readResponse(dns.send(twoQuestions) ?? new Uint8Array()).head).toBe('FORMERR');
    expect(dns.send(Buffer.from('GET /'))).toBeUndefined();
  });

  test('and never throws', () => {
    const dns = dnsWithoutSockets();
    const good = queryBytes('shop.example.test', 'A', { recursive: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 }), (changes) => {
        const bytes = Uint8Array.from(good);
        for (const [offset, byte] of changes) bytes[offset] = byte;
        dns.send(bytes);
      }),
      { numRuns: runs(2_000) },
    );
    expect(dns.query('shop.example.test', 'A').head).toBe('NOERROR aa');
  });
});

describe('faults', () => {
  const name = 'shop.example.test';

  test('formerr-edns: like a server without EDNS, whose response has no OPT record', () => {
    const dns = dnsWithoutSockets({ faults: [{ name, action: 'formerr-edns' }] });
    const { head, packet } = dns.query(name, 'CNAME');
    expect([head, packet.additionals]).toEqual(['FORMERR', []]);
    expect(dns.query(name, 'CNAME', { edns: false }).answers).toHaveLength(1);
  });

  test('wrong-id', () => {
    expect(dnsWithoutSockets().query('wrong-id.example.test', 'CNAME', { id: 8 }).packet.id).toBe(9);
  });

  test('malformed: the last record is cut off', () => {
    for (const edns of [1_232, false] as const) {
      const bytes = queryBytes(name, 'CNAME', { edns });
      const [whole, shortened] = [
        dnsWithoutSockets(),
        dnsWithoutSockets({ faults: [{ name, action: 'malformed' }] }),
      ].map((dns) => dns.send(bytes) ?? new Uint8Array());
      expect(shortened).toEqual(whole?.slice(0, -3));
      expect(() => readResponse(shortened ?? new Uint8Array())).toThrow();
    }
  });

  test('of a name server affect the resolvers too; those of the resolver do not affect name servers', () => {
    const faults = ['ns1.example.test', 'ns2.example.test'].map(
      (server) => ({ server, action: 'refused' }) as const,
    );
    expect(dnsWithoutSockets({ faults: faults.slice(0, 1) }).query(name, 'A', { recursive: true }).head).toBe(
      'NOERROR ra',
    );
    expect(dnsWithoutSockets({ faults }).query(name, 'A', { recursive: true }).head).toBe('SERVFAIL ra');
    const dns = dnsWithoutSockets({ faults: [{ server: 'recursor', action: 'refused' }] });
    expect(dns.query(name, 'A', { recursive: true }).head).toBe('REFUSED ra');
    expect(dns.query(name, 'A').head).toBe('NOERROR aa');
  });

  test('with counts apply to client queries only', () => {
    const dns = dnsWithoutSockets({
      faults: [{ name, server: '127.0.0.1', times: 1, action: 'servfail' }],
    });
    expect(dns.query(name, 'A', { recursive: true }).head).toBe('NOERROR ra');
    expect([dns.query(name, 'A').head, dns.query(name, 'A').head]).toEqual(['SERVFAIL', 'NOERROR aa']);
  });
});

test('keeps a journal, and returns the delay of a response', () => {
  const entries: object[] = [];
  const handle = createDnsHandler({
    nameServers: createNameServers([readZoneFile(BUILT_IN_ZONES).zones]),
    cached: [],
    faults: createDnsFaults(
      [
        { name: 'slow.example.test', action: { delayMs: 1_500 } },
        { type: 'MX', action: 'drop' },
      ],
      1,
    ),
    journal: { record: (entry) => entries.push(entry) },
    now: NOON,
  });
  const endpoint = { server: '127.0.0.1', over: 'udp' } as const;
  expect(handle(queryBytes('Slow.example.test', 'CNAME'), endpoint, NOON)?.delayMs).toBe(1_500);
  expect(
    handle(queryBytes('example.test', 'MX', { edns: false, recursive: true }), endpoint, NOON + 1),
  ).toBeUndefined();
  expect(handle(Buffer.from('not DNS'), endpoint, NOON)).toBeUndefined();
  expect(entries).toEqual([
    {
      at: new Date(NOON),
      over: 'udp',
      server: '127.0.0.1',
      name: 'slow.example.test',
      type: 'CNAME',
      recursionDesired: false,
      edns: true,
      rcode: 'NOERROR',
      answers: 1,
      faults: ['delay 1500 ms'],
    },
    expect.objectContaining({
      type: 'MX',
      recursionDesired: true,
      edns: false,
      answers: 0,
      faults: ['drop'],
    }),
  ]);
});

test('responds the same to the same queries at the same times', () => {
  const run = () => {
    const dns = dnsWithoutSockets({ faults: [{ probability: 0.3, action: 'servfail' }] });
    return ['shop.example.test', 'alias.test', 'moved.example.test', 'fresh.example.test'].flatMap((name) =>
      Array.from({ length: 20 }, () => {
        dns.now += 7_001;
        return Buffer.from(dns.send(queryBytes(name, 'A', { recursive: true })) ?? []).toString('hex');
      }),
    );
  };
  expect(run()).toEqual(run());
  expect(new Set(run()).size).toBeGreaterThan(10);
});
