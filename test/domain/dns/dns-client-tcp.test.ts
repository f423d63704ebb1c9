import { describe, expect, test } from 'vitest';
import { createVirtualClock, until } from '../../support/virtual-clock.js';
import {
  ask,
  queryHeldBack,
  AUTHORITATIVE,
  FOUND,
  good,
  open,
  QUESTION,
  respond,
} from './exchange-builder.js';
import { framed, startScriptedDns, type TcpScript, type UdpScript } from './scripted-dns.js';
import { ANSWER, message, questionOf, TRUNCATED } from './wire.js';

describe('a response truncated over UDP', () => {
  const truncated: UdpScript = (query) => [respond(query, { flags: ANSWER | TRUNCATED })];

  test('is queried over TCP', async () => {
    const { server, streamed, datagrams } = await startScriptedDns(truncated, (query, socket) =>
      socket.end(framed(good(query))),
    );
    expect(await ask(server)).toMatchObject({ ...FOUND, response: { ...FOUND.response, over: 'tcp' } });
    expect(datagrams).toHaveLength(1);
    expect(streamed[0]?.subarray(2)).toEqual(datagrams[0]?.subarray(2));
  });

  test.each<[string, TcpScript, object]>([
    [
      'one byte at a time',
      (query, socket) => {
        for (const byte of framed(good(query))) socket.write(Buffer.from([byte]));
      },
      { kind: 'response' },
    ],
    [
      'with bytes after the message',
      (query, socket) => socket.end(Buffer.concat([framed(good(query)), good(query)])),
      { kind: 'response' },
    ],
    [
      'closed at once',
      (_, socket) => socket.end(),
      { reason: 'unreachable', detail: 'truncated over UDP; over TCP: connection closed before a response' },
    ],
    ['half of the length', (_, socket) => socket.end(Buffer.alloc(1)), { reason: 'malformed' }],
    [
      'half of the message',
      (query, socket) => socket.end(framed(good(query)).subarray(0, 30)),
      { reason: 'malformed', detail: 'truncated over UDP; over TCP: truncated response' },
    ],
    ['reset', (_, socket) => socket.resetAndDestroy(), { reason: 'unreachable' }],
    [
      'another id',
      (query, socket) => socket.end(framed(message({ id: query.readUInt16BE(0) ^ 1 }))),
      { reason: 'malformed' },
    ],
    [
      'another question section',
      (query, socket) => socket.end(framed(respond(query, { question: questionOf('other.test', 'A') }))),
      { reason: 'malformed' },
    ],
    ['a message of no bytes', (_, socket) => socket.end(framed(Buffer.alloc(0))), { reason: 'malformed' }],
    [
      'truncated again',
      (query, socket) => socket.end(framed(respond(query, { flags: ANSWER | TRUNCATED }))),
      { reason: 'malformed', detail: 'truncated response' },
    ],
    [
      'fewer bytes than announced',
      (_, socket) => socket.end(Buffer.from([0xff, 0xff])),
      { reason: 'malformed', detail: 'truncated over UDP; over TCP: truncated response' },
    ],
  ])('over TCP: %s', async (_, script, expected) => {
    const { server } = await startScriptedDns(truncated, script);
    expect(await ask(server)).toMatchObject(expected);
  });

  test('over TCP: single bytes do not extend the time limit', async () => {
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
    const exchange = open({ clock }).query(server, QUESTION, AUTHORITATIVE);
    await until(() => streamed.length === 1);
    await clock.advance(2_000);
    expect(await exchange).toMatchObject({
      reason: 'timeout',
      detail: 'truncated over UDP; over TCP: no response within 2 s',
    });
  });

  test('uses at most eight connections at once', async () => {
    const held: (() => void)[] = [];
    let most = 0;
    const { server } = await startScriptedDns(truncated, (query, socket) => {
      held.push(() => socket.end(framed(good(query))));
      most = Math.max(most, held.length);
    });
    await queryHeldBack(open(), server, { count: 20, inFlightMax: 8, held });
    expect(most).toBe(8);
  });

  test('over TCP: a closed port', async () => {
    const { server } = await startScriptedDns(truncated);
    expect(await ask(server)).toMatchObject({
      reason: 'unreachable',
      detail: 'truncated over UDP; over TCP: connection refused',
    });
  });
});
