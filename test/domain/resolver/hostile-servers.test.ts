import { createSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkDomain } from '../../../src/domain/checks.js';
import { createDnsClient } from '../../../src/domain/resolver/dns-client.js';
import type { Report } from '../../../src/domain/report/report.js';
import { type World, worldOf } from '../../mock/dns/ask-dns.js';
import { framed, startScriptedDns } from './scripted-dns.js';
import { message, name, pointer, record, u16, u32 } from './wire.js';

const DOMAIN = 'shop.example.test';
const TARGET = 'cname.platform.test';
/** What a server says wrong is told at once; what it does not say costs this, in milliseconds. */
const PATIENCE_MS = 120;

/** Could not ask, in words. */
const TROUBLE = /^(no answer within|a malformed answer|cut short over UDP; over TCP|an answer cut short)/;

/** What a server does with questions for the domain. It knows the honest answer. */
interface Misdeed {
  /** The datagrams that it sends back; by default a truncated answer. */
  udp?: (honest: Buffer, query: Buffer, port: number) => readonly Buffer[];
  /** What it does with a connection; by default it ends it. */
  tcp?: (socket: Socket, honest: Buffer) => void;
}

/** Who does it: the domain's name server, or the resolver. */
type Culprit = 'authority' | 'resolver';

const MISDEEDS: Readonly<Record<string, Misdeed>> = {
  'another id': { udp: (honest) => [changed(honest, { 1: honest[1]! ^ 1 })] },
  'the question back': { udp: (_, query) => [query] },
  'one byte': { udp: () => [Buffer.alloc(1)] },
  'an answer cut in the middle of its record': { udp: (honest) => [honest.subarray(0, -14)] },
  'an answer cut within its header': { udp: (honest) => [honest.subarray(0, 7)] },
  'bytes behind the last record': { udp: (honest) => [Buffer.concat([honest, Buffer.alloc(3)])] },
  'more records than there are': { udp: (honest) => [changed(honest, { 6: 0xff, 7: 0xff })] },
  'random bytes behind the question': {
    udp: (_, query) => [answerTo(query, { answers: [noise(200)], counts: [4, 0, 0] })],
  },
  'a name that points to itself': {
    udp: (_, query) => [
      answerTo(query, { answers: [record('CNAME', name(TARGET), { owner: pointer(35) })] }),
    ],
  },
  'a name that points ahead': {
    udp: (_, query) => [answerTo(query, { answers: [record('CNAME', pointer(60))] })],
  },
  'a name that runs over its record': {
    udp: (_, query) => [answerTo(query, { answers: [record('CNAME', name(TARGET), { length: 9 })] })],
  },
  'a record of 65,535 bytes that has none': {
    udp: (_, query) => [answerTo(query, { answers: [record('CNAME', [], { length: 0xffff })] })],
  },
  'a pointer chain of 60 KB': { udp: (_, query) => [answerTo(query, pointerChain(60_000))] },
  'a record of another class': {
    udp: (_, query) => [answerTo(query, { answers: [record('CNAME', name(TARGET), { class: 3 })] })],
  },
  'two hundred wrong answers': {
    udp: (honest) =>
      Array.from({ length: 200 }, (_, index) => changed(honest, { 0: index, 1: honest[1]! ^ 1 })),
  },
  'the right answer from another port': {
    udp(honest, _, port) {
      const stranger = createSocket('udp4');
      stranger.send(honest, port, '127.0.0.1', () => stranger.close());
      return [];
    },
  },
  silence: { udp: () => [], tcp: () => undefined },
  'TCP: a byte now and then': {
    tcp(socket, honest) {
      const bytes = framed(honest);
      let sent = 0;
      const drip = setInterval(() => {
        if (socket.destroyed || sent === bytes.length - 1) clearInterval(drip);
        else socket.write(bytes.subarray(sent, (sent += 1)));
      }, 5);
      socket.once('close', () => {
        clearInterval(drip);
      });
    },
  },
  'TCP: nothing': { tcp: () => undefined },
  'TCP: an end': { tcp: (socket) => socket.end() },
  'TCP: a reset': { tcp: (socket) => socket.resetAndDestroy() },
  'TCP: half of a message': { tcp: (socket, honest) => socket.end(framed(honest).subarray(0, 30)) },
  'TCP: another id': { tcp: (socket, honest) => socket.end(framed(changed(honest, { 1: honest[1]! ^ 1 }))) },
  'TCP: truncated again': { tcp: (socket, honest) => socket.end(framed(truncated(honest))) },
  'TCP: 64 KB': { tcp: (socket) => socket.write(Buffer.concat([u16(0xffff), Buffer.alloc(0xffff)])) },
  'TCP: a pointer chain of 16 KB': {
    tcp: (socket, honest) => socket.end(framed(answerTo(honest, pointerChain(16_000)))),
  },
  'TCP: 16 KB of nothing': { tcp: (socket) => socket.end(framed(Buffer.alloc(0x4000))) },
};

