/** Replaces secret values in a recording. In a recorded request, it matches every value. */
export const REDACTED = '[redacted]';

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
  /** `undefined` if the service closed the connection without a response. */
  response: { status: number; headers: Readonly<Record<string, string>>; body: string } | undefined;
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

/**
 * Reads the entries of a HAR 1.2 archive.
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
  const { path, query } = readUrl(textAt(request.url, `${place}.request.url`), `${place}.request.url`);
  const method = textAt(request.method, `${place}.request.method`);
  const { text = '' } =
    request.postData === undefined ? {} : recordAt(request.postData, `${place}.request.postData`);
  const body = textAt(text, `${place}.request.postData.text`);
  return { place, method, path, query, body, response: readResponse(entry.response, `${place}.response`) };
}

function readUrl(text: string, place: string): { path: string; query: string } {
  if (!URL.canParse(text)) throw new TypeError(`${place} is not a URL`);
  const { pathname, search } = new URL(text);
  return { path: comparablePath(pathname), query: search.slice(1) };
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

function readResponse(value: unknown, place: string): RecordedExchange['response'] {
  const { status, headers, content } = recordAt(value, place);
  // Browsers write 0 for a request without a response.
  if (status === 0) return undefined;
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599) {
    throw new TypeError(`${place}.status must be a whole number from 200 to 599, or 0`);
  }
  return {
    status: Number(status),
    headers: readHeaders(headers, `${place}.headers`),
    body: content === undefined ? '' : readContent(content, `${place}.content`),
  };
}

function readHeaders(value: unknown, place: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [index, header] of listAt(value, place).entries()) {
    const at = `${place}[${String(index)}]`;
    const fields = recordAt(header, at);
    const name = textAt(fields.name, `${at}.name`).toLowerCase();
    const text = textAt(fields.value, `${at}.value`);
    // HTTP/2 pseudo-headers, as browsers write them.
    if (name.startsWith(':') || CONNECTION_HEADERS.has(name)) continue;
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw new TypeError(`${at}.name is not a header name`);
    const isCookie = name === 'set-cookie';
    // Chrome writes several cookies as one value with line breaks.
    if (/[^\t\x20-\x7e\x80-\xff]/.test(isCookie ? text.replaceAll('\n', '') : text))
      throw new TypeError(`${at}.value contains a character that is not valid in a header`);
    const before = headers[name];
    headers[name] = before === undefined ? text : before + (isCookie ? '\n' : ', ') + text;
  }
  return headers;
}

function readContent(value: unknown, place: string): string {
  const { text, encoding, size } = recordAt(value, place);
  if (text === undefined) {
    if (typeof size === 'number' && size > 0) {
      throw new TypeError(`${place}.text is missing, although the size is ${String(size)}`);
    }
    return '';
  }
  const body = textAt(text, `${place}.text`);
  if (encoding === undefined || encoding === '') return body;
  if (encoding !== 'base64') throw new TypeError(`${place}.encoding must be base64`);
  try {
    // Not Buffer, which browsers do not have.
    const bytes = Uint8Array.from(atob(body), (byte) => byte.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new TypeError(`${place}.text is not UTF-8 text`);
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
