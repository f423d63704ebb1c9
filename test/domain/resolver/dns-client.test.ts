import { createSocket } from 'node:dgram';
import { getEventListeners } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDnsClient, type DnsClientOptions } from '../../../src/domain/resolver/dns-client.js';
import type { DnsClient, DnsQuestion, DnsServer } from '../../../src/domain/resolver/dns.js';
import { createVirtualClock, settle, until } from '../../support/virtual-clock.js';
import { closedPort, framed, startScriptedDns, type TcpScript, type UdpScript } from './scripted-dns.js';
import { ANSWER, message, opt, option, questionOf, record, TRUNCATED, u16 } from './wire.js';

const QUESTION: DnsQuestion = { name: 'shop.example.test', type: 'A' };
const ADDRESS = [192, 0, 2, 1];
const AUTHORITATIVE = { recursive: false };
const FOUND = {
  kind: 'reply',
  reply: { rcode: 'NOERROR', over: 'udp', answers: [{ data: { address: '192.0.2.1' } }] },
};
const FORMERR = ANSWER | 1;

/** A good answer, with the id of the question. */
function good(query: Buffer): Buffer {
  return message({ id: query.readUInt16BE(0), answers: [record('A', ADDRESS)] });
}

function reply(query: Buffer, parts: Parameters<typeof message>[0]): Buffer {
  return message({ id: query.readUInt16BE(0), ...parts });
}

const offersEdns = (query: Buffer): boolean => query.readUInt16BE(10) === 1;
const silent: UdpScript = () => [];

function open(options: DnsClientOptions = {}): DnsClient {
  const client = createDnsClient(options);
  onTestFinished(() => {
    client.close();
  });
  return client;
}

function ask(server: DnsServer, question = QUESTION) {
  return open().ask(server, question, AUTHORITATIVE);
}

