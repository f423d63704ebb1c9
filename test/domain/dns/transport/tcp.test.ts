import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { DnsServer } from '../../../../src/domain/dns/dns.js';
import { stopSignalOf } from '../../../../src/domain/dns/concurrency/stop-signal.js';
import { exchangeOverTcp } from '../../../../src/domain/dns/tcp.js';
import { createVirtualClock, until } from '../../../support/virtual-clock.js';
import { closedServer, framed, startScriptedDns, type TcpScript } from '../scripted-dns.js';
import { message } from '../wire.js';

const QUERY = message({ id: 7, flags: 0 });

function ask(server: DnsServer, signal?: AbortSignal, clock = createVirtualClock()) {
  return exchangeOverTcp(server, QUERY, {
    timeoutMs: 2_000,
    clock,
    stop: stopSignalOf(signal),
  });
}

function start(script: TcpScript) {
  return startScriptedDns(() => [], script);
}

describe('a TCP exchange', () => {
  test('sends the query, returns the response, and closes', async () => {
    const sockets: Socket[] = [];
    const { server, streamed } = await start((query, socket) => {
      sockets.push(socket);
      socket.write(framed(query));
    });
    expect(await ask(server)).toEqual({ kind: 'message', message: QUERY });
    expect(streamed).toEqual([QUERY]);
    await until(() => sockets[0]?.destroyed === true || sockets[0]?.readableEnded === true);
  });

  test('joins segments, even of the length', async () => {
    const { server } = await start((query, socket) => {
      const [first, ...rest] = framed(query);
      socket.write(Buffer.from([first!]));
      setImmediate(() => socket.write(Buffer.from(rest)));
    });
    expect(await ask(server)).toEqual({ kind: 'message', message: QUERY });
  });

  test('accepts the largest message', async () => {
    const size = { bytes: 0xffff };
    const { server } = await start((_, socket) => socket.write(framed(Buffer.alloc(size.bytes))));
    expect(await ask(server)).toMatchObject({ kind: 'message', message: { length: size.bytes } });
  });

  test.each<[string, TcpScript, object]>([
    [
      'closed before the first byte',
      (_, socket) => socket.end(),
      { reason: 'unreachable', detail: 'connection closed before a response' },
    ],
    [
      'closed within the message',
      (_, socket) => socket.end(framed(QUERY).subarray(0, -1)),
      { reason: 'malformed', detail: 'truncated response' },
    ],
    ['reset', (_, socket) => socket.resetAndDestroy(), { reason: 'unreachable', detail: 'connection reset' }],
  ])('%s', async (_, script, expected) => {
    const { server } = await start(script);
    expect(await ask(server)).toMatchObject(expected);
  });

  test('a closed port', async () => {
    expect(await ask(await closedServer())).toMatchObject({
      reason: 'unreachable',
      detail: 'connection refused',
    });
  });

  test('closes the connection at the time limit, and when it is stopped', async () => {
    const sockets: Socket[] = [];
    const clock = createVirtualClock();
    const controller = new AbortController();
    const { server } = await start((_, socket) => sockets.push(socket));
    const late = ask(server, undefined, clock);
    await until(() => sockets.length === 1);
    await clock.advance(2_000);
    expect(await late).toMatchObject({ reason: 'timeout' });
    const stopped = ask(server, controller.signal);
    await until(() => sockets.length === 2);
    controller.abort();
    expect(await stopped).toMatchObject({ reason: 'aborted' });
    await until(() => sockets.every(({ destroyed, readableEnded }) => destroyed || readableEnded));
  });
});
