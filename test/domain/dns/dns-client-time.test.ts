import { describe, expect, test } from 'vitest';
import { createVirtualClock, until } from '../../support/virtual-clock.js';
import { AUTHORITATIVE, FOUND, good, open, QUESTION, respond, silent } from './exchange-builder.js';
import { framed, startScriptedDns } from './scripted-dns.js';
import { record } from './wire.js';

describe('time', () => {
  test('makes two attempts of two seconds with a silent server, the second also over TCP', async () => {
    const clock = createVirtualClock();
    const { server, datagrams, streamed } = await startScriptedDns(silent, () => undefined);
    const exchange = open({ clock }).query(server, QUESTION, AUTHORITATIVE);
    await until(() => datagrams.length === 1);
    await clock.advance(1_999);
    expect(datagrams).toHaveLength(1);
    await clock.advance(1);
    await until(() => datagrams.length === 2 && streamed.length === 1);
    await clock.advance(2_000);
    expect(await exchange).toEqual({
      kind: 'failure',
      reason: 'timeout',
      detail: 'no response within 2 s (2 attempts); over TCP: no response within 2 s',
      elapsedMs: 4_000,
    });
    expect(clock.pending).toBe(0);
  });

  test('reports a slow server once, and keeps to the limit of the query', async () => {
    const clock = createVirtualClock();
    const { server, datagrams } = await startScriptedDns(silent, () => undefined);
    let slow = 0;
    const options = { ...AUTHORITATIVE, onSlow: () => (slow += 1), limitMs: 1_500 };
    const exchange = open({ clock }).query(server, QUESTION, options);
    await until(() => datagrams.length === 1);
    await clock.advance(399);
    expect(slow).toBe(0);
    await clock.advance(1_101);
    expect(await exchange).toMatchObject({ reason: 'timeout', elapsedMs: 1_500 });
    expect(slow).toBe(1);
    expect(datagrams).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test('tries TCP once with a server that does not use it', async () => {
    const clock = createVirtualClock();
    const { server, datagrams, streamed } = await startScriptedDns(silent, () => undefined);
    const client = open({ clock });
    for (const count of [1, 2]) {
      const exchange = client.query(server, QUESTION, AUTHORITATIVE);
      await until(() => datagrams.length === 2 * count - 1);
      await clock.advance(2_000);
      await until(() => datagrams.length === 2 * count && streamed.length === 1);
      await clock.advance(2_000);
      expect(await exchange).toMatchObject({ reason: 'timeout' });
    }
  });

  test('accepts the response to the second attempt', async () => {
    const clock = createVirtualClock();
    const { server, datagrams } = await startScriptedDns((query, index) =>
      index === 0 ? [] : [good(query)],
    );
    const exchange = open({ clock, timeoutMs: 500 }).query(server, QUESTION, AUTHORITATIVE);
    await until(() => datagrams.length === 1);
    await clock.advance(500);
    expect(await exchange).toMatchObject({ ...FOUND, elapsedMs: 500 });
  });

  test('accepts the response over TCP if UDP has none', async () => {
    const clock = createVirtualClock();
    const { server, datagrams } = await startScriptedDns(silent, (query, socket) =>
      socket.end(framed(good(query))),
    );
    const exchange = open({ clock, triesMax: 1 }).query(server, QUESTION, AUTHORITATIVE);
    await until(() => datagrams.length === 1);
    await clock.advance(2_000);
    expect(await exchange).toMatchObject({ ...FOUND, response: { ...FOUND.response, over: 'tcp' } });
  });

  test('a late response is not accepted for another query', async () => {
    const clock = createVirtualClock();
    const late: Buffer[] = [];
    const scripted = await startScriptedDns((query, index) => {
      if (index === 0) {
        late.push(respond(query, { answers: [record('A', [6, 6, 6, 6])] }));
        return [];
      }
      return [...late, good(query)];
    });
    const exchange = open({ clock }).query(scripted.server, QUESTION, AUTHORITATIVE);
    await until(() => scripted.datagrams.length === 1);
    await clock.advance(2_000);
    expect(await exchange).toMatchObject(FOUND);
  });
});

describe('ending', () => {
  test('by closing ends all queries, those in the queue too', async () => {
    const { server, datagrams } = await startScriptedDns(silent);
    const client = open({ parallelMax: 5 });
    const pending = Array.from({ length: 30 }, () => client.query(server, QUESTION, AUTHORITATIVE));
    await until(() => datagrams.length === 5);
    client.close();
    for (const exchange of await Promise.all(pending)) expect(exchange).toMatchObject({ reason: 'aborted' });
    expect(await client.query(server, QUESTION, AUTHORITATIVE)).toMatchObject({
      reason: 'aborted',
      elapsedMs: 0,
    });
    expect(datagrams).toHaveLength(5);
  });

  test('of one query does not end the others', async () => {
    const one = new AbortController();
    const { server, datagrams } = await startScriptedDns((query, index) =>
      index === 1 ? [good(query)] : [],
    );
    const client = open();
    const stopped = client.query(server, QUESTION, { recursive: false, signal: one.signal });
    await until(() => datagrams.length === 1);
    one.abort();
    expect(await stopped).toMatchObject({ kind: 'failure', reason: 'aborted' });
    expect(await client.query(server, QUESTION, { recursive: false })).toMatchObject(FOUND);
  });
});
