import type { PetStoreErrorOptions } from '../../error-fields.js';
import { ConfigurationError, isPetStoreError, type PetStoreError, TimeoutError } from '../../errors.js';
import type { Redactor } from '../../security/redact-secret.js';
import { describeTimeLimit } from '../../time/duration.js';
import { untilAborted } from '../../time/signals.js';
import { isDeadline, withinTimeLimit } from '../../time/time-limit.js';
import { redactCause } from '../response/redaction.js';
import { abortError, factsOf } from './call-errors.js';
import { type CallState, outcomeSoFar } from './call-state.js';
import type { ClientContext } from './client-context.js';
import type { Settings } from './settings.js';

type FunctionOption = 'apiKey' | 'headers';

/** Awaits what a function of the caller returns for the next attempt. `timeoutMs` limits the wait. */
export async function awaitOption<T>(
  call: CallState<unknown>,
  option: FunctionOption,
  value: Promise<T>,
): Promise<T> {
  const { client, waitSignal: signal, settings } = call.plan;
  const timeout = (limit: TimeoutError['limit']): TimeoutError =>
    optionTimeout(option, limit, settings, { ...factsOf(call), outcome: outcomeSoFar(call) });
  try {
    return await withinTimeLimit(client.clock, settings.timeoutMs, untilAborted(value, signal), () =>
      timeout('attempt'),
    );
  } catch (cause) {
    if (signal?.aborted !== true) throw optionError(option, cause, call.request.redactor);
    throw isDeadline(signal.reason)
      ? timeout('deadline')
      : abortError(call, signal.reason, outcomeSoFar(call));
  }
}

/**
 * Returns the API key outside a call. The client's `timeoutMs` and `deadlineMs` limit the wait for a key function.
 *
 * @throws ConfigurationError if the key function fails.
 * @throws TimeoutError at the time limit.
 */
export async function readKey(client: ClientContext): Promise<string> {
  const { apiKey, clock, settings } = client;
  const key = apiKey.read();
  if (typeof key === 'string') return key;
  const { deadlineMs, timeoutMs } = settings;
  const limit = deadlineMs < timeoutMs ? 'deadline' : 'attempt';
  try {
    return await withinTimeLimit(clock, Math.min(deadlineMs, timeoutMs), key, () =>
      optionTimeout('apiKey', limit, settings),
    );
  } catch (cause) {
    throw optionError('apiKey', cause, client.lastKey().redactor);
  }
}

function optionTimeout(
  option: FunctionOption,
  limit: TimeoutError['limit'],
  { deadlineMs, timeoutMs }: Pick<Settings, 'deadlineMs' | 'timeoutMs'>,
  facts: PetStoreErrorOptions = {},
): TimeoutError {
  const limitMs = limit === 'deadline' ? deadlineMs : timeoutMs;
  const message = `The function ${option} returned nothing within ${describeTimeLimit(limitMs)}`;
  return new TimeoutError(message, { ...facts, limit });
}

function optionError(option: FunctionOption, cause: unknown, redactor: Redactor): PetStoreError {
  if (isPetStoreError(cause)) return cause;
  const message = option === 'apiKey' ? 'Could not fetch the API key' : 'Could not get the headers';
  return new ConfigurationError(message, { option, cause: redactCause(cause, redactor) });
}

/**
 * Calls the key function once more after a 401.
 *
 * @returns `undefined` if the next attempt has another key. Otherwise an object, with the failure of the function as `cause`.
 * @throws AbortedError or TimeoutError if a signal or the deadline ends the call.
 */
export async function renewKey<T>(call: CallState<T>): Promise<{ cause?: unknown } | undefined> {
  const { apiKey, renewalCount } = call.request;
  const { client, waitSignal } = call.plan;
  const renewed = client.apiKey.renew?.(apiKey, renewalCount);
  if (renewed === undefined) return {};
  try {
    const key = await awaitOption(call, 'apiKey', renewed);
    if (key === apiKey) return {};
    call.request.renewedKey = key;
    return undefined;
  } catch (cause) {
    if (waitSignal?.aborted === true) throw cause;
    return { cause };
  }
}
