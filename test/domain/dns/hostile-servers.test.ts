import { createSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkDomain } from '../../../src/domain/run/checks.js';
import { createDnsClient } from '../../../src/domain/dns/dns-client.js';
import type { Report } from '../../../src/domain/report/report.js';
import { dnsWithoutSockets } from '../../mock/dns/dns-client.js';
import { createTurnClock } from '../turn-clock.js';
import { framed, startScriptedDns } from './scripted-dns.js';
import { message, name, pointer, record, u16, u32 } from './wire.js';

const DOMAIN = 'shop.example.test';
const TARGET = 'cname.platform.test';
/** A wrong response is rejected at once; a missing one costs this time, in milliseconds. */
const PATIENCE_MS = 50;

/** The texts of a failed query. */
const FAILURE = /^(no response within|malformed response|truncated over UDP; over TCP|truncated response)/;

/** What a server does with queries for the domain. It knows the correct response. */
interface Misdeed {
  /** The datagrams that it sends back; by default a truncated response. */
  udp?: (correct: Buffer, query: Buffer, port: number) => readonly Buffer[];
  /** What it does with a connection; by default it closes it. */
  tcp?: (socket: Socket, correct: Buffer) => void;
}

/** The hostile server: the domain's name server, or the resolver. */
type HostileRole = 'authority' | 'resolver';

