import { parseJson } from '../../src/schema/json.js';
import type { Mock, MockRequest, MockResponse } from '../../src/mock/index.js';

/** 21 November 2026, 10:00:30 UTC: in the middle of a minute. */
export const NOON = Date.UTC(2026, 10, 21, 10, 0, 30);

/** A base clock that does not move; `advance` still works. */
export const frozenClock = { now: () => NOON };

interface RequestParts {
  key?: string | undefined;
  headers?: Record<string, string>;
  /** A string is sent unchanged, other values as JSON. */
  body?: unknown;
}

/** Creates a request with the default key. The path is below `/v1` unless it starts with `/v1/`. */
export function requestOf(method: string, path: string, parts: RequestParts = {}): MockRequest {
  const { key = 'mock-key', headers = {}, body } = parts;
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

/** Sends a request. Throws if a fault prevents the response. */
export function sendRequest(
  mock: Mock,
  method: string,
  path: string,
  parts?: RequestParts,
): MockResponse & { json: unknown } {
  const outcome = mock.handle(requestOf(method, path, parts));
  if (outcome.kind !== 'response') throw new Error(`Expected a response, not ${outcome.kind}`);
  const { response } = outcome;
  return { ...response, json: response.body === '' ? undefined : parseJson(response.body) };
}
