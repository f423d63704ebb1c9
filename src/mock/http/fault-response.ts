import { stringifyJson } from '../../schema/json.js';
import { faultHeaders, type FaultResponse } from '../service/fault.js';
import type { AppliedFaults } from '../service/faults.js';
import { contentLength, errorJson, type MockOutcome } from '../service/message.js';
import type { RouteResponse } from './routes.js';

/** @param now milliseconds since the epoch, for a `Retry-After` with a date. */
export function faultResponse(action: FaultResponse, now: number): RouteResponse {
  const { status, body } = action;
  const headers = faultHeaders(action, now);
  if (body !== undefined)
    return { status, headers, body: typeof body === 'string' ? body : stringifyJson(body) };
  const message = 'This response was simulated by the mock (--fault)';
  return { status, headers, body: errorJson(status, 'fault', message) };
}

/** Applies the faults that change how a response is sent. */
export function withCut(outcome: MockOutcome, { bytesPerSecond, cutAfterBytes }: AppliedFaults): MockOutcome {
  if (outcome.kind === 'reset') return outcome;
  const slow = bytesPerSecond === undefined ? {} : { bytesPerSecond };
  const { response } = outcome;
  const length = outcome.kind === 'truncated' ? outcome.bytes : contentLength(response);
  if (cutAfterBytes === undefined || cutAfterBytes >= length) return Object.assign(outcome, slow);
  return { kind: 'truncated', response, bytes: cutAfterBytes, delayMs: 0, ...slow };
}

/** Names the faults for the journal. */
export function faultName({
  action,
  delayMs,
  bytesPerSecond,
  cutAfterBytes,
}: AppliedFaults): string | undefined {
  if (typeof action === 'string') return action;
  if (action !== undefined) return 'status' in action ? `status ${String(action.status)}` : 'rate-limit';
  if (cutAfterBytes !== undefined) return `cut after ${String(cutAfterBytes)} bytes`;
  if (bytesPerSecond !== undefined) return `${String(bytesPerSecond)} bytes per second`;
  return delayMs > 0 ? `latency ${String(delayMs)} ms` : undefined;
}
