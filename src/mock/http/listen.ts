import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { VirtualClock } from '../service/clock.js';
import type { ListenOptions, Mock, MockServer } from '../mock.js';
import { BASE_PATH } from './route-request.js';
import { handleControlRequest, isControlRequest } from './control.js';
import type { Handler } from './handler.js';
import type { HostErrorStatus, MockOutcome, MockRequest, MockResponse } from '../service/message.js';
import { BODY_BYTES_MAX } from './routes.js';

const CLOSE_DEADLINE_MS = 500;

/** What this host needs, some of which is not for everyone who has a mock. */
export interface HostedMock {
  mock: Mock;
  clock: VirtualClock;
  hostError: Handler['hostError'];
}

/** Serves a mock over `node:http`. Rejects with the system's error where it can't listen. */
export async function listen(served: HostedMock, options: ListenOptions = {}): Promise<MockServer> {
  // Not imported: in an ES module, an import of node:http loads undici as well on Node 22 and later.
  const { createServer } = process.getBuiltinModule('node:http');
  let closing = false;
  // Node would refuse a request without a Host with an empty body; here every refusal has one.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    const host: Exchange = { ...served, request, response, isClosing: () => closing };
    if (hasBody(request)) void serveWithBody(host);
    else serve(host, undefined);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    rejectUnparsable(served, error, socket);
  });
  const { host = '127.0.0.1' } = options;
  const port = await bind(server, options.port ?? 0, host);
  const url = `http://${urlHost(host)}:${String(port)}`;

  return {
    url,
    baseUrl: `${url}${BASE_PATH}`,
    port,
    close({ deadlineMs = CLOSE_DEADLINE_MS } = {}) {
      closing = true;
      return new Promise((resolve) => {
        const deadline = setTimeout(() => {
          server.closeAllConnections();
        }, deadlineMs);
        // Ends the idle connections as well.
        server.close(() => {
          clearTimeout(deadline);
          resolve();
        });
      });
    },
  };
}

interface Exchange extends HostedMock {
  request: IncomingMessage;
  response: ServerResponse;
  isClosing(): boolean;
}

function bind(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function serveWithBody(host: Exchange): Promise<void> {
  const body = await readBody(host.request);
  if (body !== undefined) serve(host, body);
}

/** Never throws: nobody is there to catch it, and it would end the process. */
function serve(host: Exchange, body: string | undefined): void {
  const { mock, request } = host;
  try {
    if (lacksHost(request)) send(host, host.hostError(400));
    else if (isControlRequest(request.url ?? '')) {
      send(host, handleControlRequest(mock, toMockRequest(request, body), request.socket.remoteAddress));
    } else {
      const outcome = mock.handle(toMockRequest(request, body));
      if (outcome.delayMs === 0) writeOutcome(host, outcome);
      else void writeOutcomeLater(host, outcome);
    }
  } catch (error) {
    fail(host, error);
  }
}

/** What failed is code of the caller, such as its `onRequest` or its clock. */
function fail(host: Exchange, error: unknown): void {
  try {
    send(
      host,
      host.hostError(500, `the mock failed: ${error instanceof Error ? error.message : String(error)}`),
    );
  } catch {
    host.request.socket.destroy();
  }
}

/** An answer that no one waits for any more must not keep the process alive. */
async function writeOutcomeLater(host: Exchange, outcome: MockOutcome): Promise<void> {
  const gone = new AbortController();
  host.response.once('close', () => {
    gone.abort();
  });
  try {
    await host.clock.wait(outcome.delayMs, gone.signal);
    if (!gone.signal.aborted) writeOutcome(host, outcome);
  } catch (error) {
    fail(host, error);
  }
}

function writeOutcome(host: Exchange, outcome: MockOutcome): void {
  const { socket } = host.request;
  if (outcome.kind === 'response') send(host, outcome.response);
  else if (outcome.kind === 'reset') socket.resetAndDestroy();
  else {
    const { status, headers, body } = outcome.response;
    const bytes = Buffer.from(body);
    host.response.writeHead(status, headers);
    host.response.write(bytes.subarray(0, bytes.length >> 1), () => {
      socket.destroy();
    });
  }
}

function send({ response, isClosing }: Exchange, { status, headers, body }: MockResponse): void {
  if (isClosing()) response.shouldKeepAlive = false;
  response.writeHead(status, headers as Record<string, string>);
  response.end(body);
}

function toMockRequest(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: string | undefined,
): MockRequest {
  // Only Set-Cookie, which no request has, comes as a list.
  const plainHeaders = headers as Record<string, string>;
  return { method, url, headers: plainHeaders, ...(body === undefined ? {} : { body }) };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/**
 * Reads a body to its end, so that the client gets to see the answer, but keeps hardly more than is allowed: enough for
 * the handler to refuse it, in its turn after the key and the limits. `undefined` where the connection ended first.
 */
function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
      bytes += chunk.length;
    });
    request.once('end', () => {
      resolve(Buffer.concat(chunks).toString());
    });
    request.once('close', () => {
      resolve(undefined);
    });
  });
}

function rejectUnparsable(
  { hostError: refuse }: HostedMock,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = PARSE_ERROR_STATUS[error.code ?? ''] ?? 400;
  const { headers, body } = refuse(status);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const statusLine = `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`;
  socket.end([statusLine, ...lines, 'connection: close', '', body].join('\r\n'));
}

const PARSE_ERROR_STATUS: Readonly<Record<string, HostErrorStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** RFC 9112 section 3.2: in HTTP/1.1 such a request is refused. */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

/** What to put into a URL: an address that stands for every interface can't be connected to everywhere. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
