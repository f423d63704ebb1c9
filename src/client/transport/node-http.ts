import type http from 'node:http';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { AgentOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { nodeModule } from '../../node-module.js';
import { monotonic as monotonicMs } from '../../time/clock.js';
import { BodyCollector, decodeBody } from './body.js';
import {
  badUpgrade,
  type Exchange,
  isWriteRequest,
  joinHeaders,
  type Transport,
  TransportFailure,
  type TransportRequest,
  type TransportResponse,
  WithdrawnRequest,
  writeIdleMaxMs,
} from './transport.js';

/** node:http or node:https. */
export type Http = Pick<typeof http, 'request'> & { Agent: new (options: AgentOptions) => Agent };

/** Creates the agent for the requests of one scheme. */
export type AgentFactory = (module: Http, options: AgentOptions) => Agent;

/**
 * Request option with a signal, for agents of an {@link AgentFactory}. It is aborted if the request is cancelled. Node's own
 * agents ignore it: they have nothing to cancel before the request has a socket.
 */
export const CONNECT_SIGNAL = Symbol('petstore.connect-signal');

/**
 * Idle connections are closed after this time, as undici does. A write uses none that was idle for longer than
 * `writeIdleMaxMs`. The time is checked again before a request: after the process
 * was suspended, or on a busy machine, the request can come before the timer.
 */
const IDLE_MAX_MS = 4_000;

/**
 * Sends requests with node:http and node:https. For one-shot commands: it starts in a third of the time that `fetch` or
 * undici need.
 *
 * @param caCertificates trusted certificate authorities, in PEM. Default: Node's own list.
 * @param createAgent such as for a proxy. Default: Node's own agent.
 * @param monotonic time in milliseconds.
 */
export function nodeHttpTransport(
  caCertificates?: readonly string[],
  createAgent: AgentFactory = (module, options) => new module.Agent(options),
  monotonic = monotonicMs,
): Transport {
  const agents = new Map<Http, Agent>();
  /** When each connection became idle. */
  const idleSince = new WeakMap<Socket, number>();
  /** How long each connection may be idle before a write. */
  const writeIdleMax = new WeakMap<Socket, number>();
  const tlsOptions = caCertificates === undefined ? {} : { ca: [...caCertificates] };
  return {
    send(request) {
      const module = httpFor(request.origin);
      let agent = agents.get(module);
      if (agent === undefined) {
        agent = createAgent(module, { keepAlive: true, timeout: IDLE_MAX_MS, ...tlsOptions });
        agent.on('free', (socket: Socket) => idleSince.set(socket, monotonic()));
        agents.set(module, agent);
      }
      const isWrite = isWriteRequest(request);
      const now = monotonic();
      closeIdle(agent, (socket) => {
        const idleMs = now - (idleSince.get(socket) ?? 0);
        return idleMs >= IDLE_MAX_MS || (isWrite && idleMs > (writeIdleMax.get(socket) ?? 0));
      });
      return send(module, agent, request, (socket, keepAlive) => {
        writeIdleMax.set(socket, writeIdleMaxMs(keepAlive));
      });
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
      return Promise.resolve();
    },
  };
}

/** Closes connections that have been idle for too long. */
function closeIdle(agent: Agent, isTooLong: (socket: Socket) => boolean): void {
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) if (isTooLong(socket)) socket.destroy();
  }
}

/** Whether this runtime has node:http. */
export function hasNodeHttp(): boolean {
  return (nodeModule('node:http') as unknown) !== undefined;
}

/** Returns node:http or node:https. Not imported: on Node 22 and later that also loads undici, which takes about 30 ms. */
function httpFor(origin: string): Http {
  return nodeModule(origin.startsWith('https:') ? 'node:https' : 'node:http');
}

function send(
  module: Http,
  agent: Agent,
  request: TransportRequest,
  onHead: (socket: Socket, keepAlive: string) => void,
): Exchange {
  const { origin, path, method, headers, body, bodyMaxBytes, confirm } = request;
  const connecting = new AbortController();
  let outgoing: ClientRequest | undefined;
  let connection: Socket | undefined;
  let sent = false;
  let hasResponse = false;
  const response = new Promise<TransportResponse>((resolve, reject) => {
    const sendConfirmed = async (isConfirmed: Promise<boolean>): Promise<void> => {
      const isWithdrawn = !(await isConfirmed);
      if (isWithdrawn) reject(new WithdrawnRequest());
      if (isWithdrawn || outgoing?.destroyed === true) outgoing?.destroy();
      else {
        sent = true;
        outgoing?.end(body);
      }
    };
    try {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const forAgent = { [CONNECT_SIGNAL]: connecting.signal };
      outgoing = module.request(origin + path, {
        method,
        agent,
        headers: { ...headers, ...length },
        ...forAgent,
        // Without this option Node drops a second Retry-After header.
        joinDuplicateHeaders: true,
      });
    } catch (error) {
      reject(new TransportFailure(error));
      return;
    }
    outgoing.once('socket', (socket) => {
      connection = socket;
      onConnected(socket, origin, () => {
        if (confirm === undefined) sent = true;
        else sendConfirmed(confirm()).catch((error: unknown) => outgoing?.destroy(error as Error));
      });
    });
    outgoing.on('error', (error) => {
      // After the head, the end of the body decides.
      if (!hasResponse) reject(new TransportFailure(error));
    });
    // Without a listener Node closes the connection silently, and the attempt would wait for its time-out.
    outgoing.once('upgrade', (_incoming, socket) => {
      socket.destroy();
      reject(new TransportFailure(badUpgrade()));
    });
    outgoing.once('response', (incoming) => {
      hasResponse = true;
      onHead(incoming.socket, String(incoming.headers['keep-alive']));
      readResponse(incoming, bodyMaxBytes).then(resolve, reject);
    });
    // Otherwise Node opens the connection and sends nothing before the end of the request.
    if (confirm === undefined) outgoing.end(body);
  });
  return {
    response,
    get sent() {
      return sent;
    },
    abort() {
      outgoing?.destroy();
      connecting.abort();
    },
    closeConnection() {
      connection?.destroy();
    },
  };
}

/** Calls `connected` when the connection, including TLS, is open. Node then sends the request at once. */
function onConnected(socket: Socket, origin: string, connected: () => void): void {
  const isTls = origin.startsWith('https:');
  // A TLS socket in a tunnel is connected from the start, and its handshake follows.
  const isOpen =
    !socket.connecting && !(isTls && (socket as TLSSocket).getPeerX509Certificate() === undefined);
  if (isOpen) connected();
  else socket.once(isTls ? 'secureConnect' : 'connect', connected);
}

function readResponse(incoming: IncomingMessage, bodyMaxBytes: number): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const collector = new BodyCollector(bodyMaxBytes);
    const headers = joinHeaders(incoming.headers);
    const finish = (end: TransportResponse['end']): void => {
      decodeBody({ body: collector.body(), end }, headers['content-encoding'], bodyMaxBytes).then(
        (decoded) => {
          resolve({ status: incoming.statusCode ?? 0, headers, ...decoded });
        },
        reject,
      );
    };
    incoming.on('data', (chunk: Uint8Array) => {
      if (collector.hasOverflowed || collector.add(chunk)) return;
      finish('too-large');
      incoming.destroy();
    });
    incoming.once('end', () => {
      finish('complete');
    });
    // The connection broke within the body. The `close` event follows and reports it.
    incoming.on('error', () => undefined);
    incoming.once('close', () => {
      if (!incoming.complete && !collector.hasOverflowed) finish('truncated');
    });
  });
}
