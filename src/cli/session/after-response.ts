import { isPetStoreError } from '../../errors.js';
import type { Session } from './session.js';
import { CommandFailure } from '../errors/command-failure.js';
import { Interruption } from '../system/context.js';
import { EXIT } from '../errors/exit-codes.js';
import { UsageError } from '../errors/usage-error.js';

/**
 * The hint for a write whose response could not be printed, so that the user does not send it again.
 *
 * @param id the `id` of the response.
 */
export function carriedOutHint(id: unknown): string {
  const named = typeof id === 'number' || typeof id === 'bigint' ? ` (id ${String(id)})` : '';
  return `The request was carried out${named}. Do not send it again.`;
}

/**
 * Says on stderr that a query selects nothing after a write, because that hides what was created.
 *
 * @param carriedOut the hint of a write, from {@link carriedOutHint}.
 */
export function noteQueryResult(
  text: string,
  { global: { query }, note }: Pick<Session, 'global' | 'note'>,
  carriedOut?: string,
): void {
  if (query !== undefined && carriedOut !== undefined && SELECTS_NOTHING.test(text))
    note(`--query selects nothing. ${carriedOut}`);
}

/** The output of null or of an empty list, in every format. */
const SELECTS_NOTHING = /^\s*(?:null|\[\])?\s*$/;

/**
 * Converts a failure that occurred after a response. It is never a usage error, because exit code 2 means that nothing
 * was sent. After a write the message says that the write was carried out.
 *
 * @param method the method of the request with a response; `undefined` if there was none.
 */
export function failureAfterResponse(error: unknown, method: string | undefined): unknown {
  if (method === undefined || isPetStoreError(error)) return error;
  const isUsage = error instanceof UsageError;
  if ((error instanceof CommandFailure && !isUsage) || error instanceof Interruption) return error;
  const message = error instanceof Error ? error.message : String(error);
  const failure = { type: 'output', exitCode: EXIT.failed, cause: error };
  if (method !== 'GET' && method !== 'HEAD') {
    return new CommandFailure(`The request was carried out, but its output failed: ${message}`, {
      ...failure,
      hint: 'Do not send it again. Run "petstore pets list --all" to see the result.',
    });
  }
  return isUsage ? new CommandFailure(message, { ...failure, hint: error.hint }) : error;
}
