/**
 * The body of a refusal (interface specification, "Error"). Values of `code` are not specified, and the body of a 429
 * is not either, so nothing here is required: what is there and well-formed is taken.
 */
export interface Problem {
  /** Machine-readable code of the service. */
  code?: string;
  /** Human-readable description. */
  message?: string;
  /** The HTTP status as the body repeats it; the status line rules. */
  status?: number;
}

/** Takes from a parsed body what it says of a refusal. Never fails. */
export function readProblem(body: unknown): Problem {
  if (typeof body !== 'object' || body === null) return {};
  const { code, message, status } = body as Record<string, unknown>;
  return {
    ...(typeof code === 'string' && code !== '' ? { code } : {}),
    ...(typeof message === 'string' && message !== '' ? { message } : {}),
    ...(typeof status === 'number' && Number.isInteger(status) ? { status } : {}),
  };
}
