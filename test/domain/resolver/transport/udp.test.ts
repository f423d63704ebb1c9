import { describe, expect, onTestFinished, test } from 'vitest';
import type { TransportResult } from '../../../../src/domain/resolver/transport/transport-result.js';
import type { DnsServer } from '../../../../src/domain/resolver/dns.js';
import { createStopSignals } from '../../../../src/domain/concurrency/stop-signal.js';
import { createUdpSockets, type UdpSockets } from '../../../../src/domain/resolver/transport/udp.js';
import { createVirtualClock, settle, until } from '../../../support/virtual-clock.js';
import { closedServer, startScriptedDns } from '../scripted-dns.js';
import { message } from '../wire.js';

const QUERY = message({ flags: 0 });
const limits = { timeoutMs: 2_000, clock: createVirtualClock(), stop: createStopSignals().join([]) };

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

  test('go round where the last id is taken', async () => {
    const { server, datagrams } = await startScriptedDns((_, index) => (index < 2 ? [] : [...datagrams]));
    const sockets = open(() => 0.99999);
    await Promise.all(Array.from({ length: 3 }, () => exchange(sockets, server)));
    expect(datagrams.map((query) => query.readUInt16BE(0))).toEqual([0xffff, 0, 1]);
  });

  test('take no datagram that does not match', async () => {
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

  test('stay open for the thirty-two servers last asked', async () => {
    const [first, second, ...others] = await Promise.all(
      Array.from({ length: 33 }, () => startScriptedDns((query) => [query])),
    );
    const sockets = open();
    for (const { server } of [first!, second!, ...others.slice(1)]) await exchange(sockets, server);
    await exchange(sockets, first!.server);
    expect(new Set(first!.ports).size).toBe(1);
    // One too many: the second has waited longest now.
    await exchange(sockets, others[0]!.server);
    await exchange(sockets, first!.server);
    expect(new Set(first!.ports).size).toBe(1);
    await exchange(sockets, second!.server);
    expect(new Set(second!.ports).size).toBe(2);
  });

  test('keep the process alive only while somebody waits', async () => {
    const udp = (): number => process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap').length;
    const { server, datagrams } = await startScriptedDns((_, index) =>
      index % 2 === 1 ? datagrams.slice(-2) : [],
    );
    const sockets = open();
    // Sockets of the tests before are closed by then.
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

  test('tell a refused port to all who wait', async () => {
    const server = await closedServer();
    const sockets = open();
    const deliveries = await Promise.all(Array.from({ length: 5 }, () => exchange(sockets, server)));
    for (const delivery of deliveries) {
      expect(delivery).toEqual({ kind: 'failure', reason: 'unreachable', detail: 'connection refused' });
    }
  });

  test('close, and end what waits', async () => {
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
