import type { Socket } from 'node:net';
import { bind } from '../web/server.js';
import type { OwnedClock } from '../service/clock.js';
import type { LocalEndpoint, DnsHandler } from './dns-handler.js';

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

/** A host until it closes. Delayed responses are then dropped, so that the process can end. */
interface BoundHost extends DnsHost {
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
  process.getBuiltinModule('node:events').setMaxListeners(0, controller.signal);
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

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

async function bindUdp(
  host: BoundHost,
  port: number,
  address: string,
): Promise<BoundSocket & { port: number }> {
  const socket = process.getBuiltinModule('node:dgram').createSocket('udp4');
  const listening = process.getBuiltinModule('node:events').once(socket, 'listening');
  socket.bind({ port, address, exclusive: true });
  await listening;
  // A client that disconnected before the response is not an error.
  socket.on('error', () => undefined);
  socket.on('message', (packet, peer) => {
    void respond(host, packet, { server: address, over: 'udp' }).then((response) => {
      // A forged packet can have port 0, to which sending fails.
      if (response !== undefined && peer.port !== 0) socket.send(response, peer.port, peer.address);
    });
  });
  return { port: socket.address().port, close: () => whenDone((done) => socket.close(done)) };
}

/** Idle connections are closed after this time. */
const TCP_IDLE_MS = 10_000;

async function bindTcp(host: BoundHost, port: number, address: string): Promise<BoundSocket> {
  const { pipeline } = process.getBuiltinModule('node:stream/promises');
  const open = new Set<Socket>();
  const server = process.getBuiltinModule('node:net').createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.setTimeout(TCP_IDLE_MS, () => socket.destroy());
    // It reads no more queries while a client reads no responses, which would fill the memory.
    pipeline(socket, (chunks) => responsesOf(host, chunks, address), socket).catch(() => undefined);
  });
  await bind(server, port, address);
  return {
    close() {
      for (const socket of open) socket.destroy();
      return whenDone((done) => server.close(done));
    },
  };
}

/** Each message starts with its length in two bytes (RFC 1035, section 4.2.2). One chunk can contain several messages. */
async function* responsesOf(
  host: BoundHost,
  chunks: AsyncIterable<Buffer>,
  server: string,
): AsyncGenerator<Uint8Array> {
  let pending = Buffer.alloc(0);
  for await (const chunk of chunks) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      const response = await respond(host, pending.subarray(2, end), { server, over: 'tcp' });
      pending = pending.subarray(end);
      if (response !== undefined)
        yield Buffer.concat([Buffer.of(response.length >> 8, response.length & 0xff), response]);
    }
  }
}

/** Resolves after the delay of the response, without one if there is none or the server has closed. */
async function respond(
  { clock, handle, closed }: BoundHost,
  packet: Uint8Array,
  endpoint: LocalEndpoint,
): Promise<Uint8Array | undefined> {
  const outcome = handle(packet, endpoint, clock.now());
  if (outcome !== undefined && outcome.delayMs > 0) await clock.wait(outcome.delayMs, closed);
  return closed.aborted ? undefined : outcome?.packet;
}

function whenDone(close: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => close(() => resolve()));
}
