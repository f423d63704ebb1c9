import type { CallOptions, WithResponse } from '../contract/options.js';
import type { Operation } from '../response/classify-response.js';
import type { Deadline } from '../time/deadline.js';
import { admit } from './admission.js';
import { type CallState, createCallState } from './call-state.js';
import type { ClientContext } from './client-context.js';
import { sendRequest } from './request.js';
import { handleNoResponse, handleResponse } from './response.js';
import { type NextStep, waitBeforeRetry } from './retry.js';

/**
 * Performs one call: admission (API key and rate limit), request, response, and retries until it succeeds or gives up.
 *
 * @param sharedDeadline the deadline of a method that makes several calls.
 * @throws PetStoreError when the call gives up.
 */
export async function performCall<T>(
  client: ClientContext,
  operation: Operation<T>,
  options: CallOptions | undefined,
  sharedDeadline?: Deadline,
): Promise<WithResponse<T>> {
  const call = createCallState(client, operation, options, sharedDeadline);
  try {
    for (;;) {
      const next = await attempt(call);
      if (next.kind === 'done') return next.result;
      if (next.kind === 'back-off') await waitBeforeRetry(call, next.delayMs);
    }
  } finally {
    call.dispose();
  }
}

async function attempt<T>(call: CallState<T>): Promise<NextStep<T>> {
  const { gate, permit } = await admit(call);
  call.consecutive429s = gate.consecutive429Count;
  const startedAt = new Date(call.client.clock.now());
  const result = await sendRequest(call);
  call.countedAttempts += 1;
  call.attempts.push({
    number: call.attempts.length + 1,
    startedAt,
    waitedMs: Math.round(call.waitedMs),
    ...(result.kind === 'response' ? { status: result.response.status } : { failure: result.reason }),
  });
  call.waitedMs = 0;
  if (result.kind === 'response') return handleResponse(call, permit, result.response);
  permit.release({ kind: 'no-response', sent: result.sent });
  return handleNoResponse(call, result);
}
