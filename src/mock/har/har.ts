import type { MockResponse } from '../service/message.js';

/** Replaces secret values in a recording. In a recorded request, it matches every value. */
export const REDACTED = '[redacted]';

/** Why an entry can't be replayed. Complete the sentence "log.entries[3] can't be replayed: …". */
export type LeftOutReason =
  | 'not HTTP'
  | 'no final status'
  | 'no recorded body'
  | 'no recorded request body'
  | 'body in another file'
  | 'malformed body'
  | 'malformed header';

/** A recorded request and its response. */
export interface RecordedExchange {
  /** Where the entry is in the file, such as `log.entries[3]`. */
  place: string;
  method: string;
  /** Decoded, from `/v1` on if it contains that. */
  path: string;
  /** Encoded, without the `?`. */
  query: string;
  /** Empty without a body. */
  body: string;
  /** `undefined` if the service closed the connection without a response. A text if the entry can't be replayed. */
  response: MockResponse | LeftOutReason | undefined;
}

/** These headers describe one connection or one encoding of the body (RFC 9110, section 7.6.1). */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Browsers write 0 for a request without a response, and Playwright writes -1. */
const NO_RESPONSE: readonly unknown[] = [0, -1];

/**
 * Reads the entries of a HAR 1.2 archive. Browsers record all that a page loads, so an entry that can't be replayed is
 * no error.
 *
 * @throws TypeError that names the place of an error.
 */
export function readHar(har: unknown): RecordedExchange[] {
  const log = recordAt(recordAt(har, 'The HAR archive').log, 'log');
  return listAt(log.entries, 'log.entries').map((entry, index) =>
    readEntry(entry, `log.entries[${String(index)}]`),
  );
}

function readEntry(value: unknown, place: string): RecordedExchange {
  const entry = recordAt(value, place);
  const request = recordAt(entry.request, `${place}.request`);
  const url = textAt(request.url, `${place}.request.url`);
  if (!URL.canParse(url)) throw new TypeError(`${place}.request.url is not a URL`);
  const { protocol, pathname, search } = new URL(url);
  const method = textAt(request.method, `${place}.request.method`);
  const body = readRequestBody(request, `${place}.request.postData`);
  const response = readResponse(entry.response, method, `${place}.response`);
  return {
    place,
    method,
    path: comparablePath(pathname),
    query: search.slice(1),
    // An unknown body can be any.
    body: body ?? REDACTED,
    response: leftOutReason(protocol, body) ?? response,
  };
}

function leftOutReason(protocol: string, body: string | undefined): LeftOutReason | undefined {
  if (protocol !== 'http:' && protocol !== 'https:') return 'not HTTP';
  return body === undefined ? 'no recorded request body' : undefined;
}

/** Returns `undefined` if the body is unknown. */
function readRequestBody({ postData, bodySize }: Record<string, unknown>, place: string): string | undefined {
  const fields = postData === undefined || postData === null ? {} : recordAt(postData, place);
  const { text, encoding, _file: file } = fields;
  const sent = textAt(text ?? '', `${place}.text`);
  const decoded = encoding === 'base64' ? decodeBase64(sent) : { body: sent };
  if (typeof decoded === 'string') return undefined;
  const { body } = decoded;
  const isMissing = body === '' && (file !== undefined || Number(bodySize) > 0);
  return isMissing ? undefined : body;
}

/** Decodes a path and removes what precedes `/v1`, so that a recording fits any base URL. */
export function comparablePath(pathname: string): string {
  const path = pathname.replace(/^.*?(?=\/v1(?:\/|$))/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function readResponse(value: unknown, method: string, place: string): RecordedExchange['response'] {
  const { status, headers: list, content } = recordAt(value, place);
  if (NO_RESPONSE.includes(status)) return undefined;
  if (!Number.isInteger(status)) throw new TypeError(`${place}.status must be a whole number`);
  if (Number(status) < 200 || Number(status) > 599) return 'no final status';
  const headers = readHeaders(list, `${place}.headers`);
  if (typeof headers === 'string') return headers;
  const hasNoContent = method === 'HEAD' || [204, 205, 304].includes(Number(status));
  const body = hasNoContent ? { body: '' } : readContent(content, `${place}.content`);
  return typeof body === 'string' ? body : { status: Number(status), headers, ...body };
}

function readHeaders(value: unknown, place: string): Record<string, string> | LeftOutReason {
  const headers: Record<string, string> = {};
  for (const [index, header] of listAt(value, place).entries()) {
    const at = `${place}[${String(index)}]`;
    const fields = recordAt(header, at);
    const name = textAt(fields.name, `${at}.name`).toLowerCase();
    const text = textAt(fields.value, `${at}.value`);
    // HTTP/2 pseudo-headers, as browsers write them.
    if (name.startsWith(':') || CONNECTION_HEADERS.has(name)) continue;
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return 'malformed header';
    const isCookie = name === 'set-cookie';
    // Chrome writes several cookies as one value with line breaks.
    if (/[^\t\x20-\x7e\x80-\xff]/.test(isCookie ? text.replaceAll('\n', '') : text))
      return 'malformed header';
    const before = headers[name];
    headers[name] = before === undefined ? text : before + (isCookie ? '\n' : ', ') + text;
  }
  return headers;
}

/** An unknown body is not replayed as an empty one: the client would find another error than the recorded one. */
function readContent(value: unknown, place: string): Pick<MockResponse, 'body' | 'bytes'> | LeftOutReason {
  const { text, encoding, size, _file: file } = value === undefined ? {} : recordAt(value, place);
  if (text === undefined || text === null) {
    if (file !== undefined) return 'body in another file';
    return size === 0 ? { body: '' } : 'no recorded body';
  }
  const body = textAt(text, `${place}.text`);
  if (encoding === undefined || encoding === '') return { body };
  return encoding === 'base64' ? decodeBase64(body) : 'malformed body';
}

function decodeBase64(text: string): Pick<MockResponse, 'body' | 'bytes'> | LeftOutReason {
  let bytes: Uint8Array;
  try {
    // Not Buffer, which browsers do not have.
    bytes = Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
  } catch {
    return 'malformed body';
  }
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { body: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), bytes };
  }
}

function recordAt(value: unknown, place: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new TypeError(`${place} must be an object`);
}

function listAt(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(`${place} must be a list`);
}

function textAt(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${place} must be a string`);
}
