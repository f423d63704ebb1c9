import {
  type GateStore,
  type KnownBudget,
  type PetStore,
  resetBudget,
  unreadableRateLimitHeaders,
  unreadableText,
} from '../../../client/internal.js';
import type { ErrorResponse } from '../../../error-fields.js';
import { RateLimitError } from '../../../errors.js';
import { toggle, type ValuesOf } from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { defineCommand, outputFields } from '../../session/command.js';
import { noApiKey } from '../../settings/credentials/api-key.js';
import { findSessionKey } from '../../session/session-key.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { describeDuration } from '../../../time/duration.js';
import { EXIT } from '../../errors/exit-codes.js';
import { UsageError } from '../../errors/usage-error.js';
import { isDocumentFormat } from '../../output/index.js';
import { FIELDS, isForPeople, type ShownLimit, limitView } from './limit-view.js';

const FLAGS = {
  offline: toggle('--offline', 'Show the last known values; send nothing'),
  reset: toggle('--reset', 'Clear the stored values and waits of this key; send nothing'),
};

export const limits = defineCommand({
  word: 'limits',
  description:
    'Show the rate limit of the key: plan (inferred), remaining requests, time of the reset. Sends one request.',
  flags: FLAGS,
  fields: outputFields(FIELDS),
  examples: [
    'petstore limits',
    'petstore limits --offline',
    'petstore limits --reset',
    'petstore limits --json',
    'petstore limits --query remaining',
  ],
  notes: `In a pipe: plan, window, limit, remaining and reset, separated by tabs. What is not known is "unknown".
See: petstore help rate-limits`,
  run: showLimits,
});

async function showLimits({ offline, reset }: ValuesOf<typeof FLAGS>, session: Session): Promise<undefined> {
  if (reset) return resetLimits(offline, session);
  const store = await session.client({ once: true, fields: FIELDS, offline });
  const { limit, unreadable } = offline ? NOTHING_RECEIVED : await requestLimit(store, session);
  const budget = await store.budget();
  // Without readable headers, earlier 429 responses may have revealed a window.
  const known = limit ?? tightest(budget);
  if (known === undefined) {
    if (!offline) throw noLimit(unreadable);
    if (isDocumentFormat(session.format)) await session.print(limitView({}, budget, session));
    session.note(
      'The rate limit of this key is not known on this machine. Run "petstore limits" to request it.',
    );
    return;
  }
  await session.print(limitView(known, budget, session));
  if (unreadable.length > 0) session.note(`${unreadableSentence(unreadable)}.`);
  if (budget.heldForMs > 0) session.note(holdText(budget));
  // Otherwise the output itself says so.
  if (known.plan !== undefined && !isForPeople(session) && !isDocumentFormat(session.format))
    session.note('The plan is inferred from the limit and its window: the API does not name it.');
}

/** What a request for the limit received. */
interface Received {
  /** Absent if the headers are missing or can't be read. */
  limit?: ShownLimit | undefined;
  /** Headers that can't be read. */
  unreadable: readonly string[];
}

const NOTHING_RECEIVED: Received = { unreadable: [] };

function noLimit(unreadable: readonly string[]): CommandFailure {
  const failure = { type: 'invalid-response', exitCode: EXIT.unavailable } as const;
  if (unreadable.length === 0)
    return new CommandFailure('The response has no rate limit headers', {
      ...failure,
      hint: 'petstore can learn the limit from 429 responses: petstore help rate-limits',
    });
  const hint = 'To see which forms petstore reads, run: petstore help rate-limits';
  return new CommandFailure(unreadableSentence(unreadable), { ...failure, hint });
}

function unreadableSentence(unreadable: readonly string[]): string {
  return `The service sends ${unreadableText(unreadable)}`;
}

function holdText({ heldForMs, retryAfterMs }: KnownBudget): string {
  const hold = `After a 429 response, no request is sent with this key for ${describeDuration(heldForMs)}.`;
  return retryAfterMs > 0 ? hold : `${hold} The service did not say how long to wait.`;
}

