import { listMethods, type MockOutcome, type MockRequest } from '../service/message.js';
import { METHODS } from '../service/openapi.js';

/** Lets a page of any origin read the response. The wildcard covers neither `Authorization` nor requests with cookies. */
const SHARED = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Deprecation, Sunset, Link, *',
};

/** Further headers of the response to a preflight request. */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': listMethods(Object.values(METHODS).flat()),
  'access-control-allow-headers': 'Authorization, Content-Type, *',
  'access-control-max-age': '600',
};

/** Whether a browser asks if a page of another origin may send a request (Fetch Standard, "CORS-preflight request"). */
export function isPreflight({ method, headers }: MockRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

/** Adds the headers to the response to a page. A recording may have its own. */
export function shareWithPages({ headers: { origin } }: MockRequest, outcome: MockOutcome): void {
  if (origin === undefined || outcome.kind === 'reset') return;
  const { response } = outcome;
  outcome.response = { ...response, headers: { ...SHARED, ...response.headers } };
}
