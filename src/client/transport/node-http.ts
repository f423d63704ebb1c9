import type http from 'node:http';
import type { AgentOptions } from 'node:https';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createCollector } from './collect.js';
import { decodeBody } from './decode.js';
import {
  type Exchange,
  type Transport,
  type TransportResponse,
  TransportFailure,
  type TransportRequest,
} from './transport.js';

type Http = Pick<typeof http, 'request'> & { Agent: new (options: AgentOptions) => Agent };

/**
 * Sends over node:http and node:https: the choice for one-shot commands, where it takes a third of the start-up that
 * `fetch` or undici take.
 *
 * @param authorities whom to trust, in PEM, instead of Node's own list.
 */
export function nodeHttpTransport(authorities?: readonly string[]): Transport {
  const agents = new Map<Http, Agent>();
  const trust = authorities === undefined ? {} : { ca: [...authorities] };
  return {
    send(request) {
      const module = httpFor(request.origin);
      let agent = agents.get(module);
      if (agent === undefined) {
        agent = new module.Agent({ keepAlive: true, ...trust });
        agents.set(module, agent);
      }
      return send(module, agent, request);
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
      return Promise.resolve();
    },
  };
}

/** Reached this way and not by `import`: an ES import of node:http loads undici on Node 22 and later, some 30 ms. */
function httpFor(origin: string): Http {
  return process.getBuiltinModule(origin.startsWith('https:') ? 'node:https' : 'node:http');
}

function send(module: Http, agent: Agent, request: TransportRequest): Exchange {
  const { origin, path, method, headers, body, bodyMaxBytes } = request;
  let outgoing: ClientRequest | undefined;
  let sent = false;
  const answer = new Promise<TransportResponse>((resolve, reject) => {
    try {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      outgoing = module.request(origin + path, {
        method,
        agent,
        headers: { ...headers, ...length },
        // Without it the second of two Retry-After is dropped, and the first taken for the whole.
        joinDuplicateHeaders: true,
      });
    } catch (error) {
      reject(new TransportFailure(error));
      return;
    }
    outgoing.once('socket', (socket) => {
      onConnected(socket, origin, () => (sent = true));
    });
    outgoing.on('error', (error) => {
      reject(new TransportFailure(error));
    });
    // Without a listener Node closes the connection and says nothing, and the attempt would last until its time limit.
    outgoing.once('upgrade', (_incoming, socket) => {
      socket.destroy();
      reject(new TransportFailure(new Error('the service changed the protocol unasked')));
    });
    outgoing.once('response', (incoming) => {
      readResponse(incoming, bodyMaxBytes).then(resolve, reject);
    });
    outgoing.end(body);
  });
  return {
    response: answer,
    get sent() {
      return sent;
    },
    abort() {
      outgoing?.destroy();
    },
  };
}

/** Bytes of the request leave as soon as the connection, TLS included, stands. */
function onConnected(socket: Socket, origin: string, connected: () => void): void {
  if (!socket.connecting) connected();
  else socket.once(origin.startsWith('https:') ? 'secureConnect' : 'connect', connected);
}

function readResponse(incoming: IncomingMessage, bodyMaxBytes: number): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const collector = createCollector(bodyMaxBytes);
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
      if (collector.overflowed || collector.add(chunk)) return;
      finish('too-large');
      incoming.destroy();
    });
    incoming.once('end', () => {
      finish('complete');
    });
    // An error here is a connection that broke within the body; `close` follows it.
    incoming.on('error', () => undefined);
    incoming.once('close', () => {
      if (!incoming.complete && !collector.overflowed) finish('truncated');
    });
  });
}

function joinHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return joined;
}
