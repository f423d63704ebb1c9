import { ConfigurationError } from '../../errors.js';
import { causesOf, foreignFields, foreignMessage } from '../../foreign-error.js';

/**
 * One HTTP request as plain data. Web `Request` and `Response` would cost more time than the rest of a one-shot
 * command.
 */
export interface TransportRequest {
  method: string;
  /** Scheme, host and port, such as `https://api.example.com`. */
  origin: string;
  /** Encoded path and query. Starts with `/`. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Maximum size of the decoded response body, in bytes. The transport stops reading there. */
  bodyMaxBytes: number;
  /**
   * Called once when the connection is ready, before the first byte is sent. If it returns `false`, nothing is sent and the
   * response rejects with a `WithdrawnRequest`. A `fetch` or a dispatcher of the caller does not call it, nor does a
   * connection of undici that was open before.
   */
  confirm?: (() => Promise<boolean>) | undefined;
}

/** A request was not sent, because its `confirm` returned `false`. */
export class WithdrawnRequest extends Error {
  override readonly name = 'WithdrawnRequest';
  override readonly message = 'Another process received a 429 response before the connection was ready';
}

/** A response, with the bytes of its body that arrived, at most `bodyMaxBytes`. */
export interface TransportResponse {
  status: number;
  /** Names in lower case. Values of a repeated header are joined with `, `, those of `set-cookie` with a line break. */
  headers: Readonly<Record<string, string>>;
  /** Decoded according to `Content-Encoding`. If that fails, only the beginning, or text that is not encoded. */
  body: Uint8Array;
  /**
   * - `complete`: the whole body arrived.
   * - `truncated`: the connection or the encoding ended early.
   * - `too-large`: `body` has only the first `bodyMaxBytes` bytes.
   * - `undecodable`: the body is not valid in its `Content-Encoding`.
   */
  end: 'complete' | 'truncated' | 'too-large' | 'undecodable';
}

/** One request in flight. */
export interface Exchange {
  /**
   * Rejects with a `TransportFailure`, or with a `ConfigurationError` if no retry can succeed. May stay pending after
   * `abort`.
   */
  readonly response: Promise<TransportResponse>;
  /** Whether the service may have received part of the request. A write is safe to retry only if `false`. */
  readonly sent: boolean;
  /** Cancels the request and frees the connection. Does nothing once the response is complete. */
  abort(): void;
  /**
   * Sends no other request over the connection of this exchange. For a response that belongs to another request: those
   * that follow on its connection would do so too. Absent if the transport can't choose, as with `fetch`.
   */
  closeConnection?(): void;
}

/** Sends requests. Must not follow redirects. */
export interface Transport {
  send(request: TransportRequest): Exchange;
  /** Closes idle connections, so that the process can exit. */
  close(): Promise<void>;
}

/**
 * A write uses no connection that was idle for longer, in milliseconds: a server that closes it at that moment leaves the
 * outcome of the write unknown. Some servers close idle connections after 1 or 2 s without saying so.
 */
const WRITE_IDLE_MAX_MS = 1_000;

/**
 * Returns how long a connection may have been idle before a write, in milliseconds: 1 s, or half of the time that the
 * server announced.
 *
 * @param keepAlive the header `Keep-Alive` of the last response, such as `timeout=5`.
 */
export function writeIdleMaxMs(keepAlive?: string): number {
  const seconds = /(?:^|[,; ])timeout=(\d{1,6})/i.exec(keepAlive ?? '')?.[1];
  return seconds === undefined ? WRITE_IDLE_MAX_MS : Math.min(WRITE_IDLE_MAX_MS, Number(seconds) * 500);
}

/** Checks whether a request may have an effect on the service. */
export function isWriteRequest({ method }: Pick<TransportRequest, 'method'>): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

/** A request failed without a response. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';
  /** Error code of the operating system or the library, such as `ECONNREFUSED`. */
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super(foreignMessage(cause), { cause });
    this.code = codeOf(cause);
  }

  /** Why the received bytes are not a response, such as `not HTTP`. `undefined` if the connection failed. */
  get malformedResponse(): string | undefined {
    return malformedResponse(this.cause);
  }
}

/** Returns the first code of an error and its causes. */
function codeOf(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const { code } = foreignFields(cause);
    if (typeof code === 'string') return code;
  }
  return undefined;
}

/** Problems whose message does not help, by the code of Node, of undici or of the transport. */
const PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['HPE_HEADER_OVERFLOW', 'more than 16 KiB of headers'],
  ['UND_ERR_HEADERS_OVERFLOW', 'more than 16 KiB of headers'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'not valid HTTP (contradictory Content-Length)'],
]);
/** The messages of Node's parser and of undici, around the reason. */
const PARSER_MESSAGE = /^(?:Parse Error: (.+)|Response does not match the HTTP\/1\.1 protocol \((.+)\))$/s;
/** The received bytes do not start like a response of HTTP. */
export const NOT_HTTP = 'not HTTP';
/** The messages of undici and of the node:http transport. */
const UPGRADE_MESSAGE = 'bad upgrade';

