/** A request as plain data. */
export interface MockRequest {
  method: string;
  /** Absolute, or path and query. */
  url: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Set if the bytes of the body are not UTF-8. `body` then has replacement characters. */
  isBodyMalformed?: true;
}

/** A response as plain data. */
export interface MockResponse {
  status: number;
  /** Names in lower case. A line break separates the lines of a header that is sent several times. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Sent instead of `body` if they are not UTF-8. `body` then has replacement characters. */
  bytes?: Uint8Array;
}

/**
 * What the host sends after `delayMs` milliseconds.
 *
 * - `response`: the whole response.
 * - `truncated`: the headers and the first `bytes` of the body; then the connection closes.
 * - `reset`: no response; the connection closes.
 *
 * With `bytesPerSecond`, the host sends the body slowly.
 */
export type MockOutcome =
  | { kind: 'response'; response: MockResponse; delayMs: number; bytesPerSecond?: number }
  | { kind: 'truncated'; response: MockResponse; bytes: number; delayMs: number; bytesPerSecond?: number }
  | { kind: 'reset'; delayMs: number };

/**
 * Errors of the host: malformed HTTP, a slow request, an unknown `Expect`, headers that are too large, a
 * bug, and an unknown `Transfer-Encoding`.
 */
export type HostErrorStatus = 400 | 408 | 417 | 431 | 500 | 501;

/** Writes an error body (interface specification, "Errors"). The values of `code` are the mock's own. */
export function errorJson(status: number, code: string, message: string): string {
  return JSON.stringify({ code, message, status });
}

/** Lists methods for a header, each once. A path with GET has HEAD, too. */
export function listMethods(methods: readonly string[]): string {
  return [...new Set(methods)].join(', ').replace('GET', 'GET, HEAD');
}

const { Buffer: NodeBuffer } = globalThis as { Buffer?: typeof Buffer };

/** Returns the size of a text in bytes. Browsers have no `Buffer`, which is faster. */
export function byteLength(text: string): number {
  return NodeBuffer?.byteLength(text) ?? new TextEncoder().encode(text).length;
}

/** Returns the size of a response body in bytes. */
export function contentLength({ body, bytes }: Pick<MockResponse, 'body' | 'bytes'>): number {
  return bytes?.length ?? byteLength(body);
}

/** Maximum size of a request body, in bytes. The mock's own rule: the specification shows none. */
export const BODY_BYTES_MAX = 1_048_576;

/** The path of the control API. */
export const CONTROL_PATH = '/__mock';

/** Whether a request is for the control API. */
export function isControlRequest(url: string): boolean {
  return url.startsWith(CONTROL_PATH) && /^(?:[/?]|$)/.test(url.slice(CONTROL_PATH.length));
}
