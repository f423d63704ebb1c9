import { ConfigurationError, isPetStoreError } from '../../errors.js';
import type { Redactor } from '../../security/redact-secret.js';
import type { Call, WithResponse } from '../contract/options.js';
import { redact, redactCause } from '../response/redaction.js';
import type { ClientContext } from './client-context.js';

/** A public method, whose caller is named in the stack traces of its errors. */
export type PublicMethod = (...args: never[]) => unknown;

/**
 * Starts a call of a public method. Rejects if the client is closed or if `perform` throws. `client.close()` waits for
 * it.
 *
 * @returns a promise of the data, with a method that also returns the response. A rejection is unhandled only if neither
 * the promise nor `withResponse()` is awaited. Not a subclass of `Promise`, which would take longer to await.
 */
export function startCall<T>(
  client: ClientContext,
  method: PublicMethod,
  perform: () => Promise<WithResponse<T>>,
): Call<T> {
  const { work, settled } = begin(client, method, perform, (result) => result.data);
  const withResponse = async (): Promise<WithResponse<T>> => {
    await settled;
    // A plain object, because the response of a result is a getter.
    const { data, response } = await work;
    return { data, response };
  };
  return Object.assign(settled, { withResponse });
}

/** Like `startCall`, for a method that returns a plain promise. */
export function startMethod<T>(
  client: ClientContext,
  method: PublicMethod,
  perform: () => Promise<T>,
): Promise<T> {
  return begin(client, method, perform, (result) => result).settled;
}

/**
 * Above this number of calls in progress, callers are not captured. V8 formats a trace only when it is read, but walking
 * the asynchronous frames takes 10 µs of the 55 µs of a call. Fewer frames or `new Error()` take as long.
 */
const TRACED_CALLS_MAX = 16;

function begin<T, R>(
  client: ClientContext,
  method: PublicMethod,
  perform: () => Promise<T>,
  select: (result: T) => R,
): { work: Promise<T>; settled: Promise<R> } {
  const { lifecycle } = client;
  const site: { stack?: string } = {};
  if (lifecycle.count < TRACED_CALLS_MAX) captureStackTrace?.(site, method);
  const { error } = lifecycle;
  lifecycle.begin();
  const work = error === undefined ? start(perform) : Promise.reject<T>(error);
  const settled = work.then(
    (result) => {
      lifecycle.end();
      return select(result);
    },
    (failure: unknown) => {
      lifecycle.end();
      const typed = isPetStoreError(failure) ? failure : unexpectedError(failure, client.lastRedactor());
      addCaller(typed, site.stack);
      throw typed;
    },
  );
  return { work, settled };
}

/** Other engines than V8 may not have it. */
const { captureStackTrace } = Error as Partial<Pick<ErrorConstructor, 'captureStackTrace'>>;

/** Argument checks throw synchronously; the methods never do. */
function start<T>(perform: () => Promise<T>): Promise<T> {
  try {
    return perform();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Such as for a clock that fails before a request. */
function unexpectedError(error: unknown, redactor: Redactor): ConfigurationError {
  const reason = redact(error instanceof Error ? error.message : String(error), redactor);
  return new ConfigurationError(`An option of the client failed (${reason})`, {
    cause: redactCause(error, redactor),
  });
}

const FIRST_FRAME = /\n {4}at /;

/** Puts the frames of the caller first. An asynchronous error has only frames of this package. */
function addCaller(error: Error, callerStack: string | undefined): void {
  if (typeof error.stack !== 'string') return;
  const frames = framesOf(callerStack);
  if (frames === '' || error.stack.includes(frames)) return;
  try {
    error.stack = `${error.name}: ${error.message}${frames}${framesOf(error.stack)}`;
  } catch {
    // The caller's own error may be frozen.
  }
}

function framesOf(stack = ''): string {
  const start = stack.search(FIRST_FRAME);
  return start === -1 ? '' : stack.slice(start);
}