/** The service switched to another protocol, and the request did not ask for it. */
export function badUpgrade(): Error {
  return new Error(UPGRADE_MESSAGE);
}

/**
 * Describes why received bytes are not a response, such as `not HTTP` for the banner of an SSH server.
 *
 * @param failure of a transport, before the head of the response was complete.
 * @returns a few words without text of the service; `undefined` if the connection failed.
 */
function malformedResponse(failure: unknown): string | undefined {
  for (const cause of causesOf(failure)) {
    const { code, name, message } = foreignFields(cause);
    if (PROBLEMS.has(code)) return PROBLEMS.get(code);
    if (message === UPGRADE_MESSAGE) return 'a change of the protocol that was not requested';
    if (!String(code).startsWith('HPE_') && name !== 'HTTPParserError') continue;
    const [, ofNode, reason = ofNode] = PARSER_MESSAGE.exec(String(message)) ?? [];
    // The first bytes are not `HTTP/`. The message of the parser also mentions RTSP.
    return reason === undefined || reason.startsWith('Expected HTTP/')
      ? NOT_HTTP
      : `not valid HTTP (${reason})`;
  }
  return undefined;
}

/**
 * Joins the values of a repeated header with `, ` (RFC 9110, section 5.3). Cookies may contain commas, so a line break
 * separates them (RFC 6265, section 3).
 */
export function joinValues(name: string, values: readonly string[]): string {
  return values.join(name === 'set-cookie' ? '\n' : ', ');
}

/** Joins repeated headers in place: Node and undici create a new object for each response. */
export function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined = headers as Record<string, string>;
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value)) joined[name] = joinValues(name, value);
  }
  return joined;
}

/** Returns the name and the value of each header line. A response has one line for each cookie. */
export function headerLines(headers: Readonly<Record<string, string>>): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const values = name === 'set-cookie' ? value.split('\n') : [value];
    return values.map((each): [string, string] => [name, each]);
  });
}

/** Codes of Node and undici for invalid arguments, modules that can't be loaded and a dispatcher that is closed. */
const PROGRAMMING_CODE =
  /^(?:UND_ERR_(?:INVALID_ARG|INVALID_RETURN_VALUE|NOT_SUPPORTED|CLOSED|DESTROYED)$|ERR_(?:INVALID_|MISSING_|MODULE_NOT_FOUND|REQUIRE_|PACKAGE_|UNKNOWN_BUILTIN|UNESCAPED_)|MODULE_NOT_FOUND$)/;

const PROGRAMMING_NAMES = new Set(['ReferenceError', 'SyntaxError', 'RangeError', 'EvalError', 'URIError']);

/**
 * Beginnings of the messages of a `fetch` for a failed connection, in browsers and runtimes. They are `TypeError`s, like
 * many bugs, whose messages may contain any of these words.
 */
const NETWORK_MESSAGE =
  /^(?:fetch failed|failed to fetch|load failed|networkerror\b|network (?:error|request failed|connection (?:was )?lost)|the (?:network connection was lost|internet connection appears)|error sending request|error reading a body from connection|terminated)/i;

/**
 * Checks whether an error comes from a bug or an invalid set-up and not from the network, so that no retry can succeed.
 * An error with any other code, or with a cause, counts as a failure of the network.
 */
export function isProgrammingError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return true;
  const causes = causesOf(error);
  const codes = causes.map((cause) => foreignFields(cause).code);
  const code = codes.find((each) => typeof each === 'string');
  if (typeof code === 'string') return PROGRAMMING_CODE.test(code);
  const { name, message } = foreignFields(error);
  if (typeof name !== 'string' || typeof message !== 'string') return true;
  if (PROGRAMMING_NAMES.has(name)) return true;
  // eslint-disable-next-line no-restricted-syntax -- a message of the runtime
  return name === 'TypeError' && causes.length === 1 && !NETWORK_MESSAGE.test(message);
}

/** Creates the error for an option of the caller that fails because of a bug. */
export function optionFailure(option: 'fetch' | 'dispatcher', cause: unknown): ConfigurationError {
  const reason = cause instanceof Error ? foreignMessage(cause) : 'it threw a value that is not an Error';
  return new ConfigurationError(`The option ${option} failed (${reason})`, {
    option,
    cause,
    hint: `Fix the ${option} that is passed to createPetStore().`,
  });
}
