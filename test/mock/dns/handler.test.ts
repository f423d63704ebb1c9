import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDnsFaults } from '../../../src/mock/dns/fault.js';
import { createDnsHandler } from '../../../src/mock/dns/handler.js';
import { createDnsJournal } from '../../../src/mock/dns/journal.js';
import { createNameServers } from '../../../src/mock/dns/name-servers.js';
import { readZoneFile } from '../../../src/mock/dns/zone-file.js';
import { BUILT_IN_ZONES } from '../../../src/mock/dns/built-in-zones.js';
import { NOON } from '../send-request.js';
import { queryBytes, readResponse, dnsWithoutSockets } from './dns-client.js';

describe('one address plays several parts', () => {
  test('by what the question wants', () => {
    const world = dnsWithoutSockets();
    expect(world.query('shop.example.test', 'A').head).toBe('NOERROR aa');
    expect(world.query('shop.example.test', 'A', { recursive: true }).head).toBe('NOERROR ra');
  });

  test('by the address: the servers of a zone disagree', () => {
    const world = dnsWithoutSockets();
    const at = (server: string) => world.query('shop.behind.test', 'CNAME', { server }).head;
    expect([at('127.0.0.1'), at('127.0.0.2'), at('127.0.0.3')]).toEqual([
      'NOERROR aa',
      'NXDOMAIN aa',
      'REFUSED',
    ]);
    const serial = (server: string) =>
      world.query('behind.test', 'SOA', { server }).answers[0]?.split(' ')[5];
    expect([serial('127.0.0.1'), serial('127.0.0.2')]).toEqual(['10', '9']);
  });
});

describe('refuses', () => {
  test.each([
    ['ANY', 'NOTIMP'],
    ['AXFR', 'REFUSED'],
    ['IXFR', 'REFUSED'],
  ])('%s: %s', (type, head) => {
    expect(dnsWithoutSockets().query('example.test', type === 'ANY' ? 'ANY' : type).head).toBe(head);
  });

  test('versions of EDNS that are none yet', () => {
    const bytes = queryBytes('shop.example.test', 'A');
    bytes[bytes.length - 5] = 1;
    const answer = readResponse(dnsWithoutSockets().send(bytes) ?? new Uint8Array());
    expect(answer.packet).toMatchObject({ rcode: 'NOERROR', additionals: [{ extendedRcode: 1 }] });
  });

  test('what is no query, and is silent to what is no DNS', () => {
    const world = dnsWithoutSockets();
    const twoQuestions = queryBytes('shop.example.test', 'A');
    twoQuestions[5] = 2;
    expect(readResponse(world.send(twoQuestions) ?? new Uint8Array()).head).toBe('FORMERR');
    expect(world.send(Buffer.from('GET /'))).toBeUndefined();
  });

  test('and survives everything', () => {
    const world = dnsWithoutSockets();
    const good = queryBytes('shop.example.test', 'A', { recursive: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 }), (changes) => {
        const bytes = Uint8Array.from(good);
        for (const [offset, byte] of changes) bytes[offset] = byte;
        world.send(bytes);
      }),
      { numRuns: 2_000 },
    );
    expect(world.query('shop.example.test', 'A').head).toBe('NOERROR aa');
  });
});

