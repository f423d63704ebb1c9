import { describe, expect, onTestFinished, test } from 'vitest';
import type { TransportResult } from '../../../../src/domain/dns/transport-result.js';
import type { DnsServer } from '../../../../src/domain/dns/dns.js';
import { stopSignalOf } from '../../../../src/domain/dns/concurrency/stop-signal.js';
import { createUdpSockets, type UdpSockets } from '../../../../src/domain/dns/udp.js';
import { createVirtualClock, settle, until } from '../../../support/virtual-clock.js';
import { closedServer, startScriptedDns } from '../scripted-dns.js';
import { message } from '../wire.js';

const QUERY = message({ flags: 0 });
const limits = { timeoutMs: 2_000, clock: createVirtualClock(), stop: stopSignalOf() };

function open(random = Math.random): UdpSockets {
  const sockets = createUdpSockets(random);
  onTestFinished(() => {
    sockets.close();
  });
  return sockets;
}

function exchange(sockets: UdpSockets, server: DnsServer): Promise<TransportResult> {
  return sockets.exchange(server, Buffer.from(QUERY), () => true, limits);
}

describe('UDP sockets', () => {
  test('write an id into the query', async () => {
    const { server, datagrams } = await startScriptedDns((query) => [query]);
    const sockets = open(() => 0x1234 / 0x1_0000);
    const delivery = await exchange(sockets, server);
    expect(datagrams).toEqual([Buffer.concat([Buffer.from([0x12, 0x34]), QUERY.subarray(2)])]);
    expect(delivery).toEqual({ kind: 'message', message: datagrams[0] });
  });

  test('continue at 0 if the last id is in use', async () => {
    const { server, datagrams } = await startScriptedDns((_, index) => (index < 2 ? [] : [...datagrams]));
    const sockets = open(() => 0.99999);
    await Promise.all(Array.from({ length: 3 }, () => exchange(sockets, server)));
    expect(datagrams.map((query) => query.readUInt16BE(0))).toEqual([0xffff, 0, 1]);
  });

  test('ignore a datagram that does not match', async () => {
    const { server } = await startScriptedDns((query) => [
      Buffer.concat([query, Buffer.from('x')]),
      Buffer.concat([query, Buffer.from('y')]),
    ]);
    const delivery = await open().exchange(
      server,
      Buffer.from(QUERY),
      (given) => given.at(-1) === 0x79,
      limits,
    );
    expect(delivery).toMatchObject({ kind: 'message' });
  });

  test('stay open for the last thirty-two servers', async () => {
    const [first, second, ...others] = await Promise.all(
      Array.from({ length: 33 }, () => startScriptedDns((query) => [query])),
    );
    const sockets = open();
    for (const { server } of [first!, second!, ...others.slice(1)]) await exchange(sockets, server);
    await exchange(sockets, first!.server);
    expect(new Set(first!.ports).size).toBe(1);
    // One too many: the second is now the longest idle.
    await exchange(sockets, others[0]!.server);
    await exchange(sockets, first!.server);
    expect(new Set(first!.ports).size).toBe(1);
    await exchange(sockets, second!.server);
    expect(new Set(second!.ports).size).toBe(2);
  });

  test('keep the process alive only during a query', async () => {
    const udp = (): number => process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap').length;
    const { server, datagrams } = await startScriptedDns((_, index) =>
      index % 2 === 1 ? datagrams.slice(-2) : [],
    );
    const sockets = open();
    // Sockets of earlier tests are closed by now.
    for (let turn = 0; turn < 5; turn += 1) await settle();
    const before = udp();
    for (const round of [0, 1]) {
      const first = exchange(sockets, server);
      await until(() => datagrams.length === 2 * round + 1);
      const during = udp();
      await Promise.all([first, exchange(sockets, server)]);
      expect([during, udp()]).toEqual([before + 1, before]);
    }
  });

  test('report a closed port to all queries in flight', async () => {
    const server = await closedServer();
    const sockets = open();
    const deliveries = await Promise.all(Array.from({ length: 5 }, () => exchange(sockets, server)));
    for (const delivery of deliveries) {
      expect(delivery).toEqual({ kind: 'failure', reason: 'unreachable', detail: 'connection refused' });
    }
  });

  test('end queries in flight when they close', async () => {
    const { server, datagrams } = await startScriptedDns(() => []);
    const sockets = open();
    const waiting = exchange(sockets, server);
    await until(() => datagrams.length === 1);
    sockets.close();
    expect(await waiting).toEqual({ kind: 'failure', reason: 'aborted', detail: 'closed' });
  });

  test('close before they are connected', async () => {
    const { server } = await startScriptedDns(() => []);
    const sockets = open();
    const waiting = exchange(sockets, server);
    sockets.close();
    expect(await waiting).toMatchObject({ reason: 'aborted' });
  });
});
