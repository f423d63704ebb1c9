import { isPetStoreError } from '../../errors.js';
import { CommandFailure } from '../errors/command-failure.js';
import { Interruption } from '../system/context.js';
import { EXIT } from '../errors/exit-codes.js';
import { UsageError } from '../errors/usage-error.js';

/**
 * What is told of a write whose answer could not be written down, so that nobody sends it again.
 *
 * @param id what the answer calls `id`.
 */
export function carriedOutHint(id: unknown): string {
  const named = typeof id === 'number' || typeof id === 'bigint' ? `, id ${String(id)}` : '';
  return `the request was carried out${named}: do not send it again`;
}

/**
 * What becomes of a failure that came once the service had answered. It is never bad usage, because exit code 2 says
 * that nothing was sent; and of a write it must be told that it was carried out.
 *
 * @param method of the request that was answered; `undefined` where none was.
 */
export function failureAfterResponse(error: unknown, method: string | undefined): unknown {
  if (method === undefined || isPetStoreError(error)) return error;
  if (error instanceof CommandFailure || error instanceof Interruption) return error;
  const message = error instanceof Error ? error.message : String(error);
  const failure = { type: 'output', exitCode: EXIT.failed, cause: error };
  if (method !== 'GET' && method !== 'HEAD') {
    return new CommandFailure(`the request was carried out, but its output could not be made: ${message}`, {
      ...failure,
      hint: 'do not send it again; petstore pets list shows what is there',
    });
  }
  if (!(error instanceof UsageError)) return error;
  return new CommandFailure(message, {
    ...failure,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  });
}
