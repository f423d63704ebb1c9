import { BodyCollector } from './body.js';
import {
  type Exchange,
  type Transport,
  type TransportResponse,
  TransportFailure,
  type TransportRequest,
} from './transport.js';

type Fetch = typeof globalThis.fetch;

/** Error codes that only occur before the request is sent. */
const NOT_SENT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Sends requests with a Web `fetch` function, such as that of a mock or of another runtime. */
export function fetchTransport(fetch: Fetch): Transport {
  return {
    send: (request) => send(fetch, request),
    close: () => Promise.resolve(),
  };
}

function send(fetch: Fetch, request: TransportRequest): Exchange {
  const abort = new AbortController();
  // `fetch` does not report when it sends bytes. Only some error codes prove that it sent none.
  let sent = true;
  return {
    response: exchange(fetch, request, abort).catch((error: unknown) => {
      const failure = new TransportFailure(error);
      if (failure.code !== undefined && NOT_SENT_CODES.has(failure.code) && !isOpenConnectionFailure(error))
        sent = false;
      throw failure;
    }),
    get sent() {
      return sent;
    },
    abort() {
      abort.abort();
    },
  };
}

/** Checks whether an open connection failed: a host can become unreachable after it received the request. */
function isOpenConnectionFailure(cause: unknown): boolean {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const { syscall } = error as NodeJS.ErrnoException;
    if (syscall === 'read' || syscall === 'write') return true;
  }
  return false;
}

async function exchange(
  fetch: Fetch,
  request: TransportRequest,
  abort: AbortController,
): Promise<TransportResponse> {
  const { origin, path, method, headers, body, bodyMaxBytes } = request;
  const response = await fetch(origin + path, {
    method,
    headers,
    redirect: 'manual',
    signal: abort.signal,
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ...(await readBody(response, bodyMaxBytes, abort)),
  };
}

async function readBody(
  response: Response,
  bodyMaxBytes: number,
  abort: AbortController,
): Promise<Pick<TransportResponse, 'body' | 'end'>> {
  const collector = new BodyCollector(bodyMaxBytes);
  if (response.body === null) return { body: collector.body(), end: 'complete' };
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (collector.add(next.value)) continue;
      abort.abort();
      await reader.cancel().catch(() => undefined);
      return { body: collector.body(), end: 'too-large' };
    }
    return { body: collector.body(), end: 'complete' };
  } catch {
    return { body: collector.body(), end: 'truncated' };
  }
}