describe('over UDP', () => {
  test('asks with EDNS and without recursion, and reads the answer', async () => {
    const { server, datagrams } = await startScriptedDns((query) => [good(query)]);
    const exchange = await ask(server);
    expect(exchange).toMatchObject(FOUND);
    expect(exchange.elapsedMs).toBeGreaterThanOrEqual(0);
    expect(datagrams).toHaveLength(1);
    const [query] = datagrams;
    expect(query?.readUInt16BE(2)).toBe(0);
    expect(query?.subarray(12)).toEqual(Buffer.concat([questionOf('shop.example.test', 'A'), opt()]));
  });

  test('asks for recursion and without validation where it is told', async () => {
    const { server, datagrams } = await startScriptedDns((query) => [good(query)]);
    await open().ask(server, QUESTION, { recursive: true, checkingDisabled: true });
    expect(datagrams[0]?.readUInt16BE(2)).toBe(0x0110);
  });

  test('asks over IPv6', async ({ skip }) => {
    const hasLoopback = Object.values(networkInterfaces()).some((list) =>
      list?.some(({ address }) => address === '::1'),
    );
    if (!hasLoopback) skip('this machine has no IPv6 loopback');
    const { server } = await startScriptedDns((query) => [good(query)], undefined, '::1');
    expect(await ask(server)).toMatchObject(FOUND);
  });

  test('keeps one socket a server, and gives each question an id of its own', async () => {
    const { server, datagrams, ports } = await startScriptedDns((query) => [good(query)]);
    const client = open({ random: () => 0.5 });
    await Promise.all(Array.from({ length: 50 }, () => client.ask(server, QUESTION, AUTHORITATIVE)));
    await client.ask(server, QUESTION, AUTHORITATIVE);
    expect(new Set(ports).size).toBe(1);
    expect(new Set(datagrams.slice(0, 50).map((query) => query.readUInt16BE(0))).size).toBe(50);
    expect(datagrams[50]?.readUInt16BE(0)).toBe(0x8000);
  });

  test('chooses other ids and another port each time', async () => {
    const { server, datagrams, ports } = await startScriptedDns((query) => [good(query)]);
    for (let round = 0; round < 8; round += 1) await ask(server);
    expect(new Set(ports).size).toBeGreaterThan(1);
    expect(new Set(datagrams.map((query) => query.readUInt16BE(0))).size).toBeGreaterThan(1);
  });

  test('has at most parallelMax questions on their way, and asks all of them', async () => {
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
    let done = 0;
    const asked = Array.from({ length: 10 }, () =>
      client.ask(server, QUESTION, AUTHORITATIVE).finally(() => (done += 1)),
    );
    while (done < 10) {
      await until(() => held.length === Math.min(3, 10 - done));
      for (let turn = 0; turn < 20; turn += 1) await settle();
      const before = done;
      held.shift()?.();
      await until(() => done > before);
    }
    expect(most).toBe(3);
    for (const exchange of await Promise.all(asked)) expect(exchange).toMatchObject(FOUND);
  });

  test.each<[string, (query: Buffer) => Buffer]>([
    [
      'another id',
      (query) => message({ id: query.readUInt16BE(0) ^ 1, answers: [record('A', [6, 6, 6, 6])] }),
    ],
    ['another name', (query) => reply(query, { question: questionOf('shop.example.tesu', 'A') })],
    ['another type', (query) => reply(query, { question: questionOf('shop.example.test', 'AAAA') })],
    ['no question at all', (query) => reply(query, { question: [] })],
    ['the question itself', (query) => query],
    ['one byte', () => Buffer.alloc(1)],
    ['no byte', () => Buffer.alloc(0)],
  ])('ignores an answer with %s, and takes the right one after it', async (_, wrong) => {
    const { server } = await startScriptedDns((query) => [wrong(query), good(query)]);
    expect(await ask(server)).toMatchObject(FOUND);
  });

  test.each(['127.0.0.1', '127.0.0.2'])('ignores an answer from another port of %s', async (address) => {
    const stranger = createSocket('udp4');
    onTestFinished(() => {
      stranger.close();
    });
    const bound = await new Promise<boolean>((resolve) => {
      stranger.once('error', () => {
        resolve(false);
      });
      stranger.bind(0, address, () => {
        resolve(true);
      });
    });
    // Only Linux has all of 127/8.
    if (!bound) return;
    const forged = (query: Buffer): Buffer => reply(query, { answers: [record('A', [6, 6, 6, 6])] });
    const holder: { answer?: () => void } = {};
    const scripted = await startScriptedDns((query, index) => {
      stranger.send(forged(query), scripted.ports[index], '127.0.0.1', () => holder.answer?.());
      return index === 0 ? [] : [good(query)];
    });
    const clock = createVirtualClock();
    const exchange = open({ clock }).ask(scripted.server, QUESTION, AUTHORITATIVE);
    await new Promise<void>((resolve) => {
      holder.answer = resolve;
    });
    for (let turn = 0; turn < 20; turn += 1) await settle();
    await clock.advance(2_000);
    expect(await exchange).toMatchObject(FOUND);
  });

  test.each<[string, (query: Buffer) => Buffer]>([
    ['a record that overruns', (query) => reply(query, { answers: [record('A', [1, 2], { length: 4 })] })],
    ['a pointer loop', (query) => reply(query, { answers: [record('A', ADDRESS, { owner: [0xc0, 35] })] })],
    ['bytes after the records', (query) => reply(query, { answers: [record('A', ADDRESS)], trailing: [0] })],
    ['more than 16 KB', (query) => reply(query, { answers: [record(65_000, Buffer.alloc(20_000))] })],
  ])('says malformed of %s', async (_, broken) => {
    const { server, datagrams } = await startScriptedDns((query) => [broken(query)]);
    expect(await ask(server)).toMatchObject({ kind: 'silence', reason: 'malformed' });
    expect(datagrams).toHaveLength(1);
  });

  test('hands over an error with its extended error', async () => {
    const blocked = option(15, Buffer.concat([u16(15), Buffer.from('blocked')]));
    const { server } = await startScriptedDns((query) => [
      reply(query, { flags: ANSWER | 5, additional: [opt(blocked)] }),
    ]);
    expect(await ask(server)).toMatchObject({
      kind: 'reply',
      reply: { rcode: 'REFUSED', extendedErrors: [{ code: 15, text: 'blocked' }] },
    });
  });
});

