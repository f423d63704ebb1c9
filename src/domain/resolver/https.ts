import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import {
  type TransportResult,
  MESSAGE_BYTES_MAX,
  queryFailure,
  socketFailure,
  withinLimits,
} from './transport-result.js';
import type { ExchangeLimits } from '../concurrency/stop-signal.js';
import type { DnsServer } from './dns.js';
import { ipFamily } from './server-address.js';

const MEDIA_TYPE = 'application/dns-message';
const HEADERS = { accept: MEDIA_TYPE, 'content-type': MEDIA_TYPE };

/** Sends queries over HTTPS (RFC 8484): over HTTP/2 if the server supports it, otherwise over HTTP/1.1. */
export interface HttpsExchange {
  /** The server's `address` is a URL for {@link httpsResolverUrl}. Redirects are not followed. */
  exchange(server: DnsServer, query: Buffer, limits: ExchangeLimits): Promise<TransportResult>;
  close(): void;
}

/** A way to an origin, over which requests are sent. */
interface Connection {
  /** Starts a request. Calls back with the head and the body of its response. */
  post(
    length: number,
    onResponse: (status: number, type: string | undefined, body: Readable) => void,
  ): Writable;
  /** Whether it has responded before. */
  isUsed?: boolean;
}

export function createHttpsExchange(): HttpsExchange {
  const connecting = new Map<string, Promise<Connection>>();
  const closers = new Set<() => void>();
  const connectionTo = (url: URL): Promise<Connection> => {
    const known = connecting.get(url.origin);
    if (known !== undefined) return known;
    const forget = (): void => {
      if (connecting.get(url.origin) === made) connecting.delete(url.origin);
    };
    const made = connect(url, closers, forget);
    connecting.set(url.origin, made);
    made.catch(forget);
    return made;
  };
  return {
    exchange(server, query, limits) {
      const url = httpsResolverUrl(server.address);
      if (url === undefined) {
        return Promise.resolve(
          queryFailure('unreachable', 'DNS over HTTPS needs an https URL without credentials'),
        );
      }
      return withinLimits(limits, (end) => send(() => connectionTo(url), query, end));
    },
    close() {
      for (const close of closers) close();
      connecting.clear();
    },
  };
}

/**
 * Parses the URL of a resolver over HTTPS. Returns `undefined` for other text, for http to other machines, and for
 * credentials. These would be printed with the URL, and node:http throws if they are malformed.
 */
export function httpsResolverUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username !== '' || url.password !== '') return undefined;
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback) ? url : undefined;
}

/** Sends a query. Returns a function that aborts the request. */
function send(
  open: () => Promise<Connection>,
  query: Buffer,
  end: (result: TransportResult) => void,
): () => void {
  let request: Writable | undefined;
  let isOver = false;
  const attempt = async (mayRetry: boolean): Promise<void> => {
    const connection = await open();
    if (isOver) return;
    const isReused = connection.isUsed === true;
    let hasResponse = false;
    request = connection.post(query.length, (status, type, body) => {
      hasResponse = true;
      connection.isUsed = true;
      readBody(body, status, type, end);
    });
    request.on('error', (error) => {
      if (isOver || hasResponse) return;
      // The server may close an idle connection while it is reused. Then the query is sent once more.
      if (mayRetry && isReused) attempt(false).catch(fail);
      else fail(error);
    });
    request.end(query);
  };
  const fail = (error: NodeJS.ErrnoException): void => {
    end(socketFailure(error));
  };
  attempt(true).catch(fail);
  return () => {
    isOver = true;
    // After a complete response over HTTP/1.1, the connection is back in the agent's pool and stays open.
    request?.destroy();
  };
}

/** Connects over TLS, to learn the protocol that the server chooses (ALPN, RFC 7301). */
async function connect(url: URL, closers: Set<() => void>, onEnd: () => void): Promise<Connection> {
  const socket = url.protocol === 'https:' ? await connectTls(url, closers) : undefined;
  if (socket?.alpnProtocol === 'h2') return overHttp2(url, socket, onEnd);
  socket?.on('error', () => undefined).destroy();
  return overHttp1(url, closers);
}

function connectTls(url: URL, closers: Set<() => void>): Promise<TLSSocket> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    const socket = process.getBuiltinModule('node:tls').connect({
      host,
      port: Number(url.port || 443),
      ALPNProtocols: ['h2', 'http/1.1'],
      ...(ipFamily(host) === 0 && { servername: host }),
    });
    const close = (): unknown => socket.destroy();
    closers.add(close);
    socket.once('close', () => closers.delete(close));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function overHttp2(url: URL, socket: TLSSocket, onEnd: () => void): Connection {
  const session = process.getBuiltinModule('node:http2').connect(url, { createConnection: () => socket });
  // An idle session must not keep the process alive. The time limit of a query does.
  session.unref();
  session.on('error', onEnd).on('goaway', onEnd).on('close', onEnd);
  return {
    post(length, onResponse) {
      const path = `${url.pathname}${url.search}`;
      const head = { ':method': 'POST', ':path': path, ...HEADERS, 'content-length': length };
      const stream = session.request(head);
      return stream.once('response', (response) => {
        onResponse(response[':status'] ?? 0, response['content-type'], stream);
      });
    },
  };
}

function overHttp1(url: URL, closers: Set<() => void>): Connection {
  // Not imported: on Node 22 and later, an import of node:http loads undici, which takes 30 ms.
  const http = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const agent = new http.Agent({ keepAlive: true });
  closers.add(() => {
    agent.destroy();
  });
  return {
    post(length, onResponse) {
      const headers = { ...HEADERS, 'content-length': length };
      const request = http.request(url, { method: 'POST', agent, headers });
      return request.once('response', (response: IncomingMessage) => {
        onResponse(response.statusCode ?? 0, response.headers['content-type'], response);
      });
    },
  };
}

function readBody(
  body: Readable,
  status: number,
  mediaType: string | undefined,
  end: (result: TransportResult) => void,
): void {
  if (status !== 200) {
    const redirect = status >= 300 && status < 400 ? ' (redirects are not followed)' : '';
    end(queryFailure('unreachable', `HTTP status ${status}${redirect}`));
    return;
  }
  if (mediaType?.split(';')[0]?.trim().toLowerCase() !== MEDIA_TYPE) {
    end(queryFailure('malformed', 'the HTTP response is not a DNS message'));
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  body.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MESSAGE_BYTES_MAX) end(queryFailure('malformed', `more than ${MESSAGE_BYTES_MAX} bytes`));
  });
  body.once('end', () => {
    end({ kind: 'message', message: Buffer.concat(chunks) });
  });
  // The connection broke within the body.
  body.on('error', () => {
    end(queryFailure('malformed', 'truncated response'));
  });
}
