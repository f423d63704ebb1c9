import type { Socket } from 'node:net';
import { bind } from '../web/server.js';
import type { OwnedClock } from '../service/clock.js';
import type { LocalEndpoint, DnsHandler } from './handler.js';

/** The mock DNS on a port. */
export interface DnsServer {
  /** Address of the recursive resolver and of the first name server. */
  readonly host: string;
  /** The port, the same for UDP and TCP and for all addresses. */
  readonly port: number;
  /** The loopback addresses of the name servers. */
  readonly addresses: readonly string[];
  /** Addresses that this machine does not have. Their name servers use `host` instead, and share its zones. */
  readonly missingAddresses: readonly string[];
  /** Closes all connections at once. Delayed responses are not sent. */
  close(): Promise<void>;
}

export interface DnsHost {
  clock: OwnedClock;
  handle: DnsHandler;
}

interface BoundHost extends DnsHost {
  /** Aborts when the server closes. Delayed responses are then dropped, so that the process can end. */
  closed: AbortSignal;
}

const HOST = '127.0.0.1';
/** A port that is free for UDP can be in use for TCP or at another address. */
const PORT_ATTEMPTS_MAX = 20;

/**
 * Binds UDP and TCP sockets at 127.0.0.1 and the other addresses, all on one port.
 *
 * @param options.port 0 means any free port.
 * @throws the system's error, such as `EADDRINUSE`.
 */
export async function listenDns(
  host: DnsHost,
  options: { port: number; addresses: readonly string[] },
): Promise<DnsServer> {
  const addresses = [HOST, ...options.addresses.filter((address) => address !== HOST)];
  for (let attempt = 1; ; attempt += 1) {
    const sockets: BoundSocket[] = [];
    try {
      return await bindAddresses(host, sockets, options.port, addresses);
    } catch (error) {
      await Promise.all(sockets.map((socket) => socket.close()));
      const shouldRetry = options.port === 0 && codeOf(error) === 'EADDRINUSE' && attempt < PORT_ATTEMPTS_MAX;
      if (!shouldRetry) throw error;
    }
  }
}

interface BoundSocket {
  close(): Promise<void>;
}

async function bindAddresses(
  host: DnsHost,
  sockets: BoundSocket[],
  wantedPort: number,
  addresses: readonly string[],
): Promise<DnsServer> {
  const missing: string[] = [];
  const controller = new AbortController();
  // Each delayed response adds a listener; more than ten are not a leak.
  setMaxListeners(0, controller.signal);
  const boundHost = { ...host, closed: controller.signal };
  let port = wantedPort;
  for (const address of addresses) {
    try {
      const udp = await bindUdp(boundHost, port, address);
      sockets.push(udp);
      port = udp.port;
      sockets.push(await bindTcp(boundHost, port, address));
    } catch (error) {
      // Systems other than Linux have only 127.0.0.1.
      if (codeOf(error) !== 'EADDRNOTAVAIL' || address === HOST) throw error;
      missing.push(address);
    }
  }
  let closing: Promise<unknown> | undefined;
  return {
    host: HOST,
    port,
    addresses: addresses.filter((address) => !missing.includes(address)),
    missingAddresses: missing,
    async close() {
      controller.abort();
      closing ??= Promise.all(sockets.map((socket) => socket.close()));
      await closing;
    },
  };
}

function setMaxListeners(count: number, signal: AbortSignal): void {
  process.getBuiltinModule('node:events').setMaxListeners(count, signal);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Delayed responses of an address. */
const UDP_DELAYED_MAX = 10_000;

async function bindUdp(
  host: BoundHost,
  port: number,
  address: string,
): Promise<BoundSocket & { port: number }> {
  const socket = process.getBuiltinModule('node:dgram').createSocket('udp4');
  const listening = process.getBuiltinModule('node:events').once(socket, 'listening');
  socket.bind({ port, address, exclusive: true });
  await listening;
  const delayingHost = { ...host, delayed: { count: 0, max: UDP_DELAYED_MAX } };
  // A client that disconnected before the response is not an error.
  socket.on('error', () => undefined);
  socket.on('message', (packet, peer) => {
    respond(delayingHost, packet, { server: address, over: 'udp' }, (response) => {
      // A forged packet can have port 0, to which sending fails.
      if (peer.port !== 0) socket.send(response, peer.port, peer.address);
    });
  });
  return { port: socket.address().port, close: () => whenDone((done) => socket.close(done)) };
}

/** Idle connections are closed after this time. */
const TCP_IDLE_MS = 10_000;

async function bindTcp(host: BoundHost, port: number, address: string): Promise<BoundSocket> {
  const open = new Set<Socket>();
  const server = process.getBuiltinModule('node:net').createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => undefined);
    socket.setTimeout(TCP_IDLE_MS, () => socket.destroy());
    serveTcp(host, socket, { server: address, over: 'tcp' });
  });
  await bind(server, port, address);
  return {
    close() {
      for (const socket of open) socket.destroy();
      return whenDone((done) => server.close(done));
    },
  };
}

/** Delayed responses of a connection. More queries are read when one of them has been sent. */
const TCP_DELAYED_MAX = 64;

/** Each message starts with its length in two bytes (RFC 1035, section 4.2.2). One chunk can contain several messages. */
function serveTcp(host: BoundHost, socket: Socket, endpoint: LocalEndpoint): void {
  let pending = Buffer.alloc(0);
  const delayed = { count: 0, max: TCP_DELAYED_MAX };
  const disconnected = new AbortController();
  setMaxListeners(0, disconnected.signal);
  socket.once('close', () => disconnected.abort());
  const isBusy = (): boolean => socket.writableNeedDrain || delayed.count >= delayed.max;
  /** Handles the queries that have arrived, up to a response that the client does not read. */
  const handlePending = (): void => {
    while (!isBusy() && pending.length >= 2) {
      const end = 2 + pending.readUInt16BE(0);
      if (pending.length < end) break;
      const packet = pending.subarray(2, end);
      pending = pending.subarray(end);
      const connection = { ...host, closed: disconnected.signal, delayed, onSent: handlePending };
      respond(connection, packet, endpoint, (response) => {
        if (!socket.writable) return;
        const length = Uint8Array.of(response.length >> 8, response.length & 0xff);
        // A client that sends queries and reads no responses must not fill the memory.
        if (!socket.write(Buffer.concat([length, response]))) socket.pause();
      });
    }
    if (isBusy()) socket.pause();
    else socket.resume();
  };
  socket.on('drain', handlePending);
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    handlePending();
  });
}

/** Where delayed responses are counted, so that they can't fill the memory. */
interface DelayingHost extends BoundHost {
  delayed: { count: number; readonly max: number };
  /** Called after a delayed response. */
  onSent?(): void;
}

/** Ignores a query while the maximum of responses is delayed, as a busy server does. */
function respond(
  { clock, handle, closed, delayed, onSent }: DelayingHost,
  packet: Uint8Array,
  endpoint: LocalEndpoint,
  send: (response: Uint8Array) => void,
): void {
  const outcome = handle(packet, endpoint, clock.now());
  if (outcome === undefined) return;
  if (outcome.delayMs === 0) {
    send(outcome.packet);
    return;
  }
  if (delayed.count >= delayed.max) return;
  delayed.count += 1;
  void clock.wait(outcome.delayMs, closed).then(() => {
    delayed.count -= 1;
    if (closed.aborted) return;
    send(outcome.packet);
    onSent?.();
  });
}

function whenDone(close: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => close(() => resolve()));
}