describe('faults', () => {
  const name = 'shop.example.test';
  const query = queryBytes(name, 'CNAME');

  test.each(['servfail', 'refused'] as const)('%s', (action) => {
    expect(dnsWithoutSockets({ faults: [{ name, action }] }).query(name, 'CNAME')).toMatchObject({
      head: action.toUpperCase(),
      answers: [],
    });
  });

  test('lame', () => {
    expect(dnsWithoutSockets({ faults: [{ name, action: 'lame' }] }).query(name, 'CNAME')).toMatchObject({
      head: 'NOERROR',
      answers: [],
      authority: [],
    });
  });

  test('drop', () => {
    expect(dnsWithoutSockets({ faults: [{ name, action: 'drop' }] }).send(query)).toBeUndefined();
  });

  test('truncate: over UDP alone', () => {
    const world = dnsWithoutSockets({ faults: [{ name, action: 'truncate' }] });
    expect(world.query(name, 'CNAME')).toMatchObject({ head: 'NOERROR aa tc', answers: [] });
    expect(world.query(name, 'CNAME', { over: 'tcp' })).toMatchObject({
      head: 'NOERROR aa',
      answers: [expect.any(String)],
    });
  });

  test('formerr-edns: as a server that knows no EDNS, which does not answer with it either', () => {
    const world = dnsWithoutSockets({ faults: [{ name, action: 'formerr-edns' }] });
    const { head, packet } = world.query(name, 'CNAME');
    expect([head, packet.additionals]).toEqual(['FORMERR', []]);
    expect(world.query(name, 'CNAME', { edns: false }).answers).toHaveLength(1);
  });

  test('wrong-id', () => {
    expect(
      dnsWithoutSockets({ faults: [{ name, action: 'wrong-id' }] }).query(name, 'CNAME', { id: 8 }).packet.id,
    ).toBe(9);
  });

  test('malformed: the last record runs over the end', () => {
    for (const edns of [1_232, false] as const) {
      const bytes = queryBytes(name, 'CNAME', { edns });
      const [whole, cut] = [
        dnsWithoutSockets(),
        dnsWithoutSockets({ faults: [{ name, action: 'malformed' }] }),
      ].map((world) => world.send(bytes) ?? new Uint8Array());
      expect(cut).toEqual(whole?.slice(0, -3));
      expect(() => readResponse(cut ?? new Uint8Array())).toThrow();
    }
  });

  test('of one server also keep its resolver away, those of a resolver strike it alone', () => {
    const faults = ['ns1.example.test', 'ns2.example.test'].map(
      (server) => ({ server, action: 'refused' }) as const,
    );
    expect(dnsWithoutSockets({ faults: faults.slice(0, 1) }).query(name, 'A', { recursive: true }).head).toBe(
      'NOERROR ra',
    );
    expect(dnsWithoutSockets({ faults }).query(name, 'A', { recursive: true }).head).toBe('SERVFAIL ra');
    const world = dnsWithoutSockets({ faults: [{ server: 'recursor', action: 'refused' }] });
    expect(world.query(name, 'A', { recursive: true }).head).toBe('REFUSED ra');
    expect(world.query(name, 'A').head).toBe('NOERROR aa');
  });

  test('that are counted are for clients', () => {
    const world = dnsWithoutSockets({
      faults: [{ name, server: '127.0.0.1', times: 1, action: 'servfail' }],
    });
    expect(world.query(name, 'A', { recursive: true }).head).toBe('NOERROR ra');
    expect([world.query(name, 'A').head, world.query(name, 'A').head]).toEqual(['SERVFAIL', 'NOERROR aa']);
  });
});

test('keeps a journal, and says how late an answer is to be', () => {
  const journal = createDnsJournal(10);
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
    journal,
    now: NOON,
  });
  const arrival = { server: '127.0.0.1', over: 'udp' } as const;
  expect(handle(queryBytes('Slow.example.test', 'CNAME'), arrival, NOON)?.delayMs).toBe(1_500);
  expect(
    handle(queryBytes('example.test', 'MX', { edns: false, recursive: true }), arrival, NOON + 1),
  ).toBeUndefined();
  expect(handle(Buffer.from('not DNS'), arrival, NOON)).toBeUndefined();
  expect(journal.entries()).toEqual([
    {
      sequence: 1,
      at: NOON,
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
    {
      sequence: 2,
      at: NOON + 1,
      over: 'udp',
      server: '127.0.0.1',
      name: 'example.test',
      type: 'MX',
      recursionDesired: true,
      edns: false,
      answers: 0,
      faults: ['drop'],
    },
  ]);
});

test('the same questions at the same times have the same answers', () => {
  const run = () => {
    const world = dnsWithoutSockets({ faults: [{ probability: 0.3, action: 'servfail' }] });
    return ['shop.example.test', 'alias.test', 'moved.example.test', 'fresh.example.test'].flatMap((name) =>
      Array.from({ length: 20 }, () => {
        world.now += 7_001;
        return Buffer.from(world.send(queryBytes(name, 'A', { recursive: true })) ?? []).toString('hex');
      }),
    );
  };
  expect(run()).toEqual(run());
  expect(new Set(run()).size).toBeGreaterThan(10);
});
