import type { Gate, Permit } from '../gate/gate.js';
import { untilAborted } from '../../time/signals.js';
import { awaitOption } from './await-option.js';
import { abortError } from './call-errors.js';
import { type CallState, outcomeSoFar } from './call-state.js';
import { acquirePermit } from './acquire-permit.js';

/** The right to send one request. */
export interface Admission {
  permit: Permit;
  /** Consecutive 429 responses to this key before the request. */
  previous429Count: number;
}

/**
 * Waits until the next attempt may be sent: gets its API key, a permit of the gate and its headers, and calls
 * `beforeSend`.
 *
 * @throws AbortedError or TimeoutError if a signal, `beforeSend` or the deadline ends the call.
 * @throws TimeoutError if one of these functions takes longer than `timeoutMs`.
 * @throws ConfigurationError if the key function or a function for headers fails.
 * @throws RateLimitError if the wait is too long. No request is sent without a permit.
 */
export function admit<T>(call: CallState<T>): Admission | Promise<Admission> {
  throwIfAborted(call);
  const { apiKey } = call.plan.client;
  const { request } = call;
  request.renewalCount = apiKey.renewalCount();
  const key = request.renewedKey ?? apiKey.read();
  request.renewedKey = undefined;
  if (typeof key === 'string') return admitWithKey(call, key);
  return awaitOption(call, 'apiKey', key).then((fetched) => admitWithKey(call, fetched));
}

function admitWithKey<T>(call: CallState<T>, key: string): Admission | Promise<Admission> {
  const { client, beforeSend, waitSignal, settings } = call.plan;
  const { redactor, gate } = client.useKey(key);
  call.request.apiKey = key;
  call.request.redactor = redactor;
  const acquired = acquirePermit(call, gate);
  const isReady =
    beforeSend === undefined && waitSignal === undefined && typeof settings.headers !== 'function';
  // The usual case, without a promise.
  if (!(acquired instanceof Promise) && isReady) return admission(gate, acquired);
  return awaitAdmission(call, gate, acquired);
}

function admission({ consecutive429Count }: Gate, permit: Permit): Admission {
  return { permit, previous429Count: consecutive429Count };
}

async function awaitAdmission<T>(
  call: CallState<T>,
  gate: Gate,
  first: Permit | Promise<Permit>,
): Promise<Admission> {
  const { beforeSend, settings } = call.plan;
  const { headers } = settings;
  for (let acquired = first; ; acquired = acquirePermit(call, gate)) {
    const permit = await acquired;
    const countBefore = gate.consecutive429Count;
    try {
      // The call may have been aborted while the key or the permit arrived.
      throwIfAborted(call);
      if (typeof headers === 'function') call.request.headers = await awaitOption(call, 'headers', headers());
      else if (beforeSend === undefined) return admission(gate, permit);
      if (beforeSend !== undefined) await runBeforeSend(call, beforeSend);
    } catch (error) {
      permit.release({ kind: 'no-response', sent: false });
      throw error;
    }
    // If another call received a 429 meanwhile, this call has to wait again.
    if (gate.consecutive429Count <= countBefore) return admission(gate, permit);
    permit.release({ kind: 'no-response', sent: false });
  }
}

function throwIfAborted<T>(call: CallState<T>): void {
  const { waitSignal: signal } = call.plan;
  if (signal?.aborted === true) throw abortError(call, signal.reason, outcomeSoFar(call));
}

async function runBeforeSend<T>(call: CallState<T>, beforeSend: () => void | Promise<void>): Promise<void> {
  try {
    await untilAborted(beforeSend(), call.plan.waitSignal);
  } catch (reason) {
    throw abortError(call, reason, outcomeSoFar(call));
  }
  throwIfAborted(call);
}
