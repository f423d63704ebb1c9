import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { DnsClient, DnsResponse, RecordType } from '../../src/domain/dns/dns.js';

/** The address of one server. */
export interface Endpoint {
  address: string;
  port: number;
  /** Queries it once. */
  query(name: string, type: RecordType, options?: { recursive: boolean }): Promise<DnsResponse>;
  /** Resolves once it serves the zone with this serial; rejects when `ended` does. */
  serves(zone: string, serial: number, ended: Promise<never>): Promise<void>;
}

const POLL_MS = 25;
const POLLS_MAX = 800;

export function createEndpoint(dns: DnsClient, address: string, port: number): Endpoint {
  const ask: Endpoint['query'] = async (name, type, options = { recursive: false }) => {
    const exchange = await dns.query({ address, port, transport: 'dns' }, { name, type }, options);
    if (exchange.kind === 'failure') throw new Error(`${address} ${exchange.reason}: ${exchange.detail}`);
    return exchange.response;
  };
  const serialOf = async (zone: string): Promise<number | undefined> => {
    const reply = await ask(zone, 'SOA', { recursive: true }).catch(() => undefined);
    const data = reply?.answers[0]?.data;
    return data?.type === 'SOA' ? data.serial : undefined;
  };
  const poll = async (zone: string, serial: number): Promise<void> => {
    for (let polls = 0; polls < POLLS_MAX; polls += 1) {
      if ((await serialOf(zone)) === serial) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`${address} does not serve ${zone} with serial ${String(serial)}`);
  };
  return {
    address,
    port,
    query: ask,
    serves: (zone, serial, ended) => Promise.race([poll(zone, serial), ended]),
  };
}

/** Finds a port that is free at all these addresses, for UDP and TCP. */
export async function freePort(addresses: readonly string[]): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const free = await Promise.all(
      addresses.flatMap((address) => [isFreeForTcp(address, port), isFreeForUdp(address, port)]),
    );
    if (free.every(Boolean)) return port;
  }
  throw new Error('no port is free');
}

function isFreeForTcp(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, address, () => server.close(() => resolve(true)));
  });
}

function isFreeForUdp(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind(port, address, () => socket.close(() => resolve(true)));
  });
}
