/** A request as plain data. */
export interface MockRequest {
  method: string;
  /** Absolute, or path and query. */
  url: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** An answer as plain data. */
export interface MockResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * What becomes of a request.
 *
 * - `answer`: the response.
 * - `cut`: the response's headers and half of its body, then the connection ends.
 * - `reset`: the connection ends without an answer.
 *
 * `delayMs` is how long the host waits first.
 */
export type MockOutcome =
  | { kind: 'response'; response: MockResponse; delayMs: number }
  | { kind: 'truncated'; response: MockResponse; delayMs: number }
  | { kind: 'reset'; delayMs: number };

/** What a host answers by itself: what came is malformed, not in time, or has too long headers; or the mock failed. */
export type HostErrorStatus = 400 | 408 | 431 | 500;

/** The service's refusal (interface specification, "Error"). Values of `code` are the mock's own. */
export function errorJson(status: number, code: string, message: string): string {
  return JSON.stringify({ code, message, status });
}