/** Returns the known window with the fewest remaining requests. A wait after a 429 response says nothing about them. */
function tightest({ windows, heldForMs }: KnownBudget): ShownLimit | undefined {
  const [first] = [...windows].sort((one, other) => one.remaining - other.remaining);
  return first ?? (heldForMs === 0 ? undefined : {});
}

/** Requests the limit. A 429 response is a result too. */
async function requestLimit(store: PetStore, session: Session): Promise<Received> {
  try {
    const { response } = await store.pets
      .list({ limit: 1 }, { signal: session.context.signal })
      .withResponse();
    return {
      limit: response.rateLimit && limitOf(response, session),
      unreadable: unreadableRateLimitHeaders(response.headers),
    };
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error;
    if (error.outcome === 'refused' && error.response !== undefined)
      return {
        limit: limitOf(error.response, session),
        unreadable: unreadableRateLimitHeaders(error.response.headers),
      };
    const budget = await store.budget();
    // Requests are left, but responses to other commands are missing.
    if (error.remaining !== 0 && budget.heldForMs === 0) throw error;
    return { limit: tightest(budget), unreadable: [] };
  }
}

/** Measures the time to the reset by the service's clock (the response's `Date`), or by the local clock without one. */
function limitOf(
  { rateLimit, headers }: Pick<ErrorResponse, 'rateLimit' | 'headers'>,
  { context }: Session,
): ShownLimit {
  if (rateLimit === undefined) return {};
  const respondedAt = Date.parse(headers.date ?? '');
  const now = Number.isNaN(respondedAt) ? context.clock.now() : respondedAt;
  return { ...rateLimit, resetsInMs: Math.max(0, rateLimit.resetAt.getTime() - now) };
}

/** Clears the stored rate budget of the key, with all waits. Sends nothing to the service. */
async function resetLimits(offline: boolean, session: Session): Promise<undefined> {
  const { context, settings, global } = session;
  if (offline) throw new UsageError('--offline and --reset contradict each other', 'Pass only one of them.');
  if (session.recorder !== undefined) {
    session.note('Would clear the stored rate budget of this key.');
    return;
  }
  const { openGate } = await import('../../settings/config/gate.js');
  const gate = global.mock ? 'memory' : openGate(settings.gate, context);
  // Another user can change the directory, so commands do not use what is stored there.
  if (gate === 'memory' && !global.mock && settings.gate !== 'memory')
    throw new UsageError(
      "Can't clear the stored rate budget, because the state directory is not safe",
      'Run "petstore doctor" to check where the budget is stored.',
    );
  const cleared = gate !== 'memory' && (await clear(gate, session));
  if (isDocumentFormat(session.format))
    await session.print({
      kind: 'record',
      row: { cleared },
      columns: [{ field: 'cleared', header: 'cleared' }],
    });
  if (cleared) session.confirm('Cleared the stored rate budget of this key.', true);
  else session.note('No rate budget of this key was stored.');
}

async function clear(gate: GateStore, session: Session): Promise<boolean> {
  const key = await findSessionKey(session);
  const { context, settings, baseUrl } = session;
  if (key === undefined) throw noApiKey(settings, context);
  let filesText = '';
  try {
    return await resetBudget(gate, new URL(baseUrl).origin, key.secret, context.clientClock, (wasStored) => {
      filesText = wasStored
        ? 'The budget in the files of this machine was cleared. '
        : 'The files of this machine had no budget of this key. ';
    });
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.message})` : '';
    const place = filesText === '' ? '' : ' in Redis';
    throw new CommandFailure(`Can't clear the stored rate budget${place}${reason}`, {
      type: 'unavailable',
      exitCode: EXIT.unavailable,
      hint: `${filesText}Run "petstore doctor" to check where the budget is stored.`,
      cause: error,
    });
  } finally {
    await gate.close();
  }
}
