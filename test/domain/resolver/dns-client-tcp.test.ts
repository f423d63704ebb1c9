import { describe, expect, test } from 'vitest';
import { createVirtualClock, until } from '../../support/virtual-clock.js';
import {
  ask,
  askHeldBack,
  AUTHORITATIVE,
  FOUND,
  good,
  open,
  QUESTION,
  respond,
} from './exchange-builder.js';
import { framed, startScriptedDns, type TcpScript, type UdpScript } from './scripted-dns.js';
import { ANSWER, message, questionOf, TRUNCATED } from './wire.js';

describe('cut short over UDP', () => {
  const truncated: UdpScript = (query) => [respond(query, { flags: ANSWER | TRUNCATED })];

  test('is asked over TCP', async () => {
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
      (query, socket) => socket.end(framed(respond(query, { question: questionOf('other.test', 'A') }))),
      { reason: 'malformed' },
    ],
    ['a message of no bytes', (_, socket) => socket.end(framed(Buffer.alloc(0))), { reason: 'malformed' }],
    [
      'cut short again',
      (query, socket) => socket.end(framed(respond(query, { flags: ANSWER | TRUNCATED }))),
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
    const exchange = open({ clock }).query(server, QUESTION, AUTHORITATIVE);
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
    await askHeldBack(open(), server, { count: 20, underWayMax: 8, held });
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
