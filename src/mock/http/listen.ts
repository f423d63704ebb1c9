import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createWarningGuard } from '../../options/guard-callback.js';
import type { OwnedClock } from '../service/clock.js';
import type { ListenOptions, Mock, MockServer } from '../world/mock.js';
import type { Journal } from '../service/journal.js';
import { bind, closeServer } from '../web/server.js';
import { bodyParts } from './body-parts.js';
import { bodyOf } from './fetch.js';
import { problemOf, rejectUnparsable } from './unreadable-request.js';
import { BASE_PATH } from './route-request.js';
import type { Handler } from './handler.js';
import {
  BODY_BYTES_MAX,
  isControlRequest,
  type HostErrorStatus,
  type MockOutcome,
  type MockRequest,
  type MockResponse,
} from '../service/message.js';

const CLOSE_DEADLINE_MS = 500;
const KEEP_ALIVE_MS = 60_000;

/** A mock with the internals that the HTTP host needs. */
export interface HostedMock {
  mock: Mock;
  clock: OwnedClock;
  handler: Pick<Handler, 'hostError' | 'wait'>;
  journal: Pick<Journal, 'last'>;
  /** The certificate of the authority of the web servers, in PEM, if they are open. */
  authority(): string | undefined;
}

/**
 * Serves a mock over `node:http`.
 *
 * @throws the system's error, such as `EADDRINUSE`.
 */
export async function listen(
  hosted: HostedMock,
  options: ListenOptions = {},
): Promise<Omit<MockServer, typeof Symbol.asyncDispose>> {
  // Not an import: on Node 22 and later, importing node:http in an ES module also loads undici.
  const { createServer } = process.getBuiltinModule('node:http');
  const { onResponse, controlHost, ui = true } = options;
  const guard = createWarningGuard('The mock continues.');
  const report: Host['onResponse'] =
    onResponse && ((...response) => guard('onResponse', (): unknown => onResponse(...response)));
  const host: Host = {
    ...hosted,
    onResponse: report,
    controlHost,
    ui,
    isClosing: false,
    rejected: new WeakSet(),
    unreported: new Set(),
  };
  // hasValidHost() checks it instead: Node would send an error without a body.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    // What follows a body of unknown length is not a request.
    if (host.rejected.has(request.socket)) return;
    const exchange: Exchange = { host, request, response };
    const problem = problemOf(request);
    if (problem !== undefined) reject(exchange, ...problem);
    else if (hasBody(request)) void serveWithBody(exchange);
    else serve(exchange, undefined);
  });
  // Without a listener, Node responds to an unknown expectation without a body.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    reject({ host, request, response }, 417);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!host.rejected.has(socket)) rejectUnparsable(hosted.handler, error, socket);
  });
  // Pauses in a test are shorter. After 5 s, the default, the server would close connections that clients just use again.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const address = options.host ?? '127.0.0.1';
  const port = await bind(server, options.port ?? 0, address);
  const url = `http://${urlHost(address)}:${String(port)}`;

  return {
    url,
    baseUrl: `${url}${BASE_PATH}`,
    port,
    async close({ deadlineMs = CLOSE_DEADLINE_MS } = {}) {
      host.isClosing = true;
      await closeServer(server, deadlineMs);
      // The server closes before the responses of its last connections do.
      await Promise.all(host.unreported);
    },
  };
}

type RequestBody = ReturnType<typeof bodyOf>;

/** A mock behind one HTTP server. */
interface Host extends HostedMock {
  onResponse: ListenOptions['onResponse'];
  ui: boolean;
  controlHost: string | undefined;
  isClosing: boolean;
  /** Connections that will be closed after an error. */
  rejected: WeakSet<Socket>;
  /** Ends of responses that `onResponse` has not received. */
  unreported: Set<Promise<void>>;
}

interface Exchange {
  host: Host;
  request: IncomingMessage;
  response: ServerResponse;
  /** Whether a fault has closed the connection within the body. */
  isCut?: boolean;
}

async function serveWithBody(exchange: Exchange): Promise<void> {
  const body = await readBody(exchange.request);
  if (body !== undefined) serve(exchange, body);
}

/** Never throws: an uncaught error would end the process. */
function serve(exchange: Exchange, body: RequestBody | undefined): void {
  const { host, request } = exchange;
  try {
    if (isControlRequest(request.url ?? '')) {
      void serveControlRequest(exchange, body);
    } else {
      const outcome = host.mock.handle(toMockRequest(request, body));
      if (host.onResponse !== undefined) reportEnd(exchange, host.onResponse);
      if (outcome.delayMs === 0) writeOutcome(exchange, outcome);
      else void writeOutcomeLater(exchange, outcome);
    }
  } catch (error) {
    fail(exchange, error);
  }
}

