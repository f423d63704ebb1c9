import type http from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
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

/** Sends queries over HTTPS (RFC 8484). */
export interface HttpsExchange {
  /** The server's `address` is a URL for {@link httpsResolverUrl}. Redirects are not followed. */
  exchange(server: DnsServer, query: Buffer, limits: QueryLimits): Promise<TransportResult>;
  close(): void;
}

export function createHttpsExchange(): HttpsExchange {
  const agents = new Map<Http, http.Agent>();
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
      return withinLimits(limits, (end) => post(module, agent, url, query, end));
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
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

/** Sends the query. Returns a function that aborts the request. */
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
  const status = response.statusCode ?? 0;
  const type = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
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
