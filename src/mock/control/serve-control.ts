import type { IncomingMessage, ServerResponse } from 'node:http';
import { stringifyJson } from '../../schema/json.js';
import type { Mock } from '../mock.js';
import { CONTROL_PATH, type MockRequest, type MockResponse } from '../service/message.js';
import { checkQuery, whyForbidden } from './check-call.js';
import { handleControlRequest, problem } from './control.js';
import { EVENT_PARAMETERS } from './openapi.js';
import { ControlError, selectedKey } from './operation.js';

const EVENTS_PATH = `${CONTROL_PATH}/events`;
const AUTHORITY_PATH = `${CONTROL_PATH}/ca.pem`;

/** What the control API needs of a mock behind an HTTP server. */
export interface ControlledHost {
  mock: Mock;
  /** Whether the page at `/__mock/` is served. */
  ui: boolean;
  /** The certificate of the authority of the web servers, in PEM, if they are open. */
  authority(): string | undefined;
}

/** Serves one request to the control API over `node:http`. Rejects only if the mock fails. */
export async function serveControl(
  { mock, ui, authority }: ControlledHost,
  request: MockRequest,
  { socket }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const disconnected = new AbortController();
  response.once('close', () => {
    disconnected.abort();
  });
  const [path] = request.url.split('?', 1);
  if (request.method === 'GET' && path === EVENTS_PATH) {
    streamEvents(mock, request, socket.remoteAddress, response);
    return;
  }
  if (isRead(request.method) && path === AUTHORITY_PATH) {
    const { body, ...head } = authorityResponse(mock, authority(), request, socket.remoteAddress);
    write(response, { ...head, body: request.method === 'HEAD' ? '' : body });
    return;
  }
  const result = isPageRequest(request)
    ? await respondWithPage(mock, request, socket.remoteAddress, ui)
    : await handleControlRequest(mock, request, socket.remoteAddress, disconnected.signal);
  if (!disconnected.signal.aborted) write(response, result);
}

/** Whether a request is for the page in the browser: `/__mock/`, also without the last slash. */
function isPageRequest({ method, url }: MockRequest): boolean {
  const [path] = url.split('?', 1);
  return (method === 'GET' || method === 'HEAD') && (path === CONTROL_PATH || path === `${CONTROL_PATH}/`);
}

/**
 * Returns the page. It is one file, and may connect to its own origin only.
 *
 * @param peer IP address of the client.
 * @param hasPage whether the page is turned on.
 */
async function respondWithPage(
  mock: Mock,
  { method, url, headers }: MockRequest,
  peer: string | undefined,
  hasPage: boolean,
): Promise<MockResponse> {
  const forbidden = whyForbidden(headers, peer);
  if (forbidden !== undefined) return problem(mock, 403, 'forbidden', forbidden);
  if (!hasPage)
    return problem(mock, 404, 'no_page', `The page is turned off; see ${CONTROL_PATH}/openapi.json`);
  if (!url.startsWith(`${CONTROL_PATH}/`)) {
    return { status: 308, headers: { location: `${CONTROL_PATH}/`, 'content-length': '0' }, body: '' };
  }
  // Loaded on demand: most mocks are never opened in a browser.
  const { html, contentSecurityPolicy } = await import('../ui/page.html');
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(Buffer.byteLength(html)),
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-mock-instance': mock.instance,
    },
    body: method === 'HEAD' ? '' : html,
  };
}

/** The certificate of the authority of the web servers, for --ca and curl. */
function authorityResponse(
  mock: Mock,
  authority: string | undefined,
  { headers, url }: MockRequest,
  peer: string | undefined,
): MockResponse {
  const forbidden = whyForbidden(headers, peer);
  if (forbidden !== undefined) return problem(mock, 403, 'forbidden', forbidden);
  try {
    checkQuery(new URLSearchParams(url.split('?')[1]), {});
  } catch (error) {
    return problemOf(mock, error);
  }
  if (authority === undefined)
    return problem(mock, 404, 'no_web_servers', 'The mock has no web servers; start it with --dns-port');
  const type = { 'content-type': 'application/x-pem-file', 'cache-control': 'no-store' };
  return { status: 200, headers: { ...type, 'x-mock-instance': mock.instance }, body: authority };
}

/** Writes server-sent events until the client disconnects. */
function streamEvents(
  mock: Mock,
  { headers, url }: MockRequest,
  peer: string | undefined,
  response: ServerResponse,
): void {
  const forbidden = whyForbidden(headers, peer);
  if (forbidden !== undefined) {
    write(response, problem(mock, 403, 'forbidden', forbidden));
    return;
  }
  const query = new URLSearchParams(url.slice(EVENTS_PATH.length));
  const ownKey = query.get('key');
  let key: string | undefined;
  try {
    checkQuery(query, { query: EVENT_PARAMETERS });
    key = selectedKey(
      mock,
      ownKey === null ? headers.authorization : `Bearer ${ownKey}`,
      query.get('tenant'),
    );
  } catch (error) {
    write(response, problemOf(mock, error));
    return;
  }
  const tenant = key === undefined ? undefined : mock.forKey(key).number;
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-mock-instance': mock.instance,
  });
  const send = (type: string, data: unknown, id?: number): void => {
    const idLine = id === undefined ? '' : `id: ${String(id)}\n`;
    response.write(`${idLine}event: ${type}\ndata: ${stringifyJson(data)}\n\n`);
  };
  send('state', { changed: 'connected', state: mock.state() });
  const unsubscribe = mock.subscribe((event) => {
    // A client that does not read must not fill the memory: it misses events, and sees a gap in the ids.
    if (response.writableLength > BUFFER_BYTES_MAX) return;
    if (event.type === 'request') {
      const { type, ...data } = event;
      if (tenant === undefined || event.entry.tenant === tenant) send(type, data, event.entry.sequence);
    } else if (tenant === undefined || event.tenant === undefined || event.tenant === tenant) {
      send('state', { changed: event.changed, tenant: event.tenant, state: mock.state() });
    }
  });
  response.once('close', unsubscribe);
}

/** @throws the error if it is not one of the control API. */
function problemOf(mock: Mock, error: unknown): MockResponse {
  if (!(error instanceof ControlError)) throw error;
  return problem(mock, error.status, error.code, error.message);
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

const BUFFER_BYTES_MAX = 4_194_304;

function write(response: ServerResponse, { status, headers, body }: MockResponse): void {
  response.writeHead(status, headers as Record<string, string>);
  response.end(body);
}
