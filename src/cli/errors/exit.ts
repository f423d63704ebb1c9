import {
  type ApiError,
  ConnectionError,
  type ErrorType,
  InvalidResponseError,
  isPetStoreError,
  type PetStoreError,
  RateLimitError,
  TimeoutError,
} from '../../errors.js';
import { CommandFailure } from './command-failure.js';
import { EXIT } from './exit-codes.js';
import { MultilineError, UsageError } from './usage-error.js';

/** A failure as it is shown and as the process exits with it. */
export interface FailureReport {
  /** Stable name. */
  type: string;
  message: string;
  /** Whether its line breaks are our own; absent where they are not to be obeyed. */
  isMultiline?: boolean;
  /** HTTP status of the answer that ended the command; absent where none did. */
  status?: number;
  /** The service's own code, or the system's for a connection. */
  code?: string;
  /** The command or flag that helps. */
  hint?: string;
  /** Whether the same command may succeed later, unchanged and safely. */
  retryable: boolean;
  /** ISO 8601. */
  retryAt?: string;
  requestId?: string;
  exitCode: number;
}

/** A proxy as it can be shown. */
export interface NamedProxy {
  /** Host and port, without the login. */
  address: string;
  /** The variable that names it. */
  from: string;
}

interface Rule {
  exitCode: (error: PetStoreError) => number;
  /** `waitMaxMs`: the longest wait that the command accepted; infinite where a longer one would not help. */
  hint: (error: PetStoreError, waitMaxMs: number) => string | undefined;
}

/** The one table from a failure to its exit code and to what helps. */
const RULES: Readonly<Record<ErrorType, Rule>> = {
  'invalid-input': { exitCode: () => EXIT.usage, hint: ownHint },
  configuration: { exitCode: () => EXIT.usage, hint: ownHint },
  api: {
    exitCode: apiExitCode,
    hint: () => '-v shows the request, and the status and headers of the answer',
  },
  'bad-request': {
    exitCode: () => EXIT.rejected,
    hint: () => 'correct the values; --dry-run shows the request without sending it',
  },
  authentication: {
    exitCode: () => EXIT.auth,
    hint: () =>
      'the service does not know this key: check PETSTORE_API_KEY, and that the base URL is the one it belongs to',
  },
  'not-found': {
    exitCode: () => EXIT.notFound,
    hint: () => 'petstore pets list shows what is there; check the id, and that the base URL ends in /v1',
  },
  'rate-limit': { exitCode: () => EXIT.rateLimited, hint: rateLimitHint },
  server: { exitCode: () => EXIT.unavailable, hint: serverHint },
  connection: { exitCode: () => EXIT.unavailable, hint: connectionHint },
  timeout: { exitCode: () => EXIT.unavailable, hint: timeoutHint },
  aborted: { exitCode: () => EXIT.failed, hint: ownHint },
  'unknown-outcome': {
    exitCode: () => EXIT.unknownOutcome,
    hint: () => 'look with petstore pets list before trying again: a second attempt may do it twice',
  },
  'invalid-response': {
    exitCode: () => EXIT.unavailable,
    hint: (error) => error.hint ?? 'check that the base URL is that of the service, /v1 included',
  },
};

/**
 * Tells what is to be said of a failure, whatever was thrown.
 *
 * @param waitMaxMs the longest wait that the command accepted; infinite where a longer one would not help.
 * @param proxy what stands between here and the service, and is then the one that does not answer.
 */
export function describeFailure(error: unknown, waitMaxMs = 0, proxy?: NamedProxy): FailureReport {
  if (error instanceof UsageError) {
    const lines = error instanceof MultilineError ? { isMultiline: true } : {};
    return withHint({ ...plain(error, 'usage'), ...lines, exitCode: EXIT.usage }, error.hint);
  }
  if (error instanceof CommandFailure) {
    const { type, exitCode, retryable, status, retryAt } = error;
    const known = {
      ...(status === undefined ? {} : { status }),
      ...(retryAt === undefined ? {} : { retryAt: retryAt.toISOString() }),
    };
    return withHint({ ...plain(error, type), ...known, exitCode, retryable }, error.hint);
  }
  if (isPetStoreError(error)) return describePetStoreError(error, waitMaxMs, proxy);
  const message = error instanceof Error ? error.message : String(error);
  return {
    type: 'unexpected',
    message: `unexpected: ${message}`,
    hint: 'this is a fault of petstore; run it again with PETSTORE_DEBUG=1 for the details',
    retryable: false,
    exitCode: EXIT.failed,
  };
}

