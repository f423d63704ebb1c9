import { stringifyJson } from '../../schema/json.js';
import {
  BODY_BYTES_MAX,
  CONTROL_PATH,
  listMethods,
  type MockRequest,
  type MockResponse,
} from '../service/message.js';
import {
  checkQuery,
  ControlError,
  readBody,
  selectedKey,
  TextResponse,
  whyForbidden,
  type ControlCall,
  type ControlledHost,
  type EventStream,
  type Operation,
} from './operation.js';
import { OPERATIONS } from './operations.js';

/**
 * Handles a request to the control API, through which tests in any language control the mock. It needs no key, has no
 * limits and no faults, and is not in the journal.
 *
 * @param peer IP address of the client.
 * @param signal ends a wait for requests.
 * @returns a response, or a function that writes a stream. Rejects only if the mock fails.
 */
export async function handleControlRequest(
  host: ControlledHost,
  request: MockRequest,
  peer: string | undefined,
  signal: AbortSignal,
): Promise<MockResponse | EventStream> {
  const respond = (status: number, text: string, headers: MockResponse['headers'] = {}): MockResponse => ({
    status,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'cache-control': 'no-store',
      'x-mock-instance': host.mock.instance,
      ...headers,
    },
    body: request.method === 'HEAD' ? '' : text,
  });
  try {
    const forbidden = whyForbidden(request.headers, peer, host.controlHost);
    if (forbidden !== undefined) throw new ControlError(403, 'forbidden', forbidden);
    const call = readCall(host, request, signal);
    const { run, status = 200 } = call.operation;
    const result = await run(call);
    if (result instanceof TextResponse) return respond(status, result.text, result.headers);
    // A line break, for people who use curl.
    if (typeof result !== 'function') return respond(status, `${stringifyJson(result)}\n`);
    return request.method === 'HEAD' ? respond(status, '') : (result as EventStream);
  } catch (error) {
    if (!(error instanceof ControlError || error instanceof TypeError)) throw error;
    const problem =
      error instanceof ControlError ? error : new ControlError(400, 'bad_request', error.message);
    const { status, code, message, details, headers } = problem;
    return respond(status, `${stringifyJson({ code, message, status, ...details })}\n`, headers);
  }
}

/** @throws ControlError if the request is invalid. */
function readCall(
  host: ControlledHost,
  request: MockRequest,
  signal: AbortSignal,
): ControlCall & { operation: Operation } {
  const { mock } = host;
  const { url, headers, body = '', isBodyMalformed } = request;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const [path = '', search = ''] = url.slice(CONTROL_PATH.length).split('?', 2);
  const { operation, parameter } = findOperation(method, path);
  if (Buffer.byteLength(body) > BODY_BYTES_MAX)
    throw new ControlError(413, 'body_too_large', `The body is larger than ${String(BODY_BYTES_MAX)} bytes`);
  if (isBodyMalformed === true) throw new ControlError(400, 'bad_request', 'The body is not UTF-8');
  const query = new URLSearchParams(search);
  checkQuery(query, operation);
  const key = selectedKey(mock, headers.authorization, query.get('tenant'));
  return {
    host,
    mock,
    operation,
    parameter,
    query,
    signal,
    world: key === undefined ? mock : mock.forKey(key),
    ...(key === undefined ? {} : { key }),
    body: method === 'GET' ? {} : readBody(body, operation),
  };
}

/** @throws ControlError if the path or its method is unknown. */
function findOperation(method: string, path: string): { operation: Operation; parameter: string } {
  const [, group = '', parameter] = /^(\/[^/]*)(?:\/([^/]+))?$/.exec(path === '' ? '/' : path) ?? [];
  const pattern = parameter === undefined ? group : `${group}/{id}`;
  // No name of Object.prototype has a space.
  const operation = OPERATIONS[`${method} ${pattern}`];
  if (operation !== undefined) return { operation, parameter: parameter ?? '' };
  const methods = Object.keys(OPERATIONS)
    .filter((name) => name.endsWith(` ${pattern}`))
    .map((name) => name.replace(/ .*/, ''));
  if (methods.length === 0)
    throw new ControlError(404, 'no_such_route', `Unknown path; see ${CONTROL_PATH}/openapi.json`);
  const allow = listMethods(methods);
  const message = `Method ${method} is not allowed for ${path}`;
  throw new ControlError(405, 'method_not_allowed', message, { headers: { allow } });
}