describe.each<Culprit>(['authority', 'resolver'])('a hostile %s', (culprit) => {
  test.each(Object.keys(MISDEEDS))('%s: the check ends, and verifies nothing', async (kind) => {
    const report = await check(culprit, MISDEEDS[kind]!, PATIENCE_MS);
    expect(report.state).toBe('inconclusive');
    const views = culprit === 'authority' ? report.observed.authoritative : report.observed.recursive;
    expect(views).toMatchObject([{ records: [], answer: expect.stringMatching(TROUBLE) }]);
    if (culprit === 'authority') expect(report.observed.recursive).toEqual([]);
  });

  test('is one by its misdeeds alone', async () => {
    const tcp: Misdeed['tcp'] = (socket, honest) => socket.end(framed(honest));
    expect(await check(culprit, { udp: (honest) => [honest] })).toMatchObject({ state: 'verified' });
    expect(await check(culprit, { tcp })).toMatchObject({ state: 'verified' });
  });
});

test('records that nobody asked for are not believed', async () => {
  const injected = record('CNAME', name(TARGET), { owner: name('wrong.example.test') });
  const report = await check(
    'authority',
    { udp: (_, query) => [answerTo(query, { answers: [injected], additional: [injected] })] },
    PATIENCE_MS,
  );
  expect(report.state).toBe('action-required');
  expect(report.findings.map(({ id }) => id)).toContain('record.missing');
});

/** Checks the domain on a single server, which is honest but for what it is to do. */
async function check(
  culprit: Culprit,
  { udp = (honest) => [truncated(honest)], tcp = (socket) => socket.end() }: Misdeed,
  timeoutMs = 10_000,
): Promise<Report> {
  const world = newWorld();
  const concerned = (query: Buffer): boolean =>
    ((query[2]! & 1) === 1) === (culprit === 'resolver') && query.includes(name(DOMAIN));
  const honestly = (query: Buffer, over: 'udp' | 'tcp'): Buffer =>
    Buffer.from(world.send(query, { over }) ?? []);
  const scripted = await startScriptedDns(
    (query, index) => {
      const honest = honestly(query, 'udp');
      return concerned(query) ? udp(honest, query, scripted.ports[index] ?? 0) : [honest];
    },
    (query, socket) => {
      const honest = honestly(query, 'tcp');
      if (concerned(query)) tcp(socket, honest);
      else socket.end(framed(honest));
    },
  );
  const dns = createDnsClient({ timeoutMs, triesMax: 1 });
  onTestFinished(() => dns.close());
  const { address, port } = scripted.server;
  return checkDomain(
    { domain: DOMAIN, target: TARGET, plan: 'Pro', deployed: true },
    { dns, resolvers: [`${address}:${port}`], authoritativePort: port },
  );
}

/** The mock's built-in zones, all of whose servers are at one address. */
function newWorld(): World {
  const world = worldOf();
  world.nameServers.bind(new Set(['127.0.0.1']));
  return world;
}

function changed(bytes: Buffer, changes: Readonly<Record<number, number>>): Buffer {
  const copy = Buffer.from(bytes);
  for (const [offset, byte] of Object.entries(changes)) copy[Number(offset)] = byte;
  return copy;
}

/** A truncated answer: the flag, and no records. */
function truncated(honest: Buffer): Buffer {
  return answerTo(honest, { flags: 0x8600 });
}

/** An answer to the question of a message, with other parts. */
function answerTo(given: Buffer, parts: Parameters<typeof message>[0]): Buffer {
  const end = given.indexOf(0, 12) + 5;
  return message({ id: given.readUInt16BE(0), question: given.subarray(12, end), ...parts });
}

/** Records whose owners point to one another, back to the first. */
function pointerChain(bytes: number): Parameters<typeof message>[0] {
  const head = Buffer.concat([u16(5), u16(1), u32(300), u16(2)]);
  const answers: Buffer[] = [];
  for (let offset = 35; offset < bytes; offset += 14) {
    const before = offset === 35 ? 12 : Math.min(offset - 2, 0x3fff);
    answers.push(Buffer.concat([pointer(before), head, pointer(before)]));
  }
  return { answers };
}

/** The same bytes in every run. */
function noise(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => (index * 167 + 13) & 0xff));
}
