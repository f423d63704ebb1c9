import { stringifyJson } from '../../schema/json.js';
import type { Mock } from '../world/mock.js';
import {
  BODY_BYTES_MAX,
  CONTROL_PATH,
  errorJson,
  listMethods,
  type MockRequest,
  type MockResponse,
} from '../service/message.js';
import {
  checkQuery,
  readBody,
  ControlError,
  selectedKey,
  type ControlCall,
  type Operation,
} from './operation.js';
import { OPERATIONS } from './operations.js';

/**
 * Handles a request to the control API, through which tests in any language control the mock. It needs no key, has no
 * limits and no faults, and is not in the journal.
 *
 * @param signal ends a wait for requests.
 */
export async function handleControlRequest(
  mock: Mock,
  request: MockRequest,
  signal?: AbortSignal,
): Promise<MockResponse> {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const [path = '', query = ''] = request.url.slice(CONTROL_PATH.length).split('?', 2);
  const found = findOperation(method, path);
  if (found.operation === undefined) {
    if (found.allowed.length === 0)
      return problem(mock, 404, 'no_such_route', `Unknown path; see ${CONTROL_PATH}/openapi.json`);
    return problem(mock, 405, 'method_not_allowed', `Method ${method} is not allowed for ${path}`, {
      allow: listMethods(found.allowed),
    });
  }
  try {
    const { operation, parameter } = found;
    const call = readCall(mock, request, { operation, method, query, parameter, signal });
    const result = await operation.run(call);
    const response = json(mock, operation.status ?? 200, stringifyJson(result));
    return request.method === 'HEAD' ? { ...response, body: '' } : response;
  } catch (error) {
    if (error instanceof ControlError)
      return problem(mock, error.status, error.code, error.message, {}, error.details);
    if (error instanceof TypeError) return problem(mock, 400, 'bad_request', error.message);
    throw error;
  }
}

function readCall(
  mock: Mock,
  { headers, body = '', isBodyMalformed }: MockRequest,
  parts: {
    operation: Operation;
    method: string;
    query: string;
    parameter: string;
    signal: AbortSignal | undefined;
  },
): ControlCall {
  if (Buffer.byteLength(body) > BODY_BYTES_MAX)
    throw new ControlError(413, 'body_too_large', `The body is larger than ${String(BODY_BYTES_MAX)} bytes`);
  if (isBodyMalformed === true) throw new ControlError(400, 'bad_request', 'The body is not UTF-8');
  const query = new URLSearchParams(parts.query);
  checkQuery(query, parts.operation);
  const key = selectedKey(mock, headers.authorization, query.get('tenant'));
  return {
    mock,
    world: key === undefined ? mock : mock.forKey(key),
    ...(key === undefined ? {} : { key }),
    parameter: parts.parameter,
    query,
    body: parts.method === 'GET' ? {} : readBody(body, parts.operation),
    signal: parts.signal,
  };
}

interface FoundOperation {
  operation: Operation | undefined;
  parameter: string;
  /** The methods of the path. */
  allowed: readonly string[];
}

function findOperation(method: string, path: string): FoundOperation {
  const [, group = '', parameter] = /^(\/[^/]*)(?:\/([^/]+))?$/.exec(path) ?? [];
  const pattern = parameter === undefined ? group : `${group}/{id}`;
  const methods = Object.hasOwn(OPERATIONS, pattern) ? OPERATIONS[pattern] : undefined;
  if (methods === undefined) return { operation: undefined, parameter: '', allowed: [] };
  return {
    operation: Object.hasOwn(methods, method) ? methods[method] : undefined,
    parameter: parameter ?? '',
    allowed: Object.keys(methods),
  };
}

/** A response with an error of the control API. */
export function problem(
  mock: Mock,
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  details?: object,
): MockResponse {
  const body =
    details === undefined
      ? errorJson(status, code, message)
      : stringifyJson({ code, message, status, ...details });
  return json(mock, status, body, headers);
}

function json(
  { instance }: Mock,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): MockResponse {
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      'x-mock-instance': instance,
      ...headers,
    },
    body,
  };
}
