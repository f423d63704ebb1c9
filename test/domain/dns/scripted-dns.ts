import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { DnsServer } from '../../../src/domain/dns/dns.js';
import { closedPort } from '../../support/loopback-port.js';

export interface ScriptedDns {
  server: DnsServer;
  /** The datagrams received, in order. */
  readonly datagrams: readonly Buffer[];
  /** The source port of each. */
  readonly ports: readonly number[];
  /** The messages received over TCP, without their length. */
  readonly streamed: readonly Buffer[];
}

/** Returns the datagrams to send back for a datagram. */
export type UdpScript = (query: Buffer, index: number) => readonly Buffer[];
/** Handles a message over TCP. */
export type TcpScript = (query: Buffer, socket: Socket) => void;

/** Starts a scripted name server on loopback. Without a TCP script its TCP port is closed. */
export async function startScriptedDns(
  udp: UdpScript,
  tcp?: TcpScript,
  host = '127.0.0.1',
): Promise<ScriptedDns> {
  const datagrams: Buffer[] = [];
  const ports: number[] = [];
  const streamed: Buffer[] = [];
  const listener = createServer((socket) => {
    socket.on('error', () => undefined);
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const query = received.subarray(2);
      streamed.push(query);
      tcp?.(query, socket);
    });
  });
  const port = await listen(listener, host);
  // One port number for both, as for name servers.
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', (query, from) => {
    const index = datagrams.push(query) - 1;
    ports.push(from.port);
    for (const answer of udp(query, index)) socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(port, host, resolve);
  });
  if (tcp === undefined) await close(listener);
  onTestFinished(async () => {
    socket.close();
    if (tcp !== undefined) await close(listener);
  });
  return { server: { address: host, port, transport: 'dns' }, datagrams, ports, streamed };
}

/** The address of a closed port. */
export async function closedServer(): Promise<DnsServer> {
  return { address: '127.0.0.1', port: await closedPort(), transport: 'dns' };
}

/** A message with its length before it. */
export function framed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(2);
  prefix.writeUInt16BE(message.length);
  return Buffer.concat([prefix, message]);
}

const sockets = new WeakMap<Server, Set<Socket>>();

function listen(listener: Server, host: string): Promise<number> {
  const open = new Set<Socket>();
  sockets.set(listener, open);
  listener.on('connection', (socket) => {
    open.add(socket);
  });
  return new Promise((resolve) => {
    listener.listen(0, host, () => {
      resolve((listener.address() as AddressInfo).port);
    });
  });
}

function close(listener: Server): Promise<void> {
  for (const socket of sockets.get(listener) ?? []) socket.destroy();
  return new Promise((resolve) => {
    listener.close(() => {
      resolve();
    });
  });
}
