import type { ErrorType } from '../../error-fields.js';
import {
  type ApiError,
  ConnectionError,
  InvalidResponseError,
  isPetStoreError,
  type PetStoreError,
  RateLimitError,
  TimeoutError,
} from '../../errors.js';
import { timeOfRetry } from '../../time/duration.js';
import { isUntrustedCertificate } from '../../security/tls-codes.js';
import { certificateHint } from './certificate-hint.js';
import { CommandFailure, type FailureFacts, UNCONFIRMED_HINT } from './command-failure.js';
import { EXIT } from './exit-codes.js';
import { MultilineError } from './usage-error.js';
import { addressHint, keyHint, type KeyInUse, PETS_PATH } from './service-hints.js';

/** A failure as printed, with the exit code of the process. */
export interface FailureReport extends Omit<FailureFacts, 'retryAt'> {
  message: string;
  /** Whether line breaks in the message are printed; otherwise they are escaped. */
  isMultiline?: boolean;
  retryable: boolean;
  /** ISO 8601. */
  retryAt?: string | undefined;
}

export interface NamedProxy {
  /** Host and port, without the login. */
  address: string;
  /** The environment variable that names it. */
  from: string;
}

interface Rule {
  exitCode: number | ((error: PetStoreError) => number);
  /** Default: the error's own hint. */
  hint?: string | ((error: PetStoreError, waitMaxMs: number) => Hint | undefined);
}

/** What to do, also in other words for a reader of `petstore doctor`. */
type Hint = string | Required<Pick<FailureFacts, 'hint' | 'hintInDoctor'>>;

const VERBOSE_HINT = 'Pass -v to see the request and the response.';

/** The exit code and the hint of each error type. */
const RULES: Readonly<Record<ErrorType, Rule>> = {
  'invalid-input': { exitCode: EXIT.usage },
  configuration: { exitCode: EXIT.usage },
  api: { exitCode: apiExitCode, hint: VERBOSE_HINT },
  'bad-request': {
    exitCode: EXIT.rejected,
    hint: ({ hint }) => hint ?? 'Correct the values. Pass --dry-run to see the request without sending it.',
  },
  authentication: {
    exitCode: EXIT.auth,
    hint: 'The service does not accept this key. Run "petstore auth login", or check that the base URL belongs to the key.',
  },
  'not-found': { exitCode: EXIT.notFound, hint: notFoundHint },
  'rate-limit': { exitCode: EXIT.rateLimited, hint: rateLimitHint },
  server: { exitCode: EXIT.unavailable, hint: serverHint },
  connection: { exitCode: EXIT.unavailable, hint: connectionHint },
  timeout: { exitCode: EXIT.unavailable, hint: timeoutHint },
  aborted: { exitCode: EXIT.failed },
  'unknown-outcome': { exitCode: EXIT.unknownOutcome, hint: unknownOutcomeHint },
  'invalid-response': {
    exitCode: EXIT.unavailable,
    // Only a truncated response is retryable.
    hint: ({ hint, retryable }) =>
      hint ?? `${retryable ? 'Try again later.' : 'Check the base URL.'} ${VERBOSE_HINT}`,
  },
};

/**
 * Describes a failure: message, hint and exit code.
 *
 * @param error anything that was thrown.
 * @param waitMaxMs the longest wait that the command accepted; infinite if a longer one would not help.
 * @param proxy the proxy of the request.
 * @param key the key of the request.
 */
export function describeFailure(
  error: unknown,
  waitMaxMs = 0,
  proxy?: NamedProxy,
  key?: KeyInUse,
): FailureReport {
  if (error instanceof CommandFailure) {
    const { message, facts } = error;
    const isMultiline = error instanceof MultilineError;
    return { message, isMultiline, retryable: false, ...facts, retryAt: facts.retryAt?.toISOString() };
  }
  if (isPetStoreError(error)) return describePetStoreError(error, waitMaxMs, proxy, key);
  const message = error instanceof Error ? error.message : String(error);
  return {
    type: 'unexpected',
    message: `Unexpected error: ${message}`,
    hint: 'This is a bug in petstore. Run the command again with PETSTORE_DEBUG=1 for details.',
    retryable: false,
    exitCode: EXIT.failed,
  };
}

/** Returns the message with the date and time of a retry on the local clock. JSON errors keep RFC 3339. */
export function messageForPeople({ message, retryAt }: FailureReport): string {
  return retryAt === undefined ? message : message.replace(retryAt, timeOfRetry(Date.parse(retryAt)));
}

