import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  headerLines,
  RESERVED_HEADERS,
  TransportFailure,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '../../../client/internal.js';
import { TimeLimitError, withTimeLimit } from '../../system/time-limit.js';
import type { Context } from '../../system/context.js';
import type { ForwardedExchange } from './har-entry.js';

/** Where requests go. */
export interface Upstream {
  transport: Transport;
  /** Scheme, host and port. */
  origin: string;
  /** Path prefix without a trailing slash, such as `/v1`. */
  prefix: string;
}

const REQUEST_BYTES_MAX = 1 << 20;
const RESPONSE_BYTES_MAX = 1 << 24;
const RESPONSE_TIMEOUT_MS = 30_000;

/** These headers describe one connection (RFC 9110, section 7.6.1) or are set again. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...RESERVED_HEADERS,
  'accept-encoding',
  'proxy-authorization',
]);

/**
 * Sends a request to the service and its response to the client. Follows no redirects. Never rejects.
 *
 * @returns the status for the client, what the service responded, and whether the client received no response.
 */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  upstream: Upstream,
  clock: Context['clock'],
) {
  try {
    const body = await readBody(incoming);
    const request = requestOf(incoming, body, upstream);
    const startedAt = clock.now();
    const response = await send(request, outgoing, upstream.transport, clock);
    const endedAt = clock.now();
    outgoing.writeHead(response.status, responseHeaders(response));
    outgoing.end(incoming.method === 'HEAD' ? undefined : response.body);
    const exchange: ForwardedExchange = { request, response, startedAt, endedAt };
    return { status: response.status, exchange, isAborted: false };
  } catch (error) {
    const { status, code, message } = problemOf(error, upstream.origin);
    if (outgoing.destroyed) return { status, isAborted: true };
    const json = JSON.stringify({ code, message, status });
    // The rest of a large body may still arrive.
    outgoing.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    outgoing.end(json);
    return { status, isAborted: false };
  }
}

class Problem extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

function problemOf(error: unknown, origin: string): Pick<Problem, 'status' | 'code' | 'message'> {
  if (error instanceof Problem) return error;
  const problem = error instanceof TransportFailure ? error.malformedResponse : undefined;
  if (problem !== undefined) return invalidResponse(problem);
  const reason = error instanceof TransportFailure ? (error.code ?? error.message) : String(error);
  return { status: 502, code: 'no_response', message: `${origin} did not respond (${reason})` };
}

function invalidResponse(problem: string): Problem {
  return new Problem(502, 'invalid_response', `The response of the service is ${problem}`);
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > REQUEST_BYTES_MAX) throw new Problem(413, 'too_large', 'The body is larger than 1 MiB');
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Problem(400, 'bad_request', 'The body is not UTF-8');
  }
}

function requestOf(
  { method = 'GET', url = '', headers }: IncomingMessage,
  body: string,
  upstream: Upstream,
): TransportRequest {
  const [path = '', ...query] = url.split('?');
  if (!/^\/v1(?:\/|$)/.test(path))
    throw new Problem(404, 'no_such_route', 'Only paths below /v1 are forwarded');
  if (path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    throw new Problem(400, 'bad_request', 'The path contains a dot segment');
  }
  const listed = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const forwarded = Object.entries(headers).filter(
    ([name]) => !OWN_HEADERS.has(name) && !listed.includes(name),
  );
  return {
    method,
    origin: upstream.origin,
    path: upstream.prefix + path.slice('/v1'.length) + (query.length === 0 ? '' : `?${query.join('?')}`),
    // Only Set-Cookie is a list, and requests do not have it.
    headers: Object.fromEntries(forwarded) as Record<string, string>,
    ...(body === '' ? {} : { body }),
    bodyMaxBytes: RESPONSE_BYTES_MAX,
  };
}

/** Ends the request to the service after the time limit, or when the client disconnects. */
async function send(
  request: TransportRequest,
  outgoing: ServerResponse,
  transport: Transport,
  clock: Context['clock'],
): Promise<TransportResponse> {
  const disconnected = new AbortController();
  outgoing.once('close', () => {
    disconnected.abort(new Problem(499, 'disconnected', 'The client disconnected'));
  });
  const exchange = transport.send(request);
  try {
    const limits = { clock, signal: disconnected.signal };
    const response = await withTimeLimit(RESPONSE_TIMEOUT_MS, limits, () => exchange.response);
    if (response.end === 'complete') return response;
    throw invalidResponse(response.end);
  } catch (error) {
    exchange.abort();
    if (!(error instanceof TimeLimitError)) throw error;
    throw new Problem(504, 'timeout', `${request.origin} did not respond in 30 s`);
  }
}

function responseHeaders({ headers, body, status }: TransportResponse): string[] {
  // The transport has decoded the body.
  const kept = headerLines(headers).filter(([name]) => !OWN_HEADERS.has(name) && name !== 'content-encoding');
  const hasContent = status !== 204 && status !== 304;
  return [...kept.flat(), ...(hasContent ? ['content-length', String(body.length)] : [])];
}
