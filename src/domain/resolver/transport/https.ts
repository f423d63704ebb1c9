import type http from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { ClientHttp2Session } from 'node:http2';
import type { Readable } from 'node:stream';
import { createHttp2Sessions, type Http2Sessions } from './http2.js';
import {
  type TransportResult,
  type QueryLimits,
  MESSAGE_BYTES_MAX,
  queryFailure,
  socketFailure,
  withinLimits,
} from './transport-result.js';
import type { DnsServer } from '../dns.js';

type Http = Pick<typeof http, 'request' | 'Agent'>;

const MEDIA_TYPE = 'application/dns-message';

/** Sends queries over HTTPS (RFC 8484): over HTTP/2 if the server supports it, otherwise over HTTP/1.1. */
export interface HttpsExchange {
  /** The server's `address` is a URL for {@link httpsResolverUrl}. Redirects are not followed. */
  exchange(server: DnsServer, query: Buffer, limits: QueryLimits): Promise<TransportResult>;
  close(): void;
}

export function createHttpsExchange(): HttpsExchange {
  const agents = new Map<Http, http.Agent>();
  const http2 = createHttp2Sessions();
  return {
    exchange(server, query, limits) {
      const url = httpsResolverUrl(server.address);
      if (url === undefined) {
        return Promise.resolve(
          queryFailure('unreachable', 'DNS over HTTPS needs an https URL without credentials'),
        );
      }
      const module = httpFor(url);
      const agent = agents.get(module) ?? new module.Agent({ keepAlive: true });
      agents.set(module, agent);
      return withinLimits(limits, (end) =>
        url.protocol === 'https:'
          ? negotiate(http2, url, query, end, () => post(module, agent, url, query, end))
          : post(module, agent, url, query, end),
      );
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
      http2.close();
    },
  };
}

/**
 * Parses the URL of a resolver over HTTPS. Returns `undefined` for other text, for http to other machines, and for
 * credentials: these would be printed with the URL, and node:http throws if they are malformed.
 */
export function httpsResolverUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username !== '' || url.password !== '') return undefined;
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback) ? url : undefined;
}

/** Loads the module without an import: on Node 22 and later, an import of node:http loads undici, which takes 30 ms. */
function httpFor({ protocol }: URL): Http {
  return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
}

/** Sends the query over HTTP/2, or as `overHttp1` does. Returns a function that aborts the request. */
function negotiate(
  http2: Http2Sessions,
  url: URL,
  query: Buffer,
  end: (result: TransportResult) => void,
  overHttp1: () => () => void,
): () => void {
  let isOver = false;
  let abort = (): void => undefined;
  const finish = (result: TransportResult): void => {
    isOver = true;
    end(result);
  };
  const send = async (mayRetry: boolean): Promise<void> => {
    const session = await http2.sessionFor(url);
    if (isOver) return;
    if (session === undefined) {
      abort = overHttp1();
      return;
    }
    // A session that the server closed while it was idle is replaced once.
    abort = postOverHttp2(session, url, query, finish, (error) => {
      if (mayRetry) send(false).catch(fail);
      else fail(error);
    });
  };
  const fail = (error: NodeJS.ErrnoException): void => {
    if (!isOver) finish(socketFailure(error));
  };
  send(true).catch(fail);
  return () => {
    isOver = true;
    abort();
  };
}

/** @param onBroken Called if the connection ended before a response. */
function postOverHttp2(
  session: ClientHttp2Session,
  url: URL,
  query: Buffer,
  finish: (result: TransportResult) => void,
  onBroken: (error: NodeJS.ErrnoException) => void,
): () => void {
  const stream = session.request({
    ':method': 'POST',
    ':path': `${url.pathname}${url.search}`,
    accept: MEDIA_TYPE,
    'content-type': MEDIA_TYPE,
    'content-length': query.length,
  });
  let hasResponse = false;
  session.ref();
  stream.once('response', (headers) => {
    hasResponse = true;
    readBody(stream, { status: headers[':status'] ?? 0, type: headers['content-type'] }, finish);
  });
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!hasResponse) onBroken(error);
  });
  stream.once('close', () => {
    if (!session.destroyed) session.unref();
  });
  stream.end(query);
  return () => {
    stream.close();
  };
}

/** Sends the query over HTTP/1.1. Returns a function that aborts the request. */
function post(
  module: Http,
  agent: http.Agent,
  url: URL,
  query: Buffer,
  end: (result: TransportResult) => void,
): () => void {
  let request: ClientRequest;
  let isOver = false;
  const finish = (result: TransportResult): void => {
    isOver = true;
    end(result);
  };
  const send = (mayRetry: boolean): void => {
    const headers = { accept: MEDIA_TYPE, 'content-type': MEDIA_TYPE, 'content-length': query.length };
    request = module.request(url, { method: 'POST', agent, headers });
    request.once('response', (response) => {
      readResponse(response, finish);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (isOver) return;
      // The server may close an idle connection while the client reuses it. Then the query is sent once more.
      if (mayRetry && request.reusedSocket && error.code === 'ECONNRESET') send(false);
      else finish(socketFailure(error));
    });
    request.end(query);
  };
  send(true);
  return () => {
    isOver = true;
    // After a complete response this does not close the connection, which is back in the agent's pool.
    request.destroy();
  };
}

function readResponse(response: IncomingMessage, finish: (result: TransportResult) => void): void {
  readBody(response, { status: response.statusCode ?? 0, type: response.headers['content-type'] }, finish);
}

function readBody(
  response: Readable,
  head: { status: number; type: string | undefined },
  finish: (result: TransportResult) => void,
): void {
  const { status } = head;
  const type = head.type?.split(';')[0]?.trim().toLowerCase();
  if (status !== 200) {
    const redirect = status >= 300 && status < 400 ? ' (redirects are not followed)' : '';
    finish(queryFailure('unreachable', `HTTP status ${status}${redirect}`));
    return;
  }
  if (type !== MEDIA_TYPE) {
    finish(queryFailure('malformed', 'the HTTP response is not a DNS message'));
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MESSAGE_BYTES_MAX) finish(queryFailure('malformed', `more than ${MESSAGE_BYTES_MAX} bytes`));
  });
  response.once('end', () => {
    finish({ kind: 'message', message: Buffer.concat(chunks) });
  });
  // The connection broke within the body.
  response.on('error', () => {
    finish(queryFailure('malformed', 'truncated response'));
  });
}
