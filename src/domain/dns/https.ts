import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  IncomingHttpStatusHeader,
} from 'node:http2';
import {
  type TransportResult,
  MESSAGE_BYTES_MAX,
  queryFailure,
  socketFailure,
  withinLimits,
} from './transport-result.js';
import type { ExchangeLimits } from './concurrency/stop-signal.js';
import type { DnsServer } from './dns.js';

const MEDIA_TYPE = 'application/dns-message';

/** Sends queries over HTTPS, with HTTP/2 (RFC 8484, section 5.2). Each server has one connection. */
export interface HttpsExchange {
  /** The server's `address` is a URL for {@link httpsResolverUrl}. Redirects are not followed. */
  exchange(server: DnsServer, query: Buffer, limits: ExchangeLimits): Promise<TransportResult>;
  close(): void;
}

export function createHttpsExchange(): HttpsExchange {
  const sessions = new Map<string, ClientHttp2Session>();
  const sessionTo = ({ origin }: URL): ClientHttp2Session => {
    const known = sessions.get(origin);
    if (known?.closed === false && !known.destroyed) return known;
    const session = process.getBuiltinModule('node:http2').connect(origin);
    // An idle session must not keep the process alive. The time limit of a query does.
    session.unref();
    // Its streams report the error.
    session.on('error', () => undefined);
    sessions.set(origin, session);
    return session;
  };
  return {
    exchange(server, query, limits) {
      const url = httpsResolverUrl(server.address);
      if (url === undefined) {
        return Promise.resolve(
          queryFailure('unreachable', 'DNS over HTTPS needs an https URL without credentials'),
        );
      }
      return withinLimits(limits, (end) => {
        let stream: ClientHttp2Stream | undefined;
        let isOver = false;
        const post = (mayRetry: boolean): void => {
          const known = sessions.get(url.origin);
          const session = sessionTo(url);
          const own = session.request({
            ':method': 'POST',
            ':path': `${url.pathname}${url.search}`,
            accept: MEDIA_TYPE,
            'content-type': MEDIA_TYPE,
            'content-length': query.length,
          });
          stream = own;
          own.once('response', (headers) => {
            readBody(own, headers, end);
          });
          const fail = (failure: TransportResult): void => {
            if (isOver || own !== stream) return;
            // The server may close an idle connection while it is reused. Then the query is sent once more.
            if (!mayRetry || session !== known) {
              end(failure);
              return;
            }
            session.close();
            post(false);
          };
          own.once('error', (error: Error) => {
            fail(socketFailure(error.cause instanceof Error ? error.cause : error));
          });
          own.once('close', () => {
            fail(queryFailure('unreachable', 'connection closed before a response'));
          });
          own.end(query);
        };
        post(true);
        return () => {
          isOver = true;
          stream?.destroy();
        };
      });
    },
    close() {
      for (const session of sessions.values()) session.destroy();
    },
  };
}

/**
 * Parses the URL of a resolver over HTTPS. Returns `undefined` for other text, for http to other machines, and for
 * credentials, which would be printed with the URL.
 */
export function httpsResolverUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username !== '' || url.password !== '') return undefined;
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback) ? url : undefined;
}

function readBody(
  body: ClientHttp2Stream,
  { ':status': status = 0, 'content-type': mediaType }: IncomingHttpHeaders & IncomingHttpStatusHeader,
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
}
