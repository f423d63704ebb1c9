import { parseJson } from '../../src/schema/json.js';
import type { Mock, MockRequest, MockResponse } from '../../src/mock/index.js';

/** The 21st of November 2026, 10:00:30 UTC: half a minute into a minute. */
export const NOON = Date.UTC(2026, 10, 21, 10, 0, 30);

/** A clock that stands still, but for `advance`. */
export const frozenClock = { now: () => NOON };

interface RequestParts {
  key?: string | undefined;
  headers?: Record<string, string>;
  /** A text goes as it is, all else as JSON. */
  body?: unknown;
}

/** A request with the default key, to a path below `/v1` unless it names a prefix itself. */
export function requestOf(method: string, path: string, asking: RequestParts = {}): MockRequest {
  const { key = 'mock-key', headers = {}, body } = asking;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method,
    url: path.startsWith('/v1/') || path.startsWith('http') ? path : `/v1${path}`,
    headers: {
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  };
}

/** Asks and takes nothing but an answer. */
export function sendRequest(
  mock: Mock,
  method: string,
  path: string,
  asking?: RequestParts,
): MockResponse & { json: unknown } {
  const outcome = mock.handle(requestOf(method, path, asking));
  if (outcome.kind !== 'response') throw new Error(`expected an answer, not ${outcome.kind}`);
  const { response } = outcome;
  return { ...response, json: response.body === '' ? undefined : parseJson(response.body) };
}
