import { connect, createServer, type Socket } from 'node:net';
import { listening } from './loopback-port.js';

/** A received request. */
export interface SeenRequest {
  method: string;
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
  /** Number of its connection, 1 for the first. */
  connection: number;
}

/** Responds to one request with any bytes. */
export type Responder = (socket: Socket, request: SeenRequest) => void | Promise<void>;

/** A server on loopback that sends scripted bytes. */
export interface ScriptedServer {
  readonly origin: string;
  readonly baseUrl: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** Numbers of connections opened and closed so far. */
  readonly connections: number;
  readonly closed: number;
  close(): Promise<void>;
}

/**
 * Starts a server that responds with each responder in turn; the last one serves all further requests. It is closed when the test ends.
 */
export async function startScriptedServer(...responders: Responder[]): Promise<ScriptedServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let closed = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    // Head and body are two writes. Without this, each response would wait for an acknowledgement.
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed += 1;
      sockets.delete(socket);
    });
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (let parsed = parseRequest(received); parsed !== undefined; parsed = parseRequest(received)) {
        received = received.subarray(parsed.bytes);
        const request = { ...parsed.request, connection };
        requests.push(request);
        const responder = responders[Math.min(requests.length, responders.length) - 1];
        void responder?.(socket, request);
      }
    });
  });
  const port = await listening(server);
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    baseUrl: `http://127.0.0.1:${String(port)}/v1`,
    port,
    requests,
    get connections() {
      return connections;
    },
    get closed() {
      return closed;
    },
    close,
  };
}

/** Starts a proxy that connects every tunnel to one port, after the other responses. */
export function startProxy(port: number, ...first: Responder[]): Promise<ScriptedServer> {
  return startScriptedServer(...first, (client) => {
    const upstream = connect(port, '127.0.0.1', () => {
      client.removeAllListeners('data');
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
}

/** Sends a response with a JSON body. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Responder {
  return bytes(typeof body === 'string' ? body : JSON.stringify(body), status, {
    'content-type': 'application/json',
    ...headers,
  });
}

/** Sends a 429 response with these headers. */
export function limited(headers: Readonly<Record<string, string>>): Responder {
  return json({}, 429, headers);
}

/** Sends a response with any body. */
export function bytes(
  body: string | Uint8Array,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Responder {
  return (socket) => {
    socket.write(head(status, { 'content-length': String(Buffer.byteLength(body)), ...headers }));
    socket.write(body);
  };
}

/** Sends exactly these bytes, status line included, then closes the connection. */
export function rawThenEnd(text: string | Uint8Array): Responder {
  return (socket) => {
    socket.end(text);
  };
}

/** Sends exactly these bytes and leaves the connection open. */
export function rawThenSilence(text: string | Uint8Array): Responder {
  return (socket) => {
    socket.write(text);
  };
}

/** Reads the request and never responds. */
export const silence: Responder = () => undefined;

/** Reads the request and closes the connection. */
export const hangUp: Responder = (socket) => {
  socket.end();
};

/** Reads the request and resets the connection. */
export const reset: Responder = (socket) => {
  socket.resetAndDestroy();
};

/** Encodes status line and headers with the empty line after them. */
export function head(status: number, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(status)} Whatever\r\n${lines.join('')}\r\n`;
}

function parseRequest(
  received: Buffer,
): { request: Omit<SeenRequest, 'connection'>; bytes: number } | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [start = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', path = ''] = start.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = Number(headers['content-length'] ?? 0);
  const bodyAt = end + 4;
  if (received.length < bodyAt + length) return undefined;
  const body = received.subarray(bodyAt, bodyAt + length).toString();
  return { request: { method, path, headers, body }, bytes: bodyAt + length };
}
