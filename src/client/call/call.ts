import type { Attempt } from '../../error-fields.js';
import { isPetStoreError, type PetStoreError } from '../../errors.js';
import { startDeadline } from '../../time/time-limit.js';
import type { Call, CallOptions, WithResponse } from '../contract/options.js';
import type { ClientEvent } from '../contract/events.js';
import type { Permit } from '../gate/gate.js';
import type { Operation } from '../response/classify-response.js';
import { admit } from './admission.js';
import { configurationError, unexpectedError } from './call-errors.js';
import { type AttemptResult, isWithdrawn } from './attempts.js';
import { CallResult, type CallState, createCallState } from './call-state.js';
import type { ClientContext } from './client-context.js';
import type { CallGroup } from './plan.js';
import { sendRequest } from './request.js';
import { handleResult } from './response.js';
import { waitBeforeRetry } from './retry.js';
import { resolveSettings } from './settings.js';

/**
 * Performs one call: admission (API key and rate limit), request, response, and retries until it succeeds or gives up.
 *
 * @param group the method that makes several calls, if any.
 * @throws PetStoreError when the call gives up.
 */
export function performCall<T>(
  client: ClientContext,
  operation: Operation<T>,
  options: CallOptions | null | undefined,
  group?: CallGroup,
): Promise<CallResult<T>> {
  const call = createCallState(client, operation, options, group);
  const description = { call: call.plan.id, operation: operation.name, parent: group?.id };
  return reportCall(client, description, call.attempts.list, () => perform(call));
}

async function perform<T>(call: CallState<T>): Promise<CallResult<T>> {
  const { plan } = call;
  let permit: Permit | undefined;
  let result: AttemptResult | undefined;
  /** Whether the last request may have been carried out, as far as is known. */
  let isSent = false;
  try {
    for (;;) {
      const admitting = admit(call);
      const admission = admitting instanceof Promise ? await admitting : admitting;
      permit = admission.permit;
      const startedAt = new Date(plan.client.clock.now());
      isSent = true;
      result = await sendRequest(call, startedAt, admission.previous429Count);
      if (isWithdrawn(result)) {
        isSent = false;
        result = undefined;
        permit.release({ kind: 'no-response', sent: false });
        continue;
      }
      const step = handleResult(call, admission, result);
      const next = step instanceof Promise ? await step : step;
      if (next instanceof CallResult) return next;
      isSent = false;
      if (next !== undefined) await waitBeforeRetry(call, next);
    }
  } catch (error) {
    // Such as after an error of the caller's clock. A permit is released only once, and an attempt added only once.
    permit?.release({ kind: 'no-response', sent: isSent });
    if (result !== undefined) call.attempts.add(result, { counts: true });
    throw isPetStoreError(error) ? error : unexpectedError(call, error, isSent);
  } finally {
    plan.dispose();
  }
}

/** Runs a method that makes several calls. */
export async function runGroup<T>(
  client: ClientContext,
  options: CallOptions | null | undefined,
  run: (group: CallGroup) => Promise<T>,
): Promise<T> {
  const { deadlineMs } = resolveSettings(client.settings, options);
  const deadline = startDeadline(client.clock, deadlineMs, options?.signal);
  try {
    return await run({ deadline });
  } finally {
    deadline.dispose();
  }
}

type CallEndEvent = Extract<ClientEvent, { type: 'call-end' }>;

/** Reports the calls of a group as parts of one operation. */
export function reportGroup<T>(
  client: ClientContext,
  operation: string,
  { deadline }: CallGroup,
  run: (group: CallGroup) => Promise<T>,
): Promise<T> {
  const id = client.nextCallId();
  const attempts: Attempt[] = [];
  return reportCall(client, { call: id, operation }, attempts, () => run({ deadline, id, attempts }));
}

/**
 * Emits the events for the start and the end of a call.
 *
 * @param attempts grows while the call performs.
 */
function reportCall<T>(
  { emit, clock }: ClientContext,
  { call, operation, parent }: { call: number; operation: string; parent?: number | undefined },
  attempts: readonly Attempt[],
  perform: () => Promise<T>,
): Promise<T> {
  if (emit === undefined) return perform();
  const description = { call, operation, ...(parent === undefined ? {} : { parent }) };
  const startedAt = clock.monotonic();
  const end = (result: Pick<CallEndEvent, 'outcome' | 'errorType'>): void => {
    const status = attempts.at(-1)?.status;
    emit({
      type: 'call-end',
      ...description,
      durationMs: Math.round(clock.monotonic() - startedAt),
      attempts: attempts.length,
      ...(status === undefined ? {} : { status }),
      ...result,
    });
  };
  emit({ type: 'call-start', ...description });
  return perform().then(
    (result) => {
      end({ outcome: 'succeeded' });
      return result;
    },
    (error: unknown) => {
      // Calls reject with no other error.
      const { outcome, type } = error as PetStoreError;
      end({ outcome, errorType: type });
      throw error;
    },
  );
}

/** A public method, whose caller is named in the stack traces of its errors. */
type PublicMethod = (...args: never[]) => unknown;

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
  const work = startMethod(client, method, perform);
  const settled = work.then(({ data }) => data);
  const withResponse = async (): Promise<WithResponse<T>> => {
    await settled;
    // A plain object, because the response of a result is a getter.
    const { data, response } = await work;
    return { data, response };
  };
  return Object.assign(settled, { withResponse });
}

/**
 * Above this number of calls in progress, callers are not captured. V8 formats a trace only when it is read, but walking
 * the asynchronous frames takes 10 µs of the 55 µs of a call. Fewer frames or `new Error()` take as long.
 */
const TRACED_CALLS_MAX = 16;

/** Like `startCall`, for a method that returns a plain promise. */
export function startMethod<T>(
  client: ClientContext,
  method: PublicMethod,
  perform: () => Promise<T>,
): Promise<T> {
  const { lifecycle } = client;
  const site: { stack?: string } = {};
  if (lifecycle.count < TRACED_CALLS_MAX) captureStackTrace?.(site, method);
  const { error } = lifecycle;
  lifecycle.begin();
  const work = error === undefined ? start(perform) : Promise.reject<T>(error);
  return work.then(
    (result) => {
      lifecycle.end();
      return result;
    },
    (failure: unknown) => {
      lifecycle.end();
      // Such as of a clock that fails before a request.
      const typed = isPetStoreError(failure)
        ? failure
        : configurationError(failure, client.lastKey().redactor);
      addCaller(typed, site.stack);
      throw typed;
    },
  );
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

const FRAMES = /\n {4}at [^]*/;

/** Puts the frames of the caller first. An asynchronous error has only frames of this package. */
function addCaller(error: Error, callerStack = ''): void {
  const frames = framesOf(callerStack);
  try {
    const { name, message, stack = '' } = error;
    if (!stack.includes(frames)) error.stack = `${name}: ${message}${frames}${framesOf(stack)}`;
  } catch {
    // The caller's own error may be frozen, or have a stack that is no text.
  }
}

function framesOf(stack: string): string {
  return FRAMES.exec(stack)?.[0] ?? '';
}
