import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type Mock, type MockOptions, type MockServer } from '../../../src/mock/index.js';
import { frozenClock, NOON } from '../send-request.js';
import { dnsOf, queryBytes, readResponse, type QueryOptions, type ReadResponse } from './dns-client.js';

const open: MockServer[] = [];

async function serve(options: MockOptions = {}): Promise<{ mock: Mock; server: MockServer; port: number }> {
  const mock = createMock({ clock: frozenClock, ...options });
  const server = await mock.listen({ dnsPort: 0 });
  open.push(server);
  return { mock, server, port: server.dns?.port ?? 0 };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function query(
  port: number,
  name: string,
  type: string,
  options?: QueryOptions,
): Promise<ReadResponse> {
  const socket = createSocket('udp4');
  socket.send(queryBytes(name, type, options), port, '127.0.0.1');
  const [bytes] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  return readResponse(bytes);
}

const recursive = { recursive: true };

test('exists after listen() with a DNS port', async () => {
  const mock = createMock();
  const without = await mock.listen();
  open.push(without);
  expect([without.dns, mock.dns, mock.state().dns]).toEqual([undefined, undefined, undefined]);
  const { server } = await serve();
  expect(server.dns).toMatchObject({ host: '127.0.0.1', port: expect.any(Number) });
});

test('counts down the TTL of an ALIAS in virtual time', async () => {
  const { mock, port } = await serve();
  expect((await query(port, 'alias.test', 'A')).answers).toEqual(['alias.test 60 A 192.0.2.80']);
  mock.advance('2s');
  expect((await query(port, 'alias.test', 'A')).answers).toEqual(['alias.test 58 A 192.0.2.80']);
});

const OWN = `$ORIGIN pets.example.
@ SOA ns1 admin 5 2h 15m 2w 15m
@ NS ns1
shop CNAME cname.platform.test.
`;

describe('changes', () => {
  test('adds zones to the built-in ones', async () => {
    const { mock, port } = await serve({ dns: { zones: [OWN] } });
    expect((await query(port, 'shop.pets.example', 'A', recursive)).answers).toHaveLength(2);
    expect((await query(port, 'shop.example.test', 'A', recursive)).answers).toHaveLength(2);
    expect(dnsOf(mock).state().zones).toContain('pets.example');
    await expect(createMock({ dns: { zones: ['a.test. A x'] } }).listen({ dnsPort: 0 })).rejects.toThrow(
      'line 1: not an IPv4 address: x',
    );
  });

  test('adds a zone file later', async () => {
    const { mock, port } = await serve();
    expect((await query(port, 'shop.pets.example', 'A', recursive)).head).toBe('NXDOMAIN ra');
    dnsOf(mock).addZones(OWN);
    expect((await query(port, 'shop.pets.example', 'A', recursive)).head).toBe('NOERROR ra');
    expect(() => dnsOf(mock).addZones('x')).toThrow('line 1: the type is missing');
  });

  test('sets records at all servers or at one server', async () => {
    const { mock, port } = await serve();
    const dns = dnsOf(mock);
    dns.setRecords('Shop.Example.test.', 'cname', ['other.platform.test.'], { ttl: 60 });
    expect((await query(port, 'shop.example.test', 'CNAME')).answers).toEqual([
      'shop.example.test 60 CNAME other.platform.test',
    ]);
    dns.setRecords('shop.example.test', 'CNAME', []);
    dns.setRecords('shop.example.test', 'A', ['192.0.2.1', '192.0.2.2'], { server: 'ns1.example.test' });
    expect((await query(port, 'shop.example.test', 'A')).answers).toHaveLength(2);
    expect((await query(port, 'example.test', 'SOA')).answers[0]).toContain(' 2026112104 ');
  });

  const KNOWN = 'A, AAAA, ALIAS, CAA, CNAME, DNAME, DS, HTTPS, MX, NS, SRV, TXT';
  test.each<[string, string, string[], string, number?]>([
    ['shop.example.test', 'FOO', [], `Unknown record type: FOO (known: ${KNOWN})`],
    ['shop.example.test', 'SOA', [], `Unknown record type: SOA (known: ${KNOWN})`],
    ['shop.example.test', 'A', ['nowhere'], 'not an IPv4 address: nowhere'],
    ['a..test', 'A', [], 'the name has an empty label: a..test'],
    ['shop.example.test', 'TXT', ['x '.repeat(40_000)], 'TXT is longer than 65535 bytes'],
    ['shop.example.test', 'A', [], 'not a time: -1', -1],
    ['shop.example.test', 'A', [], 'not a time: 0.5', 0.5],
  ])('rejects the records %s %s %j', async (name, type, values, message, ttl = 60) => {
    const { mock } = await serve();
    expect(() => dnsOf(mock).setRecords(name, type, values, { ttl })).toThrow(new TypeError(message));
  });

  test('adds faults to the built-in ones', async () => {
    const { mock, port } = await serve({ dns: { faults: [{ type: 'MX', action: 'refused' }] } });
    const heads = async () => [
      (await query(port, 'example.test', 'MX')).head,
      (await query(port, 'example.test', 'TXT')).head,
      (await query(port, 'unlucky.example.test', 'A', recursive)).head,
    ];
    expect(await heads()).toEqual(['REFUSED', 'NOERROR aa', 'SERVFAIL ra']);
    dnsOf(mock).setFaults([{ type: 'TXT', action: 'servfail' }]);
    expect(await heads()).toEqual(['NOERROR aa', 'SERVFAIL', 'SERVFAIL ra']);
    expect(dnsOf(mock).state().faults).toEqual([{ type: 'TXT', action: 'servfail', seen: 1, applied: 1 }]);
  });

  test('resets', async () => {
    const { mock, port } = await serve({ dns: { faults: [{ type: 'MX', action: 'refused' }] } });
    const dns = dnsOf(mock);
    await query(port, 'early.example.test', 'A', recursive);
    dns.setRecords('early.example.test', 'A', ['192.0.2.1']);
    dns.addZones(OWN);
    dns.setFaults([]);
    mock.advance('2h');
    mock.reset();
    expect(dns.journal).toEqual([]);
    expect(dns.state().zones).not.toContain('pets.example');
    expect((await query(port, 'example.test', 'MX')).head).toBe('REFUSED');
    expect((await query(port, 'early.example.test', 'A')).head).toBe('NXDOMAIN aa');
    expect((await query(port, 'moved.example.test', 'A', recursive)).answers).toEqual([
      'moved.example.test 3600 A 198.51.100.9',
    ]);
  });
});

test('lists its queries, also in the control API', async () => {
  const { mock, server, port } = await serve({ dns: { journalMax: 2 } });
  for (const name of ['one.test', 'two.test', 'shop.example.test']) await query(port, name, 'A');
  expect(dnsOf(mock).journal.map(({ sequence, name, rcode }) => [sequence, name, rcode])).toEqual([
    [2, 'two.test', 'REFUSED'],
    [3, 'shop.example.test', 'NOERROR'],
  ]);
  const state = (await (await fetch(`${server.url}/__mock/state`)).json()) as { dns: object };
  expect(state.dns).toMatchObject({
    addresses: server.dns?.addresses,
    faults: [],
    journal: { entries: 2, dropped: 1 },
    questions: [
      { name: 'two.test' },
      { at: new Date(NOON).toISOString(), over: 'udp', name: 'shop.example.test', type: 'A', answers: 1 },
    ],
  });
});

test('closes the HTTP server if the DNS port is in use', async () => {
  const { port } = await serve();
  const mock = createMock();
  const other = await mock.listen();
  await other.close();
  await expect(mock.listen({ port: other.port, dnsPort: port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  open.push(await mock.listen({ port: other.port }));
});

test('closes HTTP and DNS together', async () => {
  const { server, port } = await serve();
  await server.close();
  open.push(await createMock().listen({ port: server.port, dnsPort: port }));
});

test('two ports of one mock share their state', async () => {
  const { mock, port } = await serve();
  const second = await mock.listen({ dnsPort: 0 });
  open.push(second);
  dnsOf(mock).setRecords('late.example.test', 'A', ['192.0.2.1']);
  expect((await query(port, 'late.example.test', 'A')).answers).toHaveLength(1);
  expect((await query(second.dns?.port ?? 0, 'late.example.test', 'A')).answers).toHaveLength(1);
});