const MISDEEDS: Readonly<Record<string, Misdeed>> = {
  'another id': { udp: (correct) => [changed(correct, { 1: correct[1]! ^ 1 })] },
  'the query itself': { udp: (_, query) => [query] },
  'one byte': { udp: () => [Buffer.alloc(1)] },
  'a response that ends within its record': { udp: (correct) => [correct.subarray(0, -14)] },
  'a response that ends within its header': { udp: (correct) => [correct.subarray(0, 7)] },
  'bytes after the last record': { udp: (correct) => [Buffer.concat([correct, Buffer.alloc(3)])] },
  'a record count that is too high': { udp: (correct) => [changed(correct, { 6: 0xff, 7: 0xff })] },
  'random bytes after the question': {
    udp: (_, query) => [responseTo(query, { answers: [noise(200)], counts: [4, 0, 0] })],
  },
  'a name that points to itself': {
    udp: (_, query) => [
      responseTo(query, { answers: [record('CNAME', name(TARGET), { owner: pointer(35) })] }),
    ],
  },
  'a name that points forward': {
    udp: (_, query) => [responseTo(query, { answers: [record('CNAME', pointer(60))] })],
  },
  'a name that extends past its record': {
    udp: (_, query) => [responseTo(query, { answers: [record('CNAME', name(TARGET), { length: 9 })] })],
  },
  'an empty record with a length of 65,535': {
    udp: (_, query) => [responseTo(query, { answers: [record('CNAME', [], { length: 0xffff })] })],
  },
  'a pointer chain of 60 KB': { udp: (_, query) => [responseTo(query, pointerChain(60_000))] },
  'a record of another class': {
    udp: (_, query) => [responseTo(query, { answers: [record('CNAME', name(TARGET), { class: 3 })] })],
  },
  'two hundred wrong responses': {
    udp: (correct) =>
      Array.from({ length: 200 }, (_, index) => changed(correct, { 0: index, 1: correct[1]! ^ 1 })),
  },
  'the right response from another port': {
    udp(correct, _, port) {
      const other = createSocket('udp4');
      other.send(correct, port, '127.0.0.1', () => other.close());
      return [];
    },
  },
  silence: { udp: () => [], tcp: () => undefined },
  'TCP: single bytes, slowly': {
    tcp(socket, correct) {
      const bytes = framed(correct);
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
  'TCP: no response': { tcp: () => undefined },
  'TCP: a closed connection': { tcp: (socket) => socket.end() },
  'TCP: a reset': { tcp: (socket) => socket.resetAndDestroy() },
  'TCP: half of a message': { tcp: (socket, correct) => socket.end(framed(correct).subarray(0, 30)) },
  'TCP: another id': {
    tcp: (socket, correct) => socket.end(framed(changed(correct, { 1: correct[1]! ^ 1 }))),
  },
  'TCP: truncated again': { tcp: (socket, correct) => socket.end(framed(truncated(correct))) },
  'TCP: 64 KB': { tcp: (socket) => socket.write(Buffer.concat([u16(0xffff), Buffer.alloc(0xffff)])) },
  'TCP: a pointer chain of 16 KB': {
    tcp: (socket, correct) => socket.end(framed(responseTo(correct, pointerChain(16_000)))),
  },
  'TCP: 16 KB of nothing': { tcp: (socket) => socket.end(framed(Buffer.alloc(0x4000))) },
};

/** The mock's built-in zones, with all servers at one address. */
const world = dnsWithoutSockets();
world.nameServers.bind(new Set(['127.0.0.1']));

describe.each<HostileRole>(['authority', 'resolver'])('a hostile %s', (culprit) => {
  test.each(Object.keys(MISDEEDS))('%s: the check ends, and the domain is not verified', async (kind) => {
    const report = await check(culprit, MISDEEDS[kind]!, PATIENCE_MS);
    expect(report.state).toBe('inconclusive');
    const views = culprit === 'authority' ? report.observed.authoritative : report.observed.recursive;
    expect(views).toMatchObject([{ records: [], response: expect.stringMatching(FAILURE) }]);
    if (culprit === 'authority') expect(report.observed.recursive).toEqual([]);
  });

  test('verifies the domain if it sends valid responses', async () => {
    const tcp: Misdeed['tcp'] = (socket, correct) => socket.end(framed(correct));
    expect(await check(culprit, { udp: (correct) => [correct] })).toMatchObject({ state: 'verified' });
    expect(await check(culprit, { tcp })).toMatchObject({ state: 'verified' });
  });
});

test('does not use records that were not queried', async () => {
  const injected = record('CNAME', name(TARGET), { owner: name('wrong.example.test') });
  const report = await check(
    'authority',
    { udp: (_, query) => [responseTo(query, { answers: [injected], additional: [injected] })] },
    PATIENCE_MS,
  );
  expect(report.state).toBe('action-required');
  expect(report.findings.map(({ id }) => id)).toContain('record.missing');
});

/** Checks the domain on a single server, which is correct except for its misdeed. */
async function check(
  culprit: HostileRole,
  { udp = (correct) => [truncated(correct)], tcp = (socket) => socket.end() }: Misdeed,
  timeoutMs = 10_000,
): Promise<Report> {
  const concerned = (query: Buffer): boolean =>
    ((query[2]! & 1) === 1) === (culprit === 'resolver') && query.includes(name(DOMAIN));
  const correctly = (query: Buffer, over: 'udp' | 'tcp'): Buffer =>
    Buffer.from(world.send(query, { over }) ?? []);
  const scripted = await startScriptedDns(
    (query, index) => {
      const correct = correctly(query, 'udp');
      return concerned(query) ? udp(correct, query, scripted.ports[index] ?? 0) : [correct];
    },
    (query, socket) => {
      const correct = correctly(query, 'tcp');
      if (concerned(query)) tcp(socket, correct);
      else socket.end(framed(correct));
    },
  );
  const dns = createDnsClient({ timeoutMs, triesMax: 1, clock: createTurnClock() });
  onTestFinished(() => dns.close());
  const { address, port } = scripted.server;
  return checkDomain(
    { domain: DOMAIN, target: TARGET, plan: 'Pro', deployed: true },
    { dns, resolvers: [`${address}:${port}`], authoritativePort: port },
  );
}

function changed(bytes: Buffer, changes: Readonly<Record<number, number>>): Buffer {
  const copy = Buffer.from(bytes);
  for (const [offset, byte] of Object.entries(changes)) copy[Number(offset)] = byte;
  return copy;
}

/** A truncated response: the flag, and no records. */
function truncated(correct: Buffer): Buffer {
  return responseTo(correct, { flags: 0x8600 });
}

/** A response to a query, with other parts. */
function responseTo(given: Buffer, parts: Parameters<typeof message>[0]): Buffer {
  const end = given.indexOf(0, 12) + 5;
  return message({ id: given.readUInt16BE(0), question: given.subarray(12, end), ...parts });
}

/** Records whose owners are a chain of pointers to the first. */
function pointerChain(bytes: number): Parameters<typeof message>[0] {
  const head = Buffer.concat([u16(5), u16(1), u32(300), u16(2)]);
  const answers: Buffer[] = [];
  for (let offset = 35; offset < bytes; offset += 14) {
    const before = offset === 35 ? 12 : Math.min(offset - 2, 0x3fff);
    answers.push(Buffer.concat([pointer(before), head, pointer(before)]));
  }
  return { answers };
}

/** The same bytes each time. */
function noise(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => (index * 167 + 13) & 0xff));
}
