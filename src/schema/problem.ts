/**
 * The body of an error response (interface specification, "Error"). Every field is optional, because the values of
 * `code` and the body of a 429 are not specified.
 */
export interface Problem {
  /** Machine-readable error code of the service. */
  code?: string;
  /** Human-readable description. */
  message?: string;
  /** Copy of the HTTP status in the body. The status line takes precedence. */
  status?: number;
}

/** Returns the well-formed fields of a parsed error body. Never throws. */
export function readProblem(body: unknown): Problem {
  if (typeof body !== 'object' || body === null) return {};
  const { code, message, status } = body as Record<string, unknown>;
  return {
    ...(typeof code === 'string' && code !== '' ? { code } : {}),
    ...(typeof message === 'string' && message !== '' ? { message } : {}),
    ...(typeof status === 'number' && Number.isInteger(status) ? { status } : {}),
  };
}