describe('a server without EDNS', () => {
  test.each<[string, (query: Buffer) => Buffer]>([
    ['FORMERR', (query) => reply(query, { flags: FORMERR })],
    ['FORMERR, the header alone', (query) => reply(query, { flags: FORMERR, question: [] })],
    ['NOTIMP', (query) => reply(query, { flags: ANSWER | 4 })],
    ['BADVERS', (query) => reply(query, { additional: [opt([], { rcodeHigh: 1 })] })],
  ])('that says %s is asked again without', async (_, refusal) => {
    const { server, datagrams } = await startScriptedDns((query) => [
      offersEdns(query) ? refusal(query) : good(query),
    ]);
    const answer = await ask(server);
    expect(answer).toMatchObject(FOUND);
    expect(answer).toMatchObject({ reply: { withoutEdns: true } });
    expect(datagrams.map(offersEdns)).toEqual([true, false]);
  });

  test('is asked once more only', async () => {
    const { server, datagrams } = await startScriptedDns((query) => [reply(query, { flags: FORMERR })]);
    expect(await ask(server)).toMatchObject({ kind: 'reply', reply: { rcode: 'FORMERR' } });
    expect(datagrams).toHaveLength(2);
  });

  test('is asked again without over TCP too', async () => {
    const { server, streamed } = await startScriptedDns(
      (query) => [reply(query, { flags: ANSWER | TRUNCATED })],
      (query, socket) =>
        socket.end(framed(offersEdns(query) ? reply(query, { flags: FORMERR }) : good(query))),
    );
    expect(await ask(server)).toMatchObject({ ...FOUND, reply: { ...FOUND.reply, over: 'tcp' } });
    expect(streamed.map(offersEdns)).toEqual([true, false]);
  });
});

describe('time', () => {
  test('gives a silent server two tries of two seconds, then TCP', async () => {
    const clock = createVirtualClock();
    const { server, datagrams, streamed } = await startScriptedDns(silent, () => undefined);
    const exchange = open({ clock }).ask(server, QUESTION, AUTHORITATIVE);
    await until(() => datagrams.length === 1);
    await clock.advance(1_999);
    expect(datagrams).toHaveLength(1);
    await clock.advance(1);
    await until(() => datagrams.length === 2);
    expect(streamed).toHaveLength(0);
    await clock.advance(2_000);
    await until(() => streamed.length === 1);
    await clock.advance(2_000);
    expect(await exchange).toEqual({
      kind: 'silence',
      reason: 'timeout',
      detail: 'no answer within 2 s, asked 2 times; over TCP: no answer within 2 s',
      elapsedMs: 6_000,
    });
    expect(clock.pending).toBe(0);
  });

  test('takes the answer to the second try', async () => {
    const clock = createVirtualClock();
    const { server, datagrams } = await startScriptedDns((query, index) =>
      index === 0 ? [] : [good(query)],
    );
    const exchange = open({ clock, timeoutMs: 500 }).ask(server, QUESTION, AUTHORITATIVE);
    await until(() => datagrams.length === 1);
    await clock.advance(500);
    expect(await exchange).toMatchObject({ ...FOUND, elapsedMs: 500 });
  });

  test('takes the answer over TCP where UDP gets none', async () => {
    const clock = createVirtualClock();
    const { server, datagrams } = await startScriptedDns(silent, (query, socket) =>
      socket.end(framed(good(query))),
    );
    const exchange = open({ clock, triesMax: 1 }).ask(server, QUESTION, AUTHORITATIVE);
    await until(() => datagrams.length === 1);
    await clock.advance(2_000);
    expect(await exchange).toMatchObject({ ...FOUND, reply: { ...FOUND.reply, over: 'tcp' } });
  });

  test('an answer after the time is up is not taken for that of another question', async () => {
    const clock = createVirtualClock();
    const late: Buffer[] = [];
    const scripted = await startScriptedDns((query, index) => {
      if (index === 0) {
        late.push(reply(query, { answers: [record('A', [6, 6, 6, 6])] }));
        return [];
      }
      return [...late, good(query)];
    });
    const exchange = open({ clock }).ask(scripted.server, QUESTION, AUTHORITATIVE);
    await until(() => scripted.datagrams.length === 1);
    await clock.advance(2_000);
    expect(await exchange).toMatchObject(FOUND);
  });
});

