import { createSocket } from 'node:dgram';
import {
  type TransportResult,
  queryFailure,
  type QueryFailure,
  socketFailure,
  withinLimits,
} from './transport-result.js';
import type { ExchangeLimits } from './concurrency/stop-signal.js';
import type { DnsServer } from './dns.js';
import { ipFamily } from './server-address.js';

/** Size for a burst of responses. The default of Linux holds about a hundred, that of other systems fewer. */
const RECEIVE_BUFFER_BYTES = 1024 * 1024;
/** Idle sockets that stay open, because the next query often goes to the same server. */
const IDLE_MAX = 32;
const ID_COUNT = 0x1_0000;

/** Sends queries over UDP. Each server has one connected socket with a random port. */
export interface UdpSockets {
  /**
   * Writes an unused id into the query, sends it, and waits for a datagram with that id that `matches`. Ignores all
   * other datagrams.
   */
  exchange(
    server: DnsServer,
    query: Buffer,
    matches: (message: Buffer) => boolean,
    limits: ExchangeLimits,
  ): Promise<TransportResult>;
  close(): void;
}

/** @param random At least 0 and less than 1. */
export function createUdpSockets(random: () => number): UdpSockets {
  const sockets = new Map<string, UdpSocket>();
  // The longest idle first.
  const idle = new Set<string>();

  const open = (key: string, server: DnsServer): UdpSocket => {
    const socket = openSocket(server, {
      onIdle() {
        idle.add(key);
        const [longest] = idle;
        if (idle.size > IDLE_MAX && longest !== undefined) sockets.get(longest)?.close(closed());
      },
      onClosed() {
        idle.delete(key);
        if (sockets.get(key) === socket) sockets.delete(key);
      },
    });
    sockets.set(key, socket);
    return socket;
  };

  return {
    exchange(server, query, matches, limits) {
      return withinLimits(limits, (end) => {
        const key = `${server.address} ${server.port}`;
        const socket = sockets.get(key) ?? open(key, server);
        idle.delete(key);
        const id = socket.freeId(Math.floor(random() * ID_COUNT));
        query.writeUInt16BE(id, 0);
        socket.send(id, query, { matches, end });
        return () => {
          socket.forget(id);
        };
      });
    },
    close() {
      for (const socket of [...sockets.values()]) socket.close(closed());
    },
  };
}

function closed(): QueryFailure {
  return queryFailure('aborted', 'closed');
}

interface PendingQuery {
  matches(message: Buffer): boolean;
  end(result: TransportResult): void;
}

interface UdpSocket {
  /** The wanted id, or the next one that is not in use. */
  freeId(wanted: number): number;
  send(id: number, message: Buffer, query: PendingQuery): void;
  forget(id: number): void;
  /** Ends all queries in flight with the given failure. */
  close(reason: QueryFailure): void;
}

function openSocket(server: DnsServer, listener: { onIdle(): void; onClosed(): void }): UdpSocket {
  const waiting = new Map<number, PendingQuery>();
  // Undefined once the socket is connected.
  let unsent: Buffer[] | undefined = [];
  let isOpen = true;
  const socket = createSocket({
    type: ipFamily(server.address) === 6 ? 'udp6' : 'udp4',
    recvBufferSize: RECEIVE_BUFFER_BYTES,
  });

  const close = (reason: QueryFailure): void => {
    if (!isOpen) return;
    isOpen = false;
    socket.close();
    listener.onClosed();
    for (const { end } of [...waiting.values()]) end(reason);
  };
  // An ICMP error, such as for a closed port, ends all queries in flight.
  const fail = (error: Error | null | undefined): void => {
    if (error !== null && error !== undefined) close(socketFailure(error));
  };

  socket.on('error', fail);
  socket.on('message', (message) => {
    const found = message.length < 2 ? undefined : waiting.get(message.readUInt16BE(0));
    if (found?.matches(message) === true) found.end({ kind: 'message', message });
  });
  socket.connect(server.port, server.address, ((error?: Error) => {
    fail(error);
    if (!isOpen) return;
    for (const message of unsent ?? []) socket.send(message, fail);
    unsent = undefined;
  }) as () => void);

  return {
    freeId(wanted) {
      let id = wanted;
      while (waiting.has(id)) id = (id + 1) % ID_COUNT;
      return id;
    },
    send(id, message, entry) {
      if (waiting.size === 0) socket.ref();
      waiting.set(id, entry);
      if (unsent === undefined) socket.send(message, fail);
      else unsent.push(message);
    },
    forget(id) {
      if (!waiting.delete(id) || waiting.size > 0 || !isOpen) return;
      // An idle socket must not keep the process alive.
      socket.unref();
      listener.onIdle();
    },
    close,
  };
}
