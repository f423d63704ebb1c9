import type { LimitState } from './limits.js';
import type { MockRequest } from './message.js';
import { createRing, type Ring } from './ring.js';

/** A request in the journal of the mock. */
export interface JournalEntry {
  /** 1 for the first request since the start or the last reset. */
  sequence: number;
  /** Time of the request, by the mock's clock. */
  at: Date;
  method: string;
  /** Path and query as sent, such as `/v1/pets?limit=5` (RFC 9112, section 3.2.1). */
  target: string;
  /** Path below `/v1`, such as `/pets`. The whole path if it does not start with `/v1`. */
  path: string;
  /** Query as sent, without the `?`. Empty without a query. */
  query: string;
  /** As sent. Secret values are redacted. */
  headers: Readonly<Record<string, string>>;
  /** The first 16,384 characters. */
  body?: string;
  /** Number of the key, 1 for the first. Absent without a valid key, and for `/openapi.json`. The key itself is not stored. */
  tenant?: number;
  /** Status of the response. Absent if the connection closed without a response. */
  status?: number;
  /** Set if the connection closed before the response was sent: the client did not receive `status`. */
  aborted?: true;
  /** The fault that was applied. */
  fault?: string;
  /** `Retry-After` of a 429 response, in seconds, 0 or more. Absent if its value can't be read. */
  retryAfterSeconds?: number;
}

/** A recorded request, before redaction. */
export interface JournalRecord extends Omit<
  JournalEntry,
  'sequence' | 'at' | 'headers' | 'body' | 'method' | 'target'
> {
  /** Milliseconds since the epoch. */
  at: number;
  request: MockRequest;
  /** The windows behind a 429 response. */
  limits?: LimitState;
}

/** The last requests, up to a maximum. */
export type Journal = Ring<JournalRecord, JournalEntry>;

const BODY_CHARACTERS_MAX = 16_384;
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
]);

/** @throws TypeError if the maximum is not a positive whole number. */
export function createJournal(entriesMax: number): Journal {
  return createRing(entriesMax, entryOf, {
    toStored: (record, last) => withShortBody(last === undefined ? record : sharingWith(last, record)),
  });
}

/**
 * Uses the objects of the request before where a request repeats it, as most do. A journal of objects that live long
 * costs a tenth of the throughput in garbage collection.
 */
function sharingWith(last: JournalRecord, record: JournalRecord): JournalRecord {
  const { request } = record;
  if (!haveSameEntries(last.request.headers, request.headers)) return record;
  const { headers } = last.request;
  const isRepeated =
    request.body === undefined &&
    last.request.body === undefined &&
    request.method === last.request.method &&
    request.url === last.request.url;
  if (!isRepeated) return { ...record, request: { ...request, headers } };
  return { ...record, request: last.request, path: last.path, query: last.query };
}

function haveSameEntries(
  left: Readonly<Record<string, string>>,
  right: Readonly<Record<string, string>>,
): boolean {
  let difference = 0;
  for (const name in left) {
    if (left[name] !== right[name]) return false;
    difference += 1;
  }
  for (const _ in right) difference -= 1;
  return difference === 0;
}

function withShortBody(record: JournalRecord): JournalRecord {
  const { body } = record.request;
  if (body === undefined || body.length <= BODY_CHARACTERS_MAX) return record;
  // A plain slice would keep the whole body in memory.
  const bytes = new TextEncoder().encode(body.slice(0, BODY_CHARACTERS_MAX));
  const short = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { ...record, request: { ...record.request, body: short } };
}

/** Redacts on reading, because most entries are never read. */
function entryOf(
  sequence: number,
  { request, at, path, query, limits: _limits, ...rest }: JournalRecord,
): JournalEntry {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = SECRET_HEADERS.has(name.toLowerCase()) ? redacted(value) : value;
  }
  const { body } = request;
  return {
    sequence,
    at: new Date(at),
    method: request.method,
    target: originForm(request.url),
    path,
    query,
    headers,
    ...(body === undefined ? {} : { body }),
    ...rest,
  };
}

/** Removes scheme, credentials and host of an absolute URL. */
function originForm(url: string): string {
  return url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/');
}

/** Keeps the scheme, so that tests can check it. */
function redacted(value: string): string {
  return /^(?:bearer|basic) /i.test(value) ? value.replace(/ .*$/s, ' [redacted]') : '[redacted]';
}