function describePetStoreError(
  error: PetStoreError,
  waitMaxMs: number,
  proxy: NamedProxy | undefined,
  key: KeyInUse | undefined,
): FailureReport {
  const { exitCode, hint: ruleHint } = RULES[error.type];
  const failure = failureOf(error);
  const viaProxy = failure === undefined || isUntrusted(failure) ? undefined : proxy;
  const { status = error.response?.status, code, requestId } = error as Partial<ApiError>;
  const { retryAt } = error as Partial<RateLimitError>;
  const hint =
    viaProxy !== undefined && failure === error
      ? proxyHint(error, viaProxy)
      : (addressHint(error) ??
        keyHint(error, key) ??
        (typeof ruleHint === 'function' ? ruleHint(error, waitMaxMs) : ruleHint) ??
        error.hint);
  return {
    type: error.type,
    message:
      viaProxy === undefined || failure === undefined || isOfProxy(failure)
        ? messageOf(error)
        : error.message.replace(failure.message, (text) => `${text} through the proxy ${viaProxy.address}`),
    status: isPredictedLimit(error) ? undefined : status,
    code,
    retryable: error.retryable,
    retryAt: retryAt?.toISOString(),
    requestId,
    exitCode: typeof exitCode === 'number' ? exitCode : exitCode(error),
    ...(typeof hint === 'object' ? hint : { hint }),
  };
}

/** The failure of the connection or the time-out; also that of a write whose outcome is unknown. */
function failureOf(error: PetStoreError): PetStoreError | undefined {
  const found = error.type === 'unknown-outcome' ? error.cause : error;
  return found instanceof ConnectionError || found instanceof TimeoutError ? found : undefined;
}

function unknownOutcomeHint(error: PetStoreError): string {
  return [UNCONFIRMED_HINT, ...redirectHints(error)].join(' ');
}

/** What is wrong with the base URL, if a redirect made the outcome of a write unknown. */
export function redirectHints({ cause }: PetStoreError): string[] {
  const isRedirect = cause instanceof InvalidResponseError && cause.hint !== undefined;
  return isRedirect ? [addressHint(cause) ?? cause.hint] : [];
}

/** Any other path than that of pets was written by the user. */
function notFoundHint({ request }: PetStoreError): string {
  const path = request !== undefined && URL.canParse(request.url) ? new URL(request.url).pathname : '/pets';
  return PETS_PATH.test(path)
    ? 'Check the id with "petstore pets list --all".'
    : 'Check the path. It is relative to the base URL.';
}

/** For statuses that the interface specification does not name: 4xx except 408 is a rejected request. */
function apiExitCode(error: PetStoreError): number {
  const { status = 0 } = error as Partial<ApiError>;
  return status >= 400 && status < 500 && status !== 408 ? EXIT.rejected : EXIT.unavailable;
}

/** Whether the rate limit was known to be used up, so that nothing was sent and there was no 429. */
function isPredictedLimit(error: PetStoreError): boolean {
  return error.type === 'rate-limit' && error.outcome !== 'refused';
}

/** The message, with an excerpt of an invalid response: it may be a log-in page. */
function messageOf(error: PetStoreError): string {
  if (!(error instanceof InvalidResponseError)) return error.message;
  const { response, contentType, excerpt = '' } = error;
  const start = excerpt.length > EXCERPT_MAX ? `${excerpt.slice(0, EXCERPT_MAX)}…` : excerpt;
  const details = [response?.status, contentType].filter((part) => part !== undefined).join(', ');
  const quoted = details + (start === '' ? '' : `: ${start}`);
  return quoted === '' ? error.message : `${error.message} (${quoted})`;
}

const EXCERPT_MAX = 80;

function serverHint(error: PetStoreError): string {
  const seconds = /^\d{1,6}$/.exec(error.response?.headers['retry-after'] ?? '')?.[0];
  return `The service failed. Try again ${seconds === undefined ? 'later' : `in ${seconds} s`}.`;
}

/** Longer waits are not suggested. */
const SUGGESTED_MAX_MS = 86_400_000;

