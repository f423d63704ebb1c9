import { onTestFinished } from 'vitest';
import { decodeResponse } from '../../../src/domain/resolver/wire/codec.js';
import { createDnsClient, type DnsClientOptions } from '../../../src/domain/resolver/dns-client.js';
import type {
  DnsClient,
  DnsExchange,
  DnsQuestion,
  DnsResponse,
  DnsServer,
} from '../../../src/domain/resolver/dns.js';
import { settle, until } from '../../support/virtual-clock.js';
import type { UdpScript } from './scripted-dns.js';
import { ANSWER, message, record } from './wire.js';

export const QUESTION: DnsQuestion = { name: 'shop.example.test', type: 'A' };
export const ADDRESS = [192, 0, 2, 1];
export const AUTHORITATIVE = { recursive: false };
/** What a client makes of a good answer. */
export const FOUND = {
  kind: 'response',
  response: { rcode: 'NOERROR', over: 'udp', answers: [{ data: { address: '192.0.2.1' } }] },
};
/** The flags of an answer that takes the question for badly formed. */
export const FORMERR = ANSWER | 1;

/** An answer with the id of the question. */
export function respond(query: Buffer, parts: Parameters<typeof message>[0]): Buffer {
  return message({ id: query.readUInt16BE(0), ...parts });
}

/** A good answer. */
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

/** Asks once, with a client of its own. */
export function ask(server: DnsServer, question = QUESTION): Promise<DnsExchange> {
  return open().query(server, question, AUTHORITATIVE);
}

/**
 * Asks so often at once, and lets one answer go each time that as many are held back as may be under way, or as are left.
 */
export async function askHeldBack(
  client: DnsClient,
  server: DnsServer,
  { count, underWayMax, held }: { count: number; underWayMax: number; held: (() => void)[] },
): Promise<DnsExchange[]> {
  let done = 0;
  const asked = Array.from({ length: count }, () =>
    client.query(server, QUESTION, AUTHORITATIVE).finally(() => (done += 1)),
  );
  while (done < count) {
    await until(() => held.length === Math.min(underWayMax, count - done));
    for (let turn = 0; turn < 20; turn += 1) await settle();
    const before = done;
    held.shift()?.();
    await until(() => done > before);
  }
  return Promise.all(asked);
}

/** The response that a message is read as. */
export function replyOf(given: Buffer): DnsResponse {
  const decoded = decodeResponse(given, QUESTION, { over: 'udp' });
  if (decoded.kind !== 'response') throw new Error(JSON.stringify(decoded));
  return decoded.response;
}