function describePetStoreError(
  error: PetStoreError,
  waitMaxMs: number,
  proxy: NamedProxy | undefined,
): FailureReport {
  const rule = RULES[error.type];
  const viaProxy = proxy === undefined || isUntrusted(error) ? undefined : proxy;
  const isOfProxy = viaProxy !== undefined && error.type === 'connection';
  const { status, code, requestId } = error as Partial<ApiError>;
  const { retryAt } = error as Partial<RateLimitError>;
  const report: FailureReport = {
    ...plain(error, error.type),
    message: isOfProxy ? `${messageOf(error)} through the proxy ${viaProxy.address}` : messageOf(error),
    ...(status === undefined || isPaced(error) ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    retryable: error.retryable,
    ...(retryAt === undefined ? {} : { retryAt: retryAt.toISOString() }),
    ...(requestId === undefined ? {} : { requestId }),
    exitCode: rule.exitCode(error),
  };
  const hint = isOfProxy ? proxyHint(error, viaProxy) : rule.hint(error, waitMaxMs);
  return withHint(report, hint ?? error.hint);
}

function plain(error: Error, type: string): FailureReport {
  return { type, message: error.message, retryable: false, exitCode: EXIT.failed };
}

function withHint(report: FailureReport, hint: string | undefined): FailureReport {
  return hint === undefined ? report : { ...report, hint };
}

function ownHint(error: PetStoreError): string | undefined {
  return error.hint;
}

/** A refusal that the specification does not name: the request's fault below 500, except for a time-out. */
function apiExitCode(error: PetStoreError): number {
  const { status = 0 } = error as Partial<ApiError>;
  return status >= 400 && status < 500 && status !== 408 ? EXIT.rejected : EXIT.unavailable;
}

/** Whether the limit was known to be used up, so that nothing was sent and no 429 came. */
function isPaced(error: PetStoreError): boolean {
  return error.type === 'rate-limit' && error.outcome !== 'refused';
}

/** With what came, where an answer can't be understood: a log-in page explains itself. */
function messageOf(error: PetStoreError): string {
  if (!(error instanceof InvalidResponseError)) return error.message;
  const { status, contentType, excerpt = '' } = error;
  const start = excerpt.length > EXCERPT_MAX ? `${excerpt.slice(0, EXCERPT_MAX)}…` : excerpt;
  const answer = [status, contentType].filter((part) => part !== undefined).join(', ');
  return `${error.message} (${answer}${start === '' ? '' : `: ${start}`})`;
}

const EXCERPT_MAX = 80;

function serverHint(error: PetStoreError): string {
  const { headers } = error as Partial<ApiError>;
  const seconds = /^\d{1,6}$/.exec(headers?.['retry-after'] ?? '')?.[0];
  return `the service failed; try again ${seconds === undefined ? 'later' : `in ${seconds} s`}`;
}

/** A wait that nobody would begin is not proposed. */
const PROPOSED_MAX_MS = 86_400_000;

function rateLimitHint(error: PetStoreError, waitMaxMs: number): string | undefined {
  if (!(error instanceof RateLimitError)) return undefined;
  const { retryAt, retryAfterMs } = error;
  const later = `try again at ${retryAt.toISOString()}`;
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  const helps = retryAfterMs > waitMaxMs && retryAfterMs <= PROPOSED_MAX_MS;
  return helps ? `${later}, or pass --max-wait ${String(seconds + 5)}s to wait for it` : later;
}

function connectionHint(error: PetStoreError): string {
  const code = error instanceof ConnectionError ? error.code : undefined;
  const address = originOf(error);
  if (code === 'ECONNREFUSED')
    return `nothing listens at ${address}: check the base URL, or start a mock with petstore mock`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the name of ${address} can't be resolved: check the base URL`;
  if (isUntrusted(error))
    return `the certificate of ${address} is not trusted: petstore doctor says why; --ca FILE names an authority of your own`;
  return `check the network and the base URL (${address}); petstore doctor looks closer`;
}

function proxyHint(error: PetStoreError, { address, from }: NamedProxy): string {
  const code = error instanceof ConnectionError ? error.code : undefined;
  const remedy = `check ${from}, or name the service's host in NO_PROXY`;
  if (code === 'ECONNREFUSED') return `nothing listens at the proxy ${address}: ${remedy}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the name of the proxy ${address} can't be resolved: ${remedy}`;
  return `the proxy ${address} may be what fails: ${remedy}; petstore doctor looks closer`;
}

function isUntrusted(error: PetStoreError): boolean {
  return error instanceof ConnectionError && error.code !== undefined && UNTRUSTED.test(error.code);
}

/** OpenSSL's and Node's codes of a certificate that is not accepted. */
const UNTRUSTED = /^ERR_TLS_CERT|^CERT_|SELF_SIGNED|^UNABLE_TO_(?:VERIFY|GET)/;

function timeoutHint(error: PetStoreError): string {
  return error instanceof TimeoutError && error.limit === 'deadline'
    ? 'try again later'
    : 'allow more time with --timeout, such as --timeout 2m';
}

function originOf(error: PetStoreError): string {
  const url = error.request?.url;
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : 'the base URL';
}
