import { createServer } from 'node:http2';
import { describe, expect, test } from 'vitest';
import { listening } from '../../support/loopback-port.js';
import { ask, FORMERR, FOUND, good, offersEdns, respond } from './exchange-builder.js';
import { framed, startScriptedDns } from './scripted-dns.js';
import { ANSWER, opt, TRUNCATED } from './wire.js';

describe('a server without EDNS', () => {
  test.each<[string, (query: Buffer) => Buffer]>([
    ['FORMERR', (query) => respond(query, { flags: FORMERR })],
    ['FORMERR, the header alone', (query) => respond(query, { flags: FORMERR, question: [] })],
    ['NOTIMP', (query) => respond(query, { flags: ANSWER | 4 })],
    ['BADVERS', (query) => respond(query, { additional: [opt([], { rcodeHigh: 1 })] })],
  ])('that responds %s is queried again without EDNS', async (_, refusal) => {
    const { server, datagrams } = await startScriptedDns((query) => [
      offersEdns(query) ? refusal(query) : good(query),
    ]);
    const answer = await ask(server);
    expect(answer).toMatchObject(FOUND);
    expect(answer).toMatchObject({ response: { withoutEdns: true } });
    expect(datagrams.map(offersEdns)).toEqual([true, false]);
  });

  test('is queried only once more', async () => {
    const { server, datagrams } = await startScriptedDns((query) => [respond(query, { flags: FORMERR })]);
    expect(await ask(server)).toMatchObject({ kind: 'response', response: { rcode: 'FORMERR' } });
    expect(datagrams).toHaveLength(2);
  });

  test('is queried again without EDNS over TCP too', async () => {
    const { server, streamed } = await startScriptedDns(
      (query) => [respond(query, { flags: ANSWER | TRUNCATED })],
      (query, socket) =>
        socket.end(framed(offersEdns(query) ? respond(query, { flags: FORMERR }) : good(query))),
    );
    expect(await ask(server)).toMatchObject({ ...FOUND, response: { ...FOUND.response, over: 'tcp' } });
    expect(streamed.map(offersEdns)).toEqual([true, false]);
  });
});

describe('over HTTPS', () => {
  test('falls back to a query without EDNS, and reports it', async () => {
    const listener = createServer((request, response) => {
      request.once('data', (query: Buffer) => {
        response.setHeader('content-type', 'application/dns-message');
        response.end(offersEdns(query) ? respond(query, { flags: FORMERR }) : good(query));
      });
    });
    const address = `http://127.0.0.1:${String(await listening(listener))}/dns-query`;
    expect(await ask({ address, port: 443, transport: 'https' })).toMatchObject({
      ...FOUND,
      response: { ...FOUND.response, over: 'https' },
    });
  });
});
