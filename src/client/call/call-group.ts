import { type ErrorType, isPetStoreError } from '../../errors.js';
import type { CallOptions } from '../contract/options.js';
import { type Deadline, startDeadline } from '../../time/time-limit.js';
import type { ClientContext } from './client-context.js';
import { resolveSettings } from './settings.js';

/** A method that makes several calls under one deadline. */
export interface CallGroup {
  readonly deadline: Deadline;
  /** Number of the method's own call, for events. `undefined` if its calls are not reported as parts of it. */
  readonly id?: number;
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

/** Reports the calls of a group as parts of one operation. */
export function reportGroup<T>(
  client: ClientContext,
  operation: string,
  { deadline }: CallGroup,
  run: (group: CallGroup) => Promise<T>,
): Promise<T> {
  const id = client.nextCallId();
  return reportCall(client, { call: id, operation }, () => run({ deadline, id }));
}

/** Emits the events for the start and the end of a call. */
export function reportCall<T>(
  { emit, clock }: ClientContext,
  { call, operation, parent }: { call: number; operation: string; parent?: number | undefined },
  perform: () => Promise<T>,
): Promise<T> {
  if (emit === undefined) return perform();
  const description = { call, operation, ...(parent === undefined ? {} : { parent }) };
  const startedAt = clock.monotonic();
  const end = (error?: unknown): void => {
    const errorType: { errorType?: ErrorType } = isPetStoreError(error) ? { errorType: error.type } : {};
    emit({ type: 'call-end', ...description, elapsedMs: clock.monotonic() - startedAt, ...errorType });
  };
  emit({ type: 'call-start', ...description });
  return perform().then(
    (result) => {
      end();
      return result;
    },
    (error: unknown) => {
      end(error);
      throw error;
    },
  );
}
