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

/** Maximum number of reasons that are joined. */
const REASONS_MAX = 3;
/** Maximum depth at which a reason is looked for. */
const REASON_DEPTH_MAX = 4;
/** Members with the reason, the most specific first: RFC 9457, OAuth (RFC 6749), and frameworks. */
const SUMMARY_MEMBERS = ['message', 'detail', 'error_description', 'error', 'title', 'msg', 'reason'];
/** Members that name the field of a reason. */
const FIELD_MEMBERS = ['field', 'loc', 'pointer', 'path', 'param'];

/**
 * Returns the reason in an error body, whatever its shape: an Error of the service, problem details (RFC 9457), or nested
 * errors, also those of single fields. Gateways respond in shapes of their own. Never throws.
 *
 * @returns `undefined` if there is none.
 */
export function readReason(body: unknown): string | undefined {
  const reasons = reasonsIn(body, 0);
  return reasons.length === 0 ? undefined : [...new Set(reasons)].slice(0, REASONS_MAX).join('; ');
}

function reasonsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (typeof value !== 'object' || value === null || depth >= REASON_DEPTH_MAX) return [];
  if (Array.isArray(value)) return value.slice(0, REASONS_MAX).flatMap((each) => reasonsIn(each, depth + 1));
  const members = value as Record<string, unknown>;
  const summary = SUMMARY_MEMBERS.map((name) => reasonsIn(members[name], depth + 1)).find(isFilled) ?? [];
  const details = errorsIn(members.errors, depth + 1).filter((detail) => !summary.includes(detail));
  const found =
    isFilled(details) && isFilled(summary)
      ? [`${summary.join('; ')}: ${details.join('; ')}`]
      : [...summary, ...details];
  return depth === 0 ? found : withField(members, found);
}

function isFilled(reasons: readonly string[]): boolean {
  return reasons.length > 0;
}

/** Reads a list of errors, or an object with the errors of each field. */
function errorsIn(errors: unknown, depth: number): string[] {
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return reasonsIn(errors, depth);
  const own = reasonsIn(errors, depth);
  if (own.length > 0) return own;
  return Object.entries(errors)
    .slice(0, REASONS_MAX)
    .flatMap(([field, value]) => reasonsIn(value, depth + 1).map((reason) => `${field}: ${reason}`));
}

/** Puts the name of the field before its reasons, such as the end of `["body", "name"]` or of `/name`. */
function withField(members: Readonly<Record<string, unknown>>, reasons: readonly string[]): string[] {
  const path = FIELD_MEMBERS.map((name) => members[name]).find((value) => value !== undefined);
  const last: unknown = Array.isArray(path) ? path.at(-1) : path;
  const field = typeof last === 'string' ? last.split('/').at(-1) : undefined;
  return reasons.map((reason) => (field === undefined || field === '' ? reason : `${field}: ${reason}`));
}
