import { ConfigurationError, isPetStoreError } from '../../errors.js';
import { causesOf, foreignFields } from '../../foreign-error.js';
import { BodyCollector } from './body.js';
import {
  type Exchange,
  isProgrammingError,
  joinValues,
  optionFailure,
  type Transport,
  TransportFailure,
  type TransportRequest,
  type TransportResponse,
} from './transport.js';

/**
 * A Web `fetch` function. Not `typeof globalThis.fetch`: with `@types/bun`, that has a property which other functions, such
 * as `mock.fetch`, do not have.
 */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

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
  // `fetch` does not report when it sends bytes. Only some errors prove that it sent none.
  let sent = true;
  let hasReadInit = false;
  const init = fetchInit(request, abort.signal, () => (hasReadInit = true));
  return {
    response: exchange(fetch, request, init, abort).catch((error: unknown) => {
      if (isPetStoreError(error) || isProgrammingError(error)) {
        sent = hasReadInit;
        throw isPetStoreError(error) ? error : optionFailure('fetch', error);
      }
      const failure = new TransportFailure(error);
      const isNotSent = failure.code !== undefined && NOT_SENT_CODES.has(failure.code);
      if ((isNotSent && !isOpenConnectionFailure(error)) || isConnectFailureOfDeno(error)) sent = false;
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

/**
 * Creates the second argument of `fetch`. To send the request, `fetch` has to read its body, or its method if it has no
 * body. So a bug before that certainly sent nothing.
 */
function fetchInit(
  { method, headers, body }: TransportRequest,
  signal: AbortSignal,
  onRead: () => void,
): RequestInit {
  const init: RequestInit = { method, headers, redirect: 'manual', signal };
  const [name, value] = body === undefined ? ['method', method] : ['body', body];
  return Object.defineProperty(init, name, {
    enumerable: true,
    configurable: true,
    get() {
      onRead();
      return value;
    },
  });
}

const CONNECT_FAILURE = /^error sending request for url \(\S+\): client error \(Connect\)/;

/** Deno has no codes. Its HTTP client says `Connect` only of a connection that was never open. */
function isConnectFailureOfDeno(error: unknown): boolean {
  return causesOf(error).some((cause) => CONNECT_FAILURE.test(String(foreignFields(cause).message)));
}

/** Checks whether an open connection failed: a host can become unreachable after it received the request. */
function isOpenConnectionFailure(error: unknown): boolean {
  return causesOf(error).some((cause) => {
    const { syscall } = foreignFields(cause);
    return syscall === 'read' || syscall === 'write';
  });
}

async function exchange(
  fetch: Fetch,
  { origin, path, bodyMaxBytes }: TransportRequest,
  init: RequestInit,
  abort: AbortController,
): Promise<TransportResponse> {
  const response: unknown = await fetch(origin + path, init);
  if (!isResponse(response)) {
    throw new ConfigurationError('The option fetch returned no Response', {
      option: 'fetch',
      hint: 'Return the Response, or a promise of it.',
    });
  }
  return {
    status: response.status,
    headers: headersOf(response.headers),
    ...(await readBody(response, bodyMaxBytes, abort)),
  };
}

/** An iterator of Web headers returns each cookie as an entry, and joins the values of other headers. */
function headersOf(headers: Headers): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : joinValues(name, [before, value]));
  }
  return Object.fromEntries(joined);
}

/** Not `instanceof`: packages such as undici have their own `Response`. */
function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null) return false;
  const { status, headers, body } = value as Partial<Record<keyof Response, unknown>>;
  const isBody =
    body === null || typeof (body as Partial<ReadableStream> | undefined)?.getReader === 'function';
  return Number.isInteger(status) && isBody && Symbol.iterator in Object(headers);
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