function rateLimitHint(error: PetStoreError, waitMaxMs: number): string | undefined {
  if (!(error instanceof RateLimitError)) return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs === undefined)
    return waitMaxMs < KEEP_TRYING_MS ? 'Pass --max-wait 5m to keep trying for longer.' : 'Try again later.';
  // The message names the time.
  const isWaitUseful = retryAfterMs > waitMaxMs && retryAfterMs <= SUGGESTED_MAX_MS;
  const hint = isWaitUseful
    ? `Pass --max-wait ${waitFlag(retryAfterMs)} to wait.`
    : 'Try again at that time.';
  return retryAfterMs > LONG_WAIT_MS ? `${hint} ${RESET_HINT}` : hint;
}

/** The longest wait that is suggested if the service has named no time. */
const KEEP_TRYING_MS = 300_000;
/** Above this, the wait may come from a wrong header or clock. In milliseconds. */
const LONG_WAIT_MS = 3_600_000;
const RESET_HINT = 'If the wait is wrong, run "petstore limits --reset" to clear it.';

/** A wait for a flag, at least as long: `47s` (some seconds longer), `6m`, `24h`. */
function waitFlag(retryAfterMs: number): string {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  if (seconds < 115) return `${String(seconds + 5)}s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes % 60 === 0 || minutes > 120 ? `${String(Math.ceil(minutes / 60))}h` : `${String(minutes)}m`;
}

function connectionHint(error: PetStoreError): Hint {
  const code = error instanceof ConnectionError ? error.code : undefined;
  const address = originOf(error);
  if (code === 'ECONNREFUSED')
    return `Nothing listens at ${address}. Check the base URL, or start a mock with "petstore mock".`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host name of ${address} can't be resolved. Check the base URL.`;
  if (code === 'EMFILE' || code === 'ENFILE')
    return 'The limit of open files is reached. Raise it with "ulimit -n", or close other programs.';
  if (code !== undefined && isUntrustedCertificate(code)) return certificateHint(error, code, address);
  const check = `Check the network and the base URL (${address})`;
  return { hint: `${check}, or run "petstore doctor".`, hintInDoctor: `${check}.` };
}

/** Advises to run `petstore doctor`, except there. */
function orDoctor(hintInDoctor: string, more: string): Hint {
  return { hint: hintInDoctor + more, hintInDoctor };
}

function proxyHint(error: PetStoreError, { address, from }: NamedProxy): Hint {
  const code = error instanceof ConnectionError ? error.code : undefined;
  const others = `${from}, or add the host of the service to NO_PROXY.`;
  const remedy = `Check ${others}`;
  if (error.type === 'timeout') return `${timeoutHint(error)} If that does not help, check ${others}`;
  if (code === 'ERR_PROXY_407')
    return `Set ${from} to http://USER:PASSWORD@HOST:PORT with the login of the proxy ${address}. Encode special characters, such as %40 for @.`;
  if (code === 'ERR_PROXY_CERTIFICATE')
    return `To trust the authority of the proxy ${address}, pass --ca FILE. ${remedy}`;
  if (code === 'ERR_PROXY_TLS') return `Start ${from} with http:// for the proxy ${address}.`;
  const origin = originOf(error);
  const [, status] = /^ERR_PROXY_(404|5\d\d)$/.exec(code ?? '') ?? [];
  if (status !== undefined)
    return `The proxy ${address} responds, but could not connect to ${origin}. Check the base URL, or add its host to NO_PROXY.`;
  if (code === 'ERR_PROXY_403' && /:\d+$/.test(origin))
    return `The proxy ${address} may allow port 443 only. Check the port of the base URL, ${origin}, or add its host to NO_PROXY.`;
  if (isOfProxy(error)) return `This is the response of the proxy ${address}. ${remedy}`;
  return orDoctor(`The proxy ${address} may have failed. ${remedy}`, ' Run "petstore doctor" for details.');
}

/** Whether the message names the proxy: it responded, and opened no tunnel. */
function isOfProxy(error: PetStoreError): boolean {
  return error instanceof ConnectionError && error.code?.startsWith('ERR_PROXY_') === true;
}

function isUntrusted(error: PetStoreError): boolean {
  return error instanceof ConnectionError && error.code !== undefined && isUntrustedCertificate(error.code);
}

function timeoutHint(error: PetStoreError): string {
  return error instanceof TimeoutError && error.limit === 'deadline'
    ? 'Try again later.'
    : 'Allow more time, for example with --timeout 2m.';
}

function originOf(error: PetStoreError): string {
  const url = error.request?.url;
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : 'the base URL';
}
