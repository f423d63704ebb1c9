import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DnsServer } from '../../../src/domain/dns/dns.js';
import { createVirtualClock, settle } from '../../support/virtual-clock.js';
import {
  ADDRESS,
  ask,
  queryHeldBack,
  AUTHORITATIVE,
  FOUND,
  good,
  open,
  QUESTION,
  respond,
} from './exchange-builder.js';
import { closedServer, startScriptedDns } from './scripted-dns.js';
import { ANSWER, message, opt, option, questionOf, record, u16 } from './wire.js';

describe('over UDP', () => {
  test('queries with EDNS and without recursion, and decodes the response', async () => {
    const { server, datagrams } = await startScriptedDns((query) => [good(query)]);
    const exchange = await ask(server);
    expect(exchange).toMatchObject(FOUND);
    expect(exchange.elapsedMs).toBeGreaterThanOrEqual(0);
    expect(datagrams).toHaveLength(1);
    const [query] = datagrams;
    expect(query?.readUInt16BE(2)).toBe(0);
    expect(query?.subarray(12)).toEqual(Buffer.concat([questionOf('shop.example.test', 'A'), opt()]));
  });

  test('sets RD and CD if requested', async () => {
    const { server, datagrams } = await startScriptedDns((query) => [good(query)]);
    await open().query(server, QUESTION, { recursive: true, checkingDisabled: true });
    expect(datagrams[0]?.readUInt16BE(2)).toBe(0x0110);
  });

  test('queries over IPv6', async ({ skip }) => {
    const hasLoopback = Object.values(networkInterfaces()).some((list) =>
      list?.some(({ address }) => address === '::1'),
    );
    if (!hasLoopback) skip('this machine has no IPv6 loopback');
    const { server } = await startScriptedDns((query) => [good(query)], undefined, '::1');
    expect(await ask(server)).toMatchObject(FOUND);
  });

  test('keeps one socket a server, and gives each query its own id', async () => {
    const { server, datagrams, ports } = await startScriptedDns((query) => [good(query)]);
    const client = open({ random: () => 0.5 });
    await Promise.all(Array.from({ length: 50 }, () => client.query(server, QUESTION, AUTHORITATIVE)));
    await client.query(server, QUESTION, AUTHORITATIVE);
    expect(new Set(ports).size).toBe(1);
    expect(new Set(datagrams.slice(0, 50).map((query) => query.readUInt16BE(0))).size).toBe(50);
    expect(datagrams[50]?.readUInt16BE(0)).toBe(0x8000);
  });

  test('chooses other ids and another port for each client', async () => {
    const { server, datagrams, ports } = await startScriptedDns((query) => [good(query)]);
    for (let round = 0; round < 8; round += 1) await ask(server);
    expect(new Set(ports).size).toBeGreaterThan(1);
    expect(new Set(datagrams.map((query) => query.readUInt16BE(0))).size).toBeGreaterThan(1);
  });

  test('has at most parallelMax queries in flight, and sends all of them', async () => {
    const held: (() => void)[] = [];
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => {
      socket.bind(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => {
      socket.close();
    });
    let most = 0;
    socket.on('message', (query, from) => {
      held.push(() => {
        socket.send(good(query), from.port, from.address);
      });
      most = Math.max(most, held.length);
    });
    const server: DnsServer = { address: '127.0.0.1', port: socket.address().port, transport: 'dns' };
    const client = open({ parallelMax: 3 });
    const exchanges = await queryHeldBack(client, server, { count: 10, inFlightMax: 3, held });
    expect(most).toBe(3);
    expect(exchanges).toHaveLength(10);
    for (const exchange of exchanges) expect(exchange).toMatchObject(FOUND);
  });

  test.each<[string, (query: Buffer) => Buffer]>([
    [
      'another id',
      (query) => message({ id: query.readUInt16BE(0) ^ 1, answers: [record('A', [6, 6, 6, 6])] }),
    ],
    ['another name', (query) => respond(query, { question: questionOf('shop.example.tesu', 'A') })],
    ['another type', (query) => respond(query, { question: questionOf('shop.example.test', 'AAAA') })],
    ['no question at all', (query) => respond(query, { question: [] })],
    ['the query itself', (query) => query],
    ['one byte', () => Buffer.alloc(1)],
    ['no byte', () => Buffer.alloc(0)],
  ])('ignores a response with %s, and accepts the right one after it', async (_, wrong) => {
    const { server } = await startScriptedDns((query) => [wrong(query), good(query)]);
    expect(await ask(server)).toMatchObject(FOUND);
  });

  test.each(['127.0.0.1', '127.0.0.2'])('ignores a response from another port of %s', async (address) => {
    const other = createSocket('udp4');
    onTestFinished(() => {
      other.close();
    });
    const bound = await new Promise<boolean>((resolve) => {
      other.once('error', () => {
        resolve(false);
      });
      other.bind(0, address, () => {
        resolve(true);
      });
    });
    // Only Linux has all of 127/8.
    if (!bound) return;
    const forged = (query: Buffer): Buffer => respond(query, { answers: [record('A', [6, 6, 6, 6])] });
    const holder: { deliver?: () => void } = {};
    const scripted = await startScriptedDns((query, index) => {
      other.send(forged(query), scripted.ports[index], '127.0.0.1', () => holder.deliver?.());
      return index === 0 ? [] : [good(query)];
    });
    const clock = createVirtualClock();
    const exchange = open({ clock }).query(scripted.server, QUESTION, AUTHORITATIVE);
    await new Promise<void>((resolve) => {
      holder.deliver = resolve;
    });
    for (let turn = 0; turn < 20; turn += 1) await settle();
    await clock.advance(2_000);
    expect(await exchange).toMatchObject(FOUND);
  });

  test.each<[string, (query: Buffer) => Buffer]>([
    [
      'a record that extends past the message',
      (query) => respond(query, { answers: [record('A', [1, 2], { length: 4 })] }),
    ],
    ['a pointer loop', (query) => respond(query, { answers: [record('A', ADDRESS, { owner: [0xc0, 35] })] })],
    [
      'bytes after the records',
      (query) => respond(query, { answers: [record('A', ADDRESS)], trailing: [0] }),
    ],
  ])('reports %s as malformed', async (_, broken) => {
    const { server, datagrams } = await startScriptedDns((query) => [broken(query)]);
    expect(await ask(server)).toMatchObject({ kind: 'failure', reason: 'malformed' });
    expect(datagrams).toHaveLength(1);
  });

  test('returns an error with its extended error', async () => {
    const blocked = option(15, Buffer.concat([u16(15), Buffer.from('blocked')]));
    const { server } = await startScriptedDns((query) => [
      respond(query, { flags: ANSWER | 5, additional: [opt(blocked)] }),
    ]);
    expect(await ask(server)).toMatchObject({
      kind: 'response',
      response: { rcode: 'REFUSED', extendedErrors: [{ code: 15, text: 'blocked' }] },
    });
  });
});

describe('a closed port', () => {
  test('is reported at once, over UDP and TCP', async () => {
    const clock = createVirtualClock();
    expect(await open({ clock }).query(await closedServer(), QUESTION, AUTHORITATIVE)).toEqual({
      kind: 'failure',
      reason: 'unreachable',
      detail: 'connection refused; over TCP: connection refused',
      elapsedMs: 0,
    });
    expect(clock.pending).toBe(0);
  });

  test('is reported to all queries, and a new socket is opened later', async () => {
    const server = await closedServer();
    const client = open();
    const exchanges = await Promise.all(
      Array.from({ length: 20 }, () => client.query(server, QUESTION, AUTHORITATIVE)),
    );
    for (const exchange of exchanges) expect(exchange).toMatchObject({ reason: 'unreachable' });
    const socket = createSocket('udp4');
    onTestFinished(() => {
      socket.close();
    });
    await new Promise<void>((resolve) => {
      socket.bind(server.port, '127.0.0.1', resolve);
    });
    socket.on('message', (query, from) => {
      socket.send(good(query), from.port, from.address);
    });
    expect(await client.query(server, QUESTION, AUTHORITATIVE)).toMatchObject(FOUND);
  });

  test.each([
    [{ address: 'ns1.example.test', port: 53 }, 'not an IP address'],
    [{ address: '127.0.0.1', port: 0 }, 'invalid port'],
    [{ address: '127.0.0.1', port: 65_536 }, 'invalid port'],
    [{ address: '127.0.0.1', port: Number.NaN }, 'invalid port'],
  ])('at %j', async (server, detail) => {
    expect(await ask({ ...server, transport: 'dns' })).toMatchObject({ reason: 'unreachable', detail });
  });
});

describe('questions', () => {
  test('that are invalid are not sent', async () => {
    const { server, datagrams } = await startScriptedDns((query) => [good(query)]);
    expect(await ask(server, { name: 'a..test', type: 'A' })).toEqual({
      kind: 'failure',
      reason: 'malformed',
      detail: 'not a valid DNS name',
      elapsedMs: 0,
    });
    expect(datagrams).toHaveLength(0);
  });
});
