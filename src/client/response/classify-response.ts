import { parseJson } from '../../schema/json.js';
import { isNestedTooDeeply, TOO_DEEP } from '../../schema/json-scanner.js';
import type { Redactor } from '../../security/redact-secret.js';
import type { TransportResponse } from '../transport/transport.js';
import { redact } from './redaction.js';
import { decodeUtf8, excerpt } from './response-text.js';

/** An operation of the API: its request, and the validation of its response. */
export interface Operation<T> {
  /** The specification's name of the operation, such as `listPets`. For events. */
  name: string;
  method: string;
  /** Path and query, including the prefix of the base URL. */
  path: string;
  /** The JSON body. */
  body?: string | undefined;
  /** What an unknown outcome of a write means, for its error. */
  unknownOutcome?: string;
  /**
   * Validates the parsed body of a successful response, `undefined` if it is empty. Returns `undefined` if it is
   * invalid.
   */
  validate(body: unknown): { data: T } | undefined;
  /** Describes the problem of a body that `validate` rejected. */
  explain(body: unknown): Promise<string>;
  /** Validates the data with a schema of the caller, which may take long. */
  refine?(data: T): Promise<{ data: T } | { problem: string }>;
}

/** The class of a response. */
export type ResponseClass<T> =
  | { kind: 'success'; data: T }
  /** A success status with an invalid body. `isTruncated`: the body ended early, so a retry may succeed. */
  | { kind: 'invalid'; problem: string | (() => Promise<string>); isTruncated: boolean }
  | { kind: 'redirect'; location: string | undefined }
  /** Status 429. */
  | { kind: 'rate-limited' }
  /** Any other status outside 2xx. */
  | { kind: 'error' };

/** Classifies a response. `problem` is a function if describing it takes long. */
export function classifyResponse<T>(response: TransportResponse, operation: Operation<T>): ResponseClass<T> {
  const { status, headers } = response;
  if (status === 429) return { kind: 'rate-limited' };
  if (status >= 300 && status < 400 && status !== 304)
    return { kind: 'redirect', location: headers.location };
  if (status < 200 || status >= 300) return { kind: 'error' };
  if (response.end === 'too-large')
    return { kind: 'invalid', problem: 'the body is larger than allowed', isTruncated: false };
  if (response.end === 'truncated')
    return { kind: 'invalid', problem: 'the body is truncated', isTruncated: true };
  if (response.end === 'undecodable') {
    return { kind: 'invalid', problem: 'the body is not valid in its Content-Encoding', isTruncated: false };
  }
  const parsed = parseBody(response.body);
  if ('problem' in parsed) return { kind: 'invalid', problem: parsed.problem, isTruncated: false };
  const { body } = parsed;
  const valid = operation.validate(body);
  if (valid !== undefined) return { kind: 'success', data: valid.data };
  return { kind: 'invalid', problem: () => operation.explain(body), isTruncated: false };
}

/** Parses the body of an error response. Returns `undefined` if it is missing or invalid. */
export function parseErrorBody(response: TransportResponse): unknown {
  if (response.end !== 'complete') return undefined;
  const parsed = parseBody(response.body);
  return 'body' in parsed ? parsed.body : undefined;
}

/** Limits the work of redaction. Much longer than an excerpt, so that a key at its end is complete. */
export const REDACTED_MAX = 64 * 1024;

/** Returns the beginning of a body as text. Returns `undefined` if the body is empty or incomplete. */
export function bodyText({ body, end }: TransportResponse): string | undefined {
  return end === 'complete' && body.byteLength > 0 ? decodeText(body).slice(0, REDACTED_MAX) : undefined;
}

const EXCERPT_MAX = 200;
/** Limits the work for a body of mostly white space. */
const EXCERPT_INPUT_MAX = 4 * EXCERPT_MAX;

/** Returns the first characters of a body, on one line, redacted and safe to print. */
export function bodyExcerpt(
  { body, end }: Pick<TransportResponse, 'body' | 'end'>,
  redactor: Redactor,
): string {
  const isCut = end !== 'complete';
  const received = new TextDecoder().decode(body, { stream: isCut });
  // Half a key is a leak too.
  const whole = isCut ? redactor.withoutCutSecret(received) : received;
  const start = redact(whole.trimStart().slice(0, REDACTED_MAX), redactor);
  const text = start.trimStart().slice(0, EXCERPT_INPUT_MAX).replace(/\s+/g, ' ').trim();
  return excerpt(text, EXCERPT_MAX);
}

/** Parses a body. The body is `undefined` if it is empty. */
function parseBody(bytes: Uint8Array): { body: unknown } | { problem: string } {
  if (bytes.byteLength === 0) return { body: undefined };
  const text = decodeUtf8(bytes);
  if (text === undefined) return { problem: 'the body is not UTF-8' };
  if (isNestedTooDeeply(text)) return { problem: `the body is ${TOO_DEEP}` };
  try {
    return { body: parseJson(text) };
  } catch {
    return { problem: 'the body is not JSON' };
  }
}

/** Decodes UTF-8, without a byte order mark. Replaces invalid bytes. */
function decodeText(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}
