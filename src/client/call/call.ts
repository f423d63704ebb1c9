import { isPetStoreError } from '../../errors.js';
import type { CallOptions, WithResponse } from '../contract/options.js';
import type { Operation } from '../response/classify-response.js';
import { admit } from './admission.js';
import { type CallGroup, reportCall } from './call-group.js';
import { type CallState, createCallState, errorForUnexpected } from './call-state.js';
import type { ClientContext } from './client-context.js';
import { type AttemptResult, sendRequest } from './request.js';
import { handleNoResponse, handleResponse } from './response.js';
import { type NextStep, waitBeforeRetry } from './retry.js';

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
): Promise<WithResponse<T>> {
  const call = createCallState(client, operation, options, group?.deadline);
  const description = { call: call.id, operation: operation.name, parent: group?.id };
  return reportCall(client, description, () => perform(call));
}

async function perform<T>(call: CallState<T>): Promise<WithResponse<T>> {
  try {
    for (;;) {
      const next = await attempt(call);
      if (next.kind === 'done') return next.result;
      call.isSent = false;
      if (next.kind === 'back-off') await waitBeforeRetry(call, next.delayMs);
    }
  } catch (error) {
    throw isPetStoreError(error) ? error : errorForUnexpected(call, error);
  } finally {
    call.dispose();
  }
}

async function attempt<T>(call: CallState<T>): Promise<NextStep<T>> {
  const { gate, permit } = await admit(call);
  call.consecutive429s = gate.consecutive429Count;
  let result: AttemptResult;
  try {
    const startedAt = new Date(call.client.clock.now());
    call.isSent = true;
    result = await sendRequest(call);
    addAttempt(call, startedAt, result);
  } catch (error) {
    // Only a clock of the caller can fail here.
    permit.release({ kind: 'no-response', sent: call.isSent });
    throw error;
  }
  if (result.kind === 'response') return handleResponse(call, permit, result.response);
  permit.release({ kind: 'no-response', sent: result.sent });
  return handleNoResponse(call, result);
}

function addAttempt<T>(call: CallState<T>, startedAt: Date, result: AttemptResult): void {
  call.countedAttempts += 1;
  call.attempts.push({
    number: call.attempts.length + 1,
    startedAt,
    waitedMs: Math.round(call.waitedMs),
    ...(result.kind === 'response' ? { status: result.response.status } : { failure: result.reason }),
  });
  call.waitedMs = 0;
}
