import { createSocket } from 'node:dgram';
import {
  type TransportResult,
  type QueryLimits,
  queryFailure,
  type QueryFailure,
  socketFailure,
  withinLimits,
} from './transport-result.js';
import type { DnsServer } from '../dns.js';
import { ipFamily } from '../ip-family.js';

/** Room for a burst of answers: a hundred fit into what Linux gives anyway, other systems give less. */
const RECEIVE_BUFFER_BYTES = 1024 * 1024;
/** Open sockets that nobody waits on: kept, because the next question often goes to the same server. */
const IDLE_MAX = 32;
const IDS = 0x1_0000;

/** Questions over UDP. One connected socket a server, from a port that the system chooses at random. */
export interface UdpSockets {
  /**
   * Sends a question under an id of its own, which is written into it, and waits for the datagram that `matches` and
   * bears it. All others are ignored, whoever sent them.
   */
  exchange(
    server: DnsServer,
    query: Buffer,
    matches: (message: Buffer) => boolean,
    limits: QueryLimits,
  ): Promise<TransportResult>;
  close(): void;
}

/** @param random At least 0 and less than 1. */
export function createUdpSockets(random: () => number): UdpSockets {
  const sockets = new Map<string, UdpSocket>();
  // In the order in which they fell idle.
  const idle = new Set<string>();

  const open = (key: string, server: DnsServer): UdpSocket => {
    const socket = openSocket(server, {
      idle() {
        idle.add(key);
        const [longest] = idle;
        if (idle.size > IDLE_MAX && longest !== undefined) sockets.get(longest)?.close(closed());
      },
      closed() {
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
        const id = socket.freeId(Math.floor(random() * IDS));
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

interface Waiting {
  matches(message: Buffer): boolean;
  end(delivery: TransportResult): void;
}

interface UdpSocket {
  /** The wanted id, or the next one that nobody waits on. */
  freeId(wanted: number): number;
  send(id: number, message: Buffer, waiting: Waiting): void;
  forget(id: number): void;
  /** Ends what waits with the reason given. */
  close(reason: QueryFailure): void;
}

function openSocket(server: DnsServer, told: { idle(): void; closed(): void }): UdpSocket {
  const waiting = new Map<number, Waiting>();
  // Until the socket is connected.
  let unsent: Buffer[] | undefined = [];
  let open = true;
  const socket = createSocket({
    type: ipFamily(server.address) === 6 ? 'udp6' : 'udp4',
    recvBufferSize: RECEIVE_BUFFER_BYTES,
  });

  const close = (reason: QueryFailure): void => {
    if (!open) return;
    open = false;
    socket.close();
    told.closed();
    for (const { end } of [...waiting.values()]) end(reason);
  };
  // A refused port is told by ICMP, and tells it of all that is under way.
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
    if (!open) return;
    for (const message of unsent ?? []) socket.send(message, fail);
    unsent = undefined;
  }) as () => void);

  return {
    freeId(wanted) {
      let id = wanted;
      while (waiting.has(id)) id = (id + 1) % IDS;
      return id;
    },
    send(id, message, entry) {
      if (waiting.size === 0) socket.ref();
      waiting.set(id, entry);
      if (unsent === undefined) socket.send(message, fail);
      else unsent.push(message);
    },
    forget(id) {
      if (!waiting.delete(id) || waiting.size > 0 || !open) return;
      // Does not keep the process alive for questions that nobody has asked yet.
      socket.unref();
      told.idle();
    },
    close,
  };
}
