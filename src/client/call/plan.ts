import type { Attempt } from '../../error-fields.js';
import { joinSignals } from '../../time/signals.js';
import { type Deadline, startDeadline } from '../../time/time-limit.js';
import type { CallOptions } from '../contract/options.js';
import type { Operation } from '../response/classify-response.js';
import type { ClientContext } from './client-context.js';
import { resolveSettings, type Settings } from './settings.js';

/** A method that makes several calls under one deadline. */
export interface CallGroup {
  readonly deadline: Deadline;
  /** Number of the method's own call, for events. `undefined` if its calls are not reported as parts of it. */
  readonly id?: number;
  /** All attempts of these calls, for the event of its end. */
  readonly attempts?: Attempt[];
}

/** What a call is to do. Nothing in it changes during the call. */
export interface CallPlan<T> {
  readonly client: ClientContext;
  readonly operation: Operation<T>;
  readonly settings: Settings;
  readonly deadline: Deadline;
  /** Aborts the waits of the call: the signal of the call, its deadline or `waitSignal`. */
  readonly waitSignal: AbortSignal | undefined;
  readonly beforeSend: CallOptions['beforeSend'];
  /** Number of the call, for events. */
  readonly id: number;
  /** Removes timers and listeners. */
  dispose(): void;
}

/**
 * Plans a call and starts its deadline.
 *
 * @param group the method that makes several calls, if any. It disposes of its deadline.
 */
export function planCall<T>(
  client: ClientContext,
  operation: Operation<T>,
  options: CallOptions | null | undefined,
  group: CallGroup | undefined,
): CallPlan<T> {
  const settings = resolveSettings(client.settings, options);
  const deadline = group?.deadline ?? startDeadline(client.clock, settings.deadlineMs, options?.signal);
  const waits = joinSignals(deadline.signal, options?.waitSignal);
  return {
    client,
    operation,
    settings,
    deadline,
    waitSignal: waits.signal,
    beforeSend: options?.beforeSend,
    id: client.nextCallId(),
    dispose() {
      waits.dispose();
      if (group === undefined) deadline.dispose();
    },
  };
}

/** Safe methods (RFC 9110, section 9.2.1). All others are writes. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Checks whether the call may have an effect on the service. A write is retried only if it certainly had no effect.
 */
export function isWrite({ operation }: { operation: Pick<Operation<unknown>, 'method'> }): boolean {
  return !SAFE_METHODS.has(operation.method);
}
