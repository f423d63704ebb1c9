import { onTestFinished } from 'vitest';
import { decodeResponse } from '../../../src/domain/dns/decode-response.js';
import { createDnsClient, type DnsClientOptions } from '../../../src/domain/dns/dns-client.js';
import type {
  DnsClient,
  DnsExchange,
  DnsQuestion,
  DnsResponse,
  DnsServer,
} from '../../../src/domain/dns/dns.js';
import { settle, until } from '../../support/virtual-clock.js';
import type { UdpScript } from './scripted-dns.js';
import { ANSWER, message, record } from './wire.js';

export const QUESTION: DnsQuestion = { name: 'shop.example.test', type: 'A' };
export const ADDRESS = [192, 0, 2, 1];
export const AUTHORITATIVE = { recursive: false };
/** The result of a good response. */
export const FOUND = {
  kind: 'response',
  response: { rcode: 'NOERROR', over: 'udp', answers: [{ data: { address: '192.0.2.1' } }] },
};
/** The flags of a FORMERR response. */
export const FORMERR = ANSWER | 1;

/** A response with the id of the query. */
export function respond(query: Buffer, parts: Parameters<typeof message>[0]): Buffer {
  return message({ id: query.readUInt16BE(0), ...parts });
}

/** A response with one A record. */
export function good(query: Buffer): Buffer {
  return respond(query, { answers: [record('A', ADDRESS)] });
}

export const silent: UdpScript = () => [];

export const offersEdns = (query: Buffer): boolean => query.readUInt16BE(10) === 1;

/** Opens a client that is closed when the test ends. */
export function open(options: DnsClientOptions = {}): DnsClient {
  const client = createDnsClient(options);
  onTestFinished(() => {
    client.close();
  });
  return client;
}

/** Queries once, with a new client. */
export function ask(server: DnsServer, question = QUESTION): Promise<DnsExchange> {
  return open().query(server, question, AUTHORITATIVE);
}

/**
 * Sends queries at the same time. The server holds its responses back, and each is released only when as many as may be
 * in flight, or as are left, have arrived.
 */
export async function queryHeldBack(
  client: DnsClient,
  server: DnsServer,
  { count, inFlightMax, held }: { count: number; inFlightMax: number; held: (() => void)[] },
): Promise<DnsExchange[]> {
  let done = 0;
  const pending = Array.from({ length: count }, () =>
    client.query(server, QUESTION, AUTHORITATIVE).finally(() => (done += 1)),
  );
  while (done < count) {
    await until(() => held.length === Math.min(inFlightMax, count - done));
    for (let turn = 0; turn < 20; turn += 1) await settle();
    const before = done;
    held.shift()?.();
    await until(() => done > before);
  }
  return Promise.all(pending);
}

/** Decodes a message that must be a response. */
export function responseOf(given: Buffer): DnsResponse {
  const decoded = decodeResponse(given, QUESTION, { over: 'udp' });
  if (decoded.kind !== 'response') throw new Error(JSON.stringify(decoded));
  return decoded.response;
}
