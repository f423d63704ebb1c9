import type { ErrorResponse } from '../../error-fields.js';
import { type RateLimitValues, toRateLimit } from '../../schema/rate-limit.js';
import type { Redactor } from '../../security/redact-secret.js';
import type { TransportResponse } from '../transport/transport.js';
import { bodyText, parseErrorBody } from './classify-response.js';
import { redactHeaders, redactValue, withoutCredentials } from './redaction.js';
import { readRequestId } from './response-headers.js';

/** A response with the rate limit of its headers, if it has them. */
export interface ReceivedResponse extends TransportResponse {
  rateLimit?: RateLimitValues | undefined;
}

/** Describes a response for `withResponse()`. */
export function responseInfo(response: ReceivedResponse, redactor: Redactor): Omit<ErrorResponse, 'body'> {
  const { status, rateLimit } = response;
  const headers = redactHeaders(response.headers, redactor);
  const requestId = readRequestId(headers);
  return {
    status,
    headers,
    ...(requestId === undefined ? {} : { requestId }),
    ...(rateLimit === undefined ? {} : { rateLimit: toRateLimit(rateLimit) }),
  };
}

/** Describes a response for an error. */
export function errorResponse(response: ReceivedResponse, redactor: Redactor): ErrorResponse {
  const info = responseInfo(response, redactor);
  let read: { body: unknown } | undefined;
  const described = {
    ...info,
    headers: withoutCredentials(info.headers),
    // A large body takes long to redact, and most callers never read it.
    get body() {
      read ??= { body: redactValue(parseErrorBody(response) ?? bodyText(response), redactor) };
      return read.body;
    },
  };
  return Object.defineProperty(described, 'toJSON', {
    value: () => ({ ...described, body: withBigintsAsText(described.body) }),
  });
}

/** Lets `JSON.stringify` write each bigint as text, where it would throw. `stringifyJson` still writes an integer. */
function withBigintsAsText(value: unknown): unknown {
  if (typeof value === 'bigint') return Object.assign(Object(value), { toJSON: () => String(value) });
  if (Array.isArray(value)) return value.map(withBigintsAsText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withBigintsAsText(each)]));
}
