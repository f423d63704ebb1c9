import type { Server as TcpServer, Socket } from 'node:net';
import type { VirtualClock } from '../service/clock.js';
import type { LocalEndpoint, DnsHandler } from './handler.js';

/** A mock's DNS on a port. */
export interface DnsServer {
  /** Where to ask: the recursive resolver, and the first of the name servers. */
  readonly host: string;
  /** The same for UDP and TCP and at all addresses. */
  readonly port: number;
  /** The loopback addresses at which its name servers are. */
  readonly addresses: readonly string[];
  /** Those that this machine does not have: the name servers there have moved to `host`, and can't disagree with it. */
  readonly missingAddresses: readonly string[];
  /** Ends connections at once; what is due later is not sent. */
  close(): Promise<void>;
}

/** What is served. */
export interface DnsHost {
  clock: VirtualClock;
  handle: DnsHandler;
}

interface BoundHost extends DnsHost {
  /** When it closes, what is due later is forgotten: a process that ends must not wait for it. */
  closed: AbortSignal;
}

const HOST = '127.0.0.1';
/** A free port for UDP may be taken for TCP, or at another address; then the next one may do. */
const PORT_ATTEMPTS_MAX = 20;

/**
 * Binds UDP and TCP sockets at each of the addresses, always 127.0.0.1 among them, all with one port.
 *
 * @param where.port 0 for any free one.
 * @throws the system's error, such as `EADDRINUSE`.
 */
export async function listenDns(
  host: DnsHost,
  where: { port: number; addresses: readonly string[] },
): Promise<DnsServer> {
  const addresses = [HOST, ...where.addresses.filter((address) => address !== HOST)];
  for (let attempt = 1; ; attempt += 1) {
    const sockets: Bound[] = [];
    try {
      return await bindAddresses(host, sockets, where.port, addresses);
    } catch (error) {
      await Promise.all(sockets.map((socket) => socket.close()));
      const another = where.port === 0 && codeOf(error) === 'EADDRINUSE' && attempt < PORT_ATTEMPTS_MAX;
      if (!another) throw error;
    }
  }
}

interface Bound {
  close(): Promise<void>;
}

async function bindAddresses(
  host: DnsHost,
  sockets: Bound[],
  wantedPort: number,
  addresses: readonly string[],
): Promise<DnsServer> {
  const missing: string[] = [];
  const controller = new AbortController();
  // Each answer that is due later listens to it; more than ten of them are no leak.
  process.getBuiltinModule('node:events').setMaxListeners(0, controller.signal);
  const serving = { ...host, closed: controller.signal };
  let port = wantedPort;
  for (const address of addresses) {
    try {
      const udp = await bindUdp(serving, port, address);
      sockets.push(udp);
      port = udp.port;
      sockets.push(await bindTcp(serving, port, address));
    } catch (error) {
      // Systems other than Linux have 127.0.0.1 alone. All else, and any failure there, is one.
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

function bindUdp(host: BoundHost, port: number, address: string): Promise<Bound & { port: number }> {
  const socket = process.getBuiltinModule('node:dgram').createSocket('udp4');
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ port, address, exclusive: true }, () => {
      socket.off('error', reject);
      // Someone who went away before the answer came is no trouble.
      socket.on('error', () => undefined);
      socket.on('message', (packet, peer) => {
        respond(host, packet, { server: address, over: 'udp' }, (reply) => {
          // A forged packet may come from port 0, to which nothing can be sent.
          if (peer.port !== 0) socket.send(reply, peer.port, peer.address);
        });
      });
      resolve({ port: socket.address().port, close: () => whenDone((done) => socket.close(done)) });
    });
  });
}

/** An idle connection ends after this. */
const TCP_IDLE_MS = 10_000;

function bindTcp(host: BoundHost, port: number, address: string): Promise<Bound> {
  const open = new Set<Socket>();
  const { createServer } = process.getBuiltinModule('node:net');
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => undefined);
    socket.setTimeout(TCP_IDLE_MS, () => socket.destroy());
    serveTcp(host, socket, { server: address, over: 'tcp' });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: address, exclusive: true }, () => {
      server.off('error', reject);
      resolve({ close: () => closeTcp(server, open) });
    });
  });
}

/** Each message has its length in front, in two bytes (RFC 1035, section 4.2.2); several may come at once. */
function serveTcp(host: BoundHost, socket: Socket, arrival: LocalEndpoint): void {
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      const packet = pending.subarray(2, end);
      pending = pending.subarray(end);
      respond(host, packet, arrival, (reply) => {
        if (socket.writable)
          socket.write(Buffer.concat([Uint8Array.of(reply.length >> 8, reply.length & 0xff), reply]));
      });
    }
  });
}

function respond(
  { clock, handle, closed }: BoundHost,
  packet: Uint8Array,
  arrival: LocalEndpoint,
  send: (reply: Uint8Array) => void,
): void {
  const outcome = handle(packet, arrival, clock.now());
  if (outcome === undefined) return;
  if (outcome.delayMs === 0) send(outcome.packet);
  else
    void clock.wait(outcome.delayMs, closed).then(() => {
      if (!closed.aborted) send(outcome.packet);
    });
}

async function closeTcp(server: TcpServer, open: ReadonlySet<Socket>): Promise<void> {
  for (const socket of open) socket.destroy();
  await whenDone((done) => server.close(done));
}

function whenDone(close: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    close(() => resolve());
  });
}