describe('nobody there', () => {
  test('is told at once, by UDP and TCP', async () => {
    const clock = createVirtualClock();
    expect(await open({ clock }).ask(await closedPort(), QUESTION, AUTHORITATIVE)).toEqual({
      kind: 'silence',
      reason: 'unreachable',
      detail: 'connection refused; over TCP: connection refused',
      elapsedMs: 0,
    });
    expect(clock.pending).toBe(0);
  });

  test('is told to all that ask, and later a new socket is opened', async () => {
    const server = await closedPort();
    const client = open();
    const exchanges = await Promise.all(
      Array.from({ length: 20 }, () => client.ask(server, QUESTION, AUTHORITATIVE)),
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
    expect(await client.ask(server, QUESTION, AUTHORITATIVE)).toMatchObject(FOUND);
  });

  test.each([
    [{ address: 'ns1.example.test', port: 53 }, 'not an IP address'],
    [{ address: '127.0.0.1', port: 0 }, 'no such port'],
    [{ address: '127.0.0.1', port: 65_536 }, 'no such port'],
    [{ address: '127.0.0.1', port: Number.NaN }, 'no such port'],
  ])('at %j', async (place, detail) => {
    expect(await ask({ ...place, transport: 'dns' })).toMatchObject({ reason: 'unreachable', detail });
  });
});

describe('cut short over UDP', () => {
  const truncated: UdpScript = (query) => [reply(query, { flags: ANSWER | TRUNCATED })];

  test('is asked over TCP', async () => {
    const { server, streamed, datagrams } = await startScriptedDns(truncated, (query, socket) =>
      socket.end(framed(good(query))),
    );
    expect(await ask(server)).toMatchObject({ ...FOUND, reply: { ...FOUND.reply, over: 'tcp' } });
    expect(datagrams).toHaveLength(1);
    expect(streamed[0]?.subarray(2)).toEqual(datagrams[0]?.subarray(2));
  });

  test.each<[string, TcpScript, object]>([
    [
      'one byte at a time',
      (query, socket) => {
        for (const byte of framed(good(query))) socket.write(Buffer.from([byte]));
      },
      { kind: 'reply' },
    ],
    [
      'with bytes after the message',
      (query, socket) => socket.end(Buffer.concat([framed(good(query)), good(query)])),
      { kind: 'reply' },
    ],
    [
      'closed at once',
      (_, socket) => socket.end(),
      { reason: 'unreachable', detail: 'cut short over UDP; over TCP: connection closed before an answer' },
    ],
    ['half a length', (_, socket) => socket.end(Buffer.alloc(1)), { reason: 'malformed' }],
    [
      'half a message',
      (query, socket) => socket.end(framed(good(query)).subarray(0, 30)),
      { reason: 'malformed', detail: 'cut short over UDP; over TCP: an answer cut short' },
    ],
    ['reset', (_, socket) => socket.resetAndDestroy(), { reason: 'unreachable' }],
    [
      'another id',
      (query, socket) => socket.end(framed(message({ id: query.readUInt16BE(0) ^ 1 }))),
      { reason: 'malformed' },
    ],
    [
      'another question',
      (query, socket) => socket.end(framed(reply(query, { question: questionOf('other.test', 'A') }))),
      { reason: 'malformed' },
    ],
    ['a message of no bytes', (_, socket) => socket.end(framed(Buffer.alloc(0))), { reason: 'malformed' }],
    [
      'cut short again',
      (query, socket) => socket.end(framed(reply(query, { flags: ANSWER | TRUNCATED }))),
      { reason: 'malformed', detail: 'an answer cut short' },
    ],
    [
      '64 KB promised',
      (_, socket) => socket.write(Buffer.from([0xff, 0xff])),
      { reason: 'malformed', detail: 'cut short over UDP; over TCP: more than 16384 bytes' },
    ],
  ])('over TCP: %s', async (_, script, expected) => {
    const { server } = await startScriptedDns(truncated, script);
    expect(await ask(server)).toMatchObject(expected);
  });

  test('over TCP: a drip ends with the time', async () => {
    const clock = createVirtualClock();
    const { server, streamed } = await startScriptedDns(truncated, (query, socket) => {
      const drops = framed(good(query));
      let dropped = 0;
      const drip = (): void => {
        if (socket.destroyed || dropped > 20) return;
        socket.write(drops.subarray(dropped, (dropped += 1)));
        setImmediate(drip);
      };
      drip();
    });
    const exchange = open({ clock }).ask(server, QUESTION, AUTHORITATIVE);
    await until(() => streamed.length === 1);
    await clock.advance(2_000);
    expect(await exchange).toMatchObject({
      reason: 'timeout',
      detail: 'cut short over UDP; over TCP: no answer within 2 s',
    });
  });

  test('is asked over at most eight connections at once', async () => {
    const held: (() => void)[] = [];
    let most = 0;
    const { server } = await startScriptedDns(truncated, (query, socket) => {
      held.push(() => socket.end(framed(good(query))));
      most = Math.max(most, held.length);
    });
    const client = open();
    let done = 0;
    const asked = Array.from({ length: 20 }, () =>
      client.ask(server, QUESTION, AUTHORITATIVE).finally(() => (done += 1)),
    );
    while (done < 20) {
      await until(() => held.length === Math.min(8, 20 - done));
      for (let turn = 0; turn < 20; turn += 1) await settle();
      const before = done;
      held.shift()?.();
      await until(() => done > before);
    }
    await Promise.all(asked);
    expect(most).toBe(8);
  });

  test('over TCP: nobody there', async () => {
    const { server } = await startScriptedDns(truncated);
    expect(await ask(server)).toMatchObject({
      reason: 'unreachable',
      detail: 'cut short over UDP; over TCP: connection refused',
    });
  });
});

describe('the end', () => {
  test('by the budget takes all questions with it, those in line too', async () => {
    const budget = new AbortController();
    const { server, datagrams } = await startScriptedDns(silent);
    const client = open({ budget: budget.signal, parallelMax: 5 });
    const asked = Array.from({ length: 30 }, () => client.ask(server, QUESTION, AUTHORITATIVE));
    await until(() => datagrams.length === 5);
    expect(getEventListeners(budget.signal, 'abort')).toHaveLength(1);
    budget.abort();
    for (const exchange of await Promise.all(asked)) expect(exchange).toMatchObject({ reason: 'aborted' });
    expect(await client.ask(server, QUESTION, AUTHORITATIVE)).toMatchObject({
      reason: 'aborted',
      elapsedMs: 0,
    });
    expect(datagrams).toHaveLength(5);
    expect(getEventListeners(budget.signal, 'abort')).toHaveLength(0);
  });

  test('may have come before the beginning', async () => {
    const { server, datagrams } = await startScriptedDns((query) => [good(query)]);
    const client = open({ budget: AbortSignal.abort() });
    expect(await client.ask(server, QUESTION, AUTHORITATIVE)).toMatchObject({ reason: 'aborted' });
    expect(datagrams).toHaveLength(0);
  });

  test('of one question leaves the others alone', async () => {
    const one = new AbortController();
    const { server, datagrams } = await startScriptedDns((query, index) =>
      index === 1 ? [good(query)] : [],
    );
    const client = open();
    const stopped = client.ask(server, QUESTION, { recursive: false, signal: one.signal });
    await until(() => datagrams.length === 1);
    one.abort();
    expect(await stopped).toMatchObject({ kind: 'silence', reason: 'aborted' });
    expect(await client.ask(server, QUESTION, { recursive: false })).toMatchObject(FOUND);
  });

  test('by closing', async () => {
    const { server, datagrams } = await startScriptedDns(silent);
    const { signal } = new AbortController();
    const client = open({ budget: signal });
    const asked = client.ask(server, QUESTION, AUTHORITATIVE);
    await until(() => datagrams.length === 1);
    client.close();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(await asked).toMatchObject({ reason: 'aborted' });
    expect(await client.ask(server, QUESTION, AUTHORITATIVE)).toMatchObject({ reason: 'aborted' });
  });
});

describe('questions', () => {
  test('that cannot be asked are not', async () => {
    const { server, datagrams } = await startScriptedDns((query) => [good(query)]);
    expect(await ask(server, { name: 'a..test', type: 'A' })).toEqual({
      kind: 'silence',
      reason: 'malformed',
      detail: 'not a name that can be asked',
      elapsedMs: 0,
    });
    expect(datagrams).toHaveLength(0);
  });
});

describe('over HTTPS', () => {
  test('falls back from EDNS, and says so', async () => {
    const listener = createServer((request, response) => {
      request.once('data', (query: Buffer) => {
        response.setHeader('content-type', 'application/dns-message');
        response.end(offersEdns(query) ? reply(query, { flags: FORMERR }) : good(query));
      });
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      listener.closeAllConnections();
      listener.close();
    });
    const address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/dns-query`;
    expect(await ask({ address, port: 443, transport: 'https' })).toMatchObject({
      ...FOUND,
      reply: { ...FOUND.reply, over: 'https' },
    });
  });
});
