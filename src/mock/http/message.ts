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
  | { kind: 'answer'; response: MockResponse; delayMs: number }
  | { kind: 'cut'; response: MockResponse; delayMs: number }
  | { kind: 'reset'; delayMs: number };

/** Why what came is not a request: malformed, not in time, or with too long headers. */
export type UnreadableStatus = 400 | 408 | 431;

/** The service's refusal (interface specification, "Error"). Values of `code` are the mock's own. */
export function problemJson(status: number, code: string, message: string): string {
  return JSON.stringify({ code, message, status });
}