async function serveControlRequest(exchange: Exchange, body: RequestBody | undefined): Promise<void> {
  const { host, request, response } = exchange;
  try {
    // Loaded on demand: most mocks are not controlled over HTTP.
    const { handleControlRequest } = await import('../control/control.js');
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    const { remoteAddress } = request.socket;
    const plain = toMockRequest(request, body);
    const result = await handleControlRequest(host, plain, remoteAddress, disconnected.signal);
    if (typeof result === 'function') result(response);
    else if (!disconnected.signal.aborted) send(exchange, result);
  } catch (error) {
    fail(exchange, error);
  }
}

/** Calls `onResponse` when the response has been sent or the connection has closed. */
function reportEnd(exchange: Exchange, onResponse: NonNullable<ListenOptions['onResponse']>): void {
  const { host, response } = exchange;
  const entry = host.journal.last();
  if (entry === undefined) return;
  const reported = new Promise<void>((resolve) => {
    response.once('close', () => {
      const isSent = response.writableFinished || exchange.isCut === true;
      // A reset moves the clock back.
      const durationMs = Math.max(0, host.clock.now() - entry.at.getTime());
      onResponse(isSent || entry.status === undefined ? entry : { ...entry, aborted: true }, durationMs);
      host.unreported.delete(reported);
      resolve();
    });
  });
  host.unreported.add(reported);
}

/** Responds with 500 after an error in the caller's code, such as `onRequest` or the clock. */
function fail(exchange: Exchange, error: unknown): void {
  try {
    send(
      exchange,
      exchange.host.handler.hostError(
        500,
        `The mock failed: ${error instanceof Error ? error.message : String(error)}`,
      ),
    );
  } catch {
    exchange.request.socket.destroy();
  }
}

/** A delayed response must not keep the process alive after its client has disconnected. */
async function writeOutcomeLater(exchange: Exchange, outcome: MockOutcome): Promise<void> {
  const disconnected = new AbortController();
  exchange.response.once('close', () => disconnected.abort());
  try {
    await exchange.host.handler.wait(outcome, disconnected.signal);
    if (!disconnected.signal.aborted) writeOutcome(exchange, outcome);
  } catch (error) {
    fail(exchange, error);
  }
}

function writeOutcome(exchange: Exchange, outcome: MockOutcome): void {
  if (outcome.kind === 'reset') exchange.request.socket.resetAndDestroy();
  else if (outcome.kind === 'response' && outcome.bytesPerSecond === undefined)
    send(exchange, outcome.response);
  else void sendInParts(exchange, outcome);
}

async function sendInParts(
  exchange: Exchange,
  outcome: Exclude<MockOutcome, { kind: 'reset' }>,
): Promise<void> {
  const { host, request, response } = exchange;
  const { status, headers, body, bytes = Buffer.from(body) } = outcome.response;
  const sent = outcome.kind === 'truncated' ? bytes.subarray(0, outcome.bytes) : bytes;
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  response.writeHead(status, headerFields(headers));
  response.flushHeaders();
  for (const { part, pauseMs } of bodyParts(sent, outcome.bytesPerSecond)) {
    if (pauseMs > 0) await host.handler.wait(outcome, disconnected.signal, pauseMs);
    if (disconnected.signal.aborted) return;
    response.write(part);
  }
  if (outcome.kind === 'response') response.end();
  else {
    exchange.isCut = true;
    request.socket.destroySoon();
  }
}

function send({ host, response }: Exchange, { status, headers, body, bytes }: MockResponse): void {
  if (host.isClosing) response.shouldKeepAlive = false;
  response.writeHead(status, headerFields(headers));
  response.end(bytes ?? body);
}

/** Returns the headers for node:http, with one line for each line of a value. */
function headerFields(headers: MockResponse['headers']): OutgoingHttpHeaders {
  let fields: OutgoingHttpHeaders = headers;
  for (const name in headers) {
    const value = headers[name] as string;
    if (value.includes('\n')) fields = { ...fields, [name]: value.split('\n') };
  }
  return fields;
}

function toMockRequest(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: RequestBody | undefined,
): MockRequest {
  // Only Set-Cookie is a list, and requests do not have it.
  const plainHeaders = headers as Record<string, string>;
  return { method, url, headers: plainHeaders, ...body };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/**
 * Reads the whole body, so that the client receives the response. Stores little more than the maximum, so that the handler
 * can still reject a large body. Returns `undefined` if the connection closed first.
 */
function readBody(request: IncomingMessage): Promise<RequestBody | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
      bytes += chunk.length;
    });
    request.once('end', () => resolve(bodyOf(Buffer.concat(chunks))));
    request.once('close', () => resolve(undefined));
  });
}

/** Responds without reading the body. Closes the connection, because the body would be the next request. */
function reject(exchange: Exchange, status: HostErrorStatus, message?: string): void {
  exchange.host.rejected.add(exchange.request.socket);
  exchange.response.shouldKeepAlive = false;
  send(exchange, exchange.host.handler.hostError(status, message));
}

/** Replaces an unspecified address, because not every system can connect to it. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
