import { type GateStore, type KnownBudget, resetBudget } from '../../../client/index.js';
import { RateLimitError } from '../../../errors.js';
import { dateAt, type RateLimit } from '../../../schema/rate-limit.js';
import { toggle, type ValuesOf } from '../../command-line/flag.js';
import type { Session } from '../../session/action.js';
import { defineCommand, outputFields } from '../../session/command.js';
import { findApiKey, noApiKey } from '../../credentials/api-key.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { describeDuration } from '../../../time/duration.js';
import { EXIT } from '../../errors/exit-codes.js';
import { UsageError } from '../../errors/usage-error.js';
import { isDocumentFormat } from '../../output/index.js';
import { FIELDS, isForPeople, type KnownLimit, limitView } from './limit-view.js';

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
  notes: 'How petstore keeps to the limit: petstore help rate-limits',
  run: showLimits,
});

async function showLimits({ offline, reset }: ValuesOf<typeof FLAGS>, session: Session): Promise<undefined> {
  if (reset) return resetLimits(offline, session);
  const store = await session.client({ once: true, fields: FIELDS, offline });
  const received = offline ? undefined : await requestLimit(session);
  const budget = await store.budget();
  const known = offline ? tightest(budget, session) : received;
  if (known === undefined) {
    if (!offline) throw unknownLimit();
    if (isDocumentFormat(session.format)) await session.print(limitView({}, budget, session));
    session.note(
      'The rate limit of this key is not known on this machine. Run "petstore limits" to request it.',
    );
    return;
  }
  await session.print(limitView(known, budget, session));
  if (budget.heldForMs > 0)
    session.note(
      `After a 429 response, no request is sent with this key for ${describeDuration(budget.heldForMs)}.`,
    );
  // Otherwise the output itself says so.
  if (known.plan !== undefined && !isForPeople(session) && !isDocumentFormat(session.format))
    session.note('The plan is inferred from the limit and its window: the API does not name it.');
}

function unknownLimit(): CommandFailure {
  return new CommandFailure('The response has no rate limit headers', {
    type: 'invalid-response',
    exitCode: EXIT.unavailable,
    hint: 'Check the base URL. Pass -v to see the request and the response.',
  });
}

/** Returns the known window with the fewest remaining requests, or the wait after a 429 response. */
function tightest({ windows, heldForMs }: KnownBudget, { context }: Session): KnownLimit | undefined {
  const [first] = [...windows].sort((one, other) => one.remaining - other.remaining);
  if (first !== undefined) return { ...first, resetsInMs: Math.max(first.resetsInMs, heldForMs) };
  if (heldForMs === 0) return undefined;
  return { remaining: 0, resetAt: dateAt(context.clock.now() + heldForMs), resetsInMs: heldForMs };
}

/** Requests the limit. A 429 response is a result too: nothing remains. */
async function requestLimit(session: Session): Promise<KnownLimit | undefined> {
  const store = await session.client();
  try {
    const { response } = await store.pets
      .list({ limit: 1 }, { signal: session.context.signal })
      .withResponse();
    const { rateLimit } = response;
    return rateLimit && { ...rateLimit, resetsInMs: untilReset(rateLimit, response.headers, session) };
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error;
    // Requests are left, but responses to other commands are missing.
    const isUsedUp = error.remaining === 0 || (await store.budget()).heldForMs > 0;
    if (error.outcome === 'not-sent' && !isUsedUp) throw error;
    const last: Partial<RateLimit> = store.rateLimit ?? {};
    const { limit, window, retryAt, retryAfterMs, response } = error;
    const { headers = {} } = response ?? {};
    return {
      ...last,
      ...(limit === undefined ? {} : { limit }),
      ...(window === undefined ? {} : { window }),
      remaining: 0,
      resetAt: last.resetAt ?? retryAt,
      // If no request was sent, the wait is measured from the last known reset.
      resetsInMs:
        last.resetAt === undefined || headers.date === undefined
          ? retryAfterMs
          : untilReset({ resetAt: last.resetAt }, headers, session),
    };
  }
}

/** Measures the time to the reset by the service's clock (the response's `Date`), or by the local clock without one. */
function untilReset(
  { resetAt }: Pick<RateLimit, 'resetAt'>,
  headers: Readonly<Record<string, string>>,
  { context }: Session,
): number {
  const respondedAt = Date.parse(headers.date ?? '');
  return Math.max(0, resetAt.getTime() - (Number.isNaN(respondedAt) ? context.clock.now() : respondedAt));
}

/** Clears the stored rate budget of the key, with all waits. Sends nothing to the service. */
async function resetLimits(offline: boolean, session: Session): Promise<undefined> {
  const { context, settings, global } = session;
  if (offline) throw new UsageError('--offline and --reset contradict each other', 'Pass only one of them.');
  if (session.recorder !== undefined) {
    session.note('Would clear the stored rate budget of this key.');
    return;
  }
  const { openGate } = await import('../../config/gate.js');
  const gate = global.mock ? 'memory' : openGate(settings.gate, context);
  const cleared = gate !== 'memory' && (await clear(gate, session));
  if (isDocumentFormat(session.format))
    await session.print({
      kind: 'record',
      row: { cleared },
      columns: [{ field: 'cleared', header: 'cleared' }],
    });
  session.note(
    cleared ? 'Cleared the stored rate budget of this key.' : 'No rate budget of this key was stored.',
  );
}

async function clear(gate: GateStore, { context, settings, baseUrl }: Session): Promise<boolean> {
  const key = await findApiKey(settings, context);
  if (key === undefined) throw noApiKey(settings);
  try {
    return await resetBudget(gate, new URL(baseUrl).origin, key.secret, context.clientClock);
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.message})` : '';
    throw new CommandFailure(`Can't clear the stored rate budget${reason}`, {
      type: 'unavailable',
      exitCode: EXIT.unavailable,
      hint: 'Run "petstore doctor" to check where the budget is stored.',
      cause: error,
    });
  } finally {
    await gate.close();
  }
}
