import type { IncomingMessage, ServerResponse } from 'node:http';
import { stringifyJson } from '../../schema/json.js';
import type { Mock } from '../world/mock.js';
import { CONTROL_PATH, type MockRequest, type MockResponse } from '../service/message.js';
import { checkQuery, whyForbidden, ControlError, selectedKey } from './operation.js';
import { handleControlRequest, problem } from './control.js';
import { EVENT_PARAMETERS } from './openapi.js';

const EVENTS_PATH = `${CONTROL_PATH}/events`;
const AUTHORITY_PATH = `${CONTROL_PATH}/ca.pem`;

/** What the control API needs of a mock behind an HTTP server. */
export interface ControlledHost {
  mock: Mock;
  /** Whether the page at `/__mock/` is served. */
  ui: boolean;
  /** See `ListenOptions.controlHost`. */
  controlHost: string | undefined;
  /** The certificate of the authority of the web servers, in PEM, if they are open. */
  authority(): string | undefined;
}

/** Serves one request to the control API over `node:http`. Rejects only if the mock fails. */
export async function serveControl(
  host: ControlledHost,
  request: MockRequest,
  { socket }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { mock } = host;
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  const forbidden = whyForbidden(request.headers, socket.remoteAddress, host.controlHost);
  try {
    if (forbidden !== undefined) throw new ControlError(403, 'forbidden', forbidden);
    const [path] = request.url.split('?', 1);
    if (request.method === 'GET' && path === EVENTS_PATH) {
      streamEvents(mock, request, response);
      return;
    }
    const result = await respond(host, request, path, disconnected.signal);
    if (!disconnected.signal.aborted) write(response, result);
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    write(response, problem(mock, error.status, error.code, error.message));
  }
}

async function respond(
  { mock, ui, authority }: ControlledHost,
  request: MockRequest,
  path: string | undefined,
  signal: AbortSignal,
): Promise<MockResponse> {
  if (isRead(request.method) && path === AUTHORITY_PATH) return authorityResponse(mock, authority(), request);
  if (isRead(request.method) && (path === CONTROL_PATH || path === `${CONTROL_PATH}/`))
    return pageResponse(mock, request, ui);
  return handleControlRequest(mock, request, signal);
}

/**
 * Returns the page. It is one file, and may connect to its own origin only.
 *
 * @param hasPage whether the page is turned on.
 */
async function pageResponse(
  mock: Mock,
  { method, url }: MockRequest,
  hasPage: boolean,
): Promise<MockResponse> {
  if (!hasPage)
    throw new ControlError(404, 'no_page', `The page is turned off; see ${CONTROL_PATH}/openapi.json`);
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
  { method, url }: MockRequest,
): MockResponse {
  checkQuery(new URLSearchParams(url.split('?')[1]), {});
  if (authority === undefined)
    throw new ControlError(404, 'no_web_servers', 'The mock has no web servers; start it with --dns-port');
  const type = { 'content-type': 'application/x-pem-file', 'cache-control': 'no-store' };
  return {
    status: 200,
    headers: { ...type, 'x-mock-instance': mock.instance },
    body: method === 'HEAD' ? '' : authority,
  };
}

/** Writes server-sent events until the client disconnects. */
function streamEvents(mock: Mock, { headers, url }: MockRequest, response: ServerResponse): void {
  const query = new URLSearchParams(url.slice(EVENTS_PATH.length));
  checkQuery(query, { query: EVENT_PARAMETERS });
  const ownKey = query.get('key');
  const authorization = ownKey === null ? headers.authorization : `Bearer ${ownKey}`;
  const key = selectedKey(mock, authorization, query.get('tenant'));
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

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

const BUFFER_BYTES_MAX = 4_194_304;

function write(response: ServerResponse, { status, headers, body }: MockResponse): void {
  response.writeHead(status, headers as Record<string, string>);
  response.end(body);
}
