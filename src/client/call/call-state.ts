import type { Outcome } from '../../error-fields.js';
import type { Redactor } from '../../security/redact-secret.js';
import type { CallOptions, ResponseInfo, WithResponse } from '../contract/options.js';
import type { Operation } from '../response/classify-response.js';
import { Attempts } from './attempts.js';
import type { ClientContext } from './client-context.js';
import { type CallGroup, type CallPlan, isWrite, planCall } from './plan.js';

/** A call in progress: its plan, its attempts so far, and the request that it sends next. */
export interface CallState<T> {
  readonly plan: CallPlan<T>;
  readonly attempts: Attempts;
  readonly request: CallRequest;
}

/** The parts of the next request that are not in the plan. Written before it is sent: by `admit`, the path by a redirect. */
export interface CallRequest {
  /** Path and query. */
  path: string;
  /** Empty before the first attempt. */
  apiKey: string;
  /** The client's `apiKey.renewalCount()` when that key was read. */
  renewalCount: number;
  /** The key of the next attempt, after a 401. */
  renewedKey: string | undefined;
  /** Headers of the options. Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Redacts that key; before the first attempt, the last key of the client. */
  redactor: Redactor;
}

/** The result of a successful call. */
export class CallResult<T> implements WithResponse<T> {
  readonly data: T;
  readonly #readResponse: () => ResponseInfo;

  /** @param readResponse called when a caller reads the response, because redacting its headers takes a tenth of a call. */
  constructor(data: T, readResponse: () => ResponseInfo) {
    this.data = data;
    this.#readResponse = readResponse;
  }

  get response(): ResponseInfo {
    return this.#readResponse();
  }
}

/**
 * Creates the state of a call and starts its deadline.
 *
 * @param group the method that makes several calls, if any. It disposes of its deadline.
 */
export function createCallState<T>(
  client: ClientContext,
  operation: Operation<T>,
  options: CallOptions | null | undefined,
  group: CallGroup | undefined,
): CallState<T> {
  const plan = planCall(client, operation, options, group);
  const { headers } = plan.settings;
  return {
    plan,
    attempts: new Attempts(group?.attempts),
    request: {
      path: operation.path,
      apiKey: '',
      renewalCount: 0,
      renewedKey: undefined,
      headers: typeof headers === 'function' ? {} : headers,
      redactor: client.lastKey().redactor,
    },
  };
}

/**
 * Returns the outcome of a call without a request in flight. It is never `unknown` for a write, because an attempt with
 * an unknown outcome ends the call.
 */
export function outcomeSoFar({ plan, attempts }: CallState<unknown>): Outcome {
  if (attempts.last429 !== undefined || attempts.count(401) > 0) return 'refused';
  return isWrite(plan) || attempts.list.length === 0 ? 'not-sent' : 'unknown';
}
