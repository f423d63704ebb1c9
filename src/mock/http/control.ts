import { parseJson, stringifyJson } from '../../schema/json.js';
import type { Fault } from '../service/fault.js';
import type { Mock } from '../mock.js';
import { errorJson, type MockRequest, type MockResponse } from '../service/message.js';

const PREFIX = '/__mock';

/** Whether a request is for the control API. */
export function isControlRequest(url: string): boolean {
  return url === PREFIX || url.startsWith(`${PREFIX}/`);
}

/**
 * Handles a request to the control API, through which tests in any language control the mock. It needs no key, has no
 * limits and no faults, and is not in the journal. It is open to loopback clients only.
 *
 * Checks `Host` and `Origin` too, against web pages in a browser on this machine: a page can use DNS rebinding.
 *
 * @param peer IP address of the client.
 */
export function handleControlRequest(
  mock: Mock,
  request: MockRequest,
  peer: string | undefined,
): MockResponse {
  const { host = '', origin } = request.headers;
  if (!isLoopbackAddress(peer ?? ''))
    return problem(mock, 403, 'forbidden', 'The control API is open to this machine only');
  if (!isLoopbackHost(host))
    return problem(mock, 403, 'forbidden', 'The header Host is not a loopback address');
  if (origin !== undefined && origin !== `http://${host}`) {
    return problem(mock, 403, 'forbidden', 'The header Origin names another origin');
  }
  const path = (request.url.split('?')[0] ?? '').slice(PREFIX.length);
  const actions = ACTIONS[path];
  if (!Object.hasOwn(ACTIONS, path) || actions === undefined) {
    return problem(
      mock,
      404,
      'no_such_route',
      `Unknown path; ${PREFIX} has ${Object.keys(ACTIONS).join(', ')}`,
    );
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const action = Object.hasOwn(actions, method) ? actions[method] : undefined;
  if (action === undefined) {
    const allow = Object.keys(actions)
      .map((name) => (name === 'GET' ? 'GET, HEAD' : name))
      .join(', ');
    return problem(mock, 405, 'method_not_allowed', `Method ${method} is not allowed for ${path}`, { allow });
  }
  try {
    const result = action(mock, method === 'GET' ? undefined : readBody(request.body ?? ''));
    const response = json(mock, 200, stringifyJson(result));
    return request.method === 'HEAD' ? { ...response, body: '' } : response;
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) {
      return problem(mock, 400, 'bad_request', error.message);
    }
    throw error;
  }
}

type Action = (mock: Mock, body: unknown) => unknown;

const ACTIONS: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  '/health': { GET: ({ instance }) => ({ status: 'ok', instance }) },
  '/state': { GET: (mock) => mock.state() },
  '/journal': {
    GET: (mock) => ({ entries: mock.journal, dropped: mock.state().journal.dropped }),
  },
  '/reset': {
    POST: (mock) => {
      mock.reset();
      return mock.state();
    },
  },
  '/clock': {
    POST: (mock, body) => {
      const { advance } = recordOf(body);
      if (typeof advance !== 'string' && typeof advance !== 'number') {
        throw new TypeError(
          'The body needs "advance", such as {"advance":"60s"} or {"advance":"until-reset"}',
        );
      }
      return { now: mock.advance(advance) };
    },
  },
  '/faults': {
    GET: (mock) => ({ faults: mock.state().faults }),
    POST: (mock, body) => {
      const { faults } = recordOf(body);
      if (!Array.isArray(faults))
        throw new TypeError('The body needs a list "faults", such as {"faults":["flaky"]}');
      // setFaults() validates them.
      mock.setFaults(faults as (Fault | string)[]);
      return { faults: mock.state().faults };
    },
  },
};

function readBody(body: string): unknown {
  return body.trim() === '' ? {} : parseJson(body);
}

function recordOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  throw new TypeError('The body is not a JSON object');
}

function problem(
  mock: Mock,
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): MockResponse {
  return json(mock, status, errorJson(status, code, message), headers);
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

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
}

function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i.test(host);
}
