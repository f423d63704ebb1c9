import type { Command } from 'commander';
import { RateLimitError } from '../../../errors.js';
import type { Plan, RateLimit, RateWindow } from '../../../schema/rate-limit.js';
import { CommandFailure } from '../../command-failure.js';
import { describeDuration } from '../../duration.js';
import { addExamples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import type { Column } from '../../output/index.js';
import type { Bind, Session } from '../../action.js';

/** What is known of a limit, from the headers of an answer or from a refusal. */
interface KnownLimit {
  limit?: number;
  remaining?: number;
  /** Milliseconds since the epoch, by the service's clock. */
  resetAt?: number;
  /** Milliseconds from the answer to the reset: the same whatever the clock of this machine says. */
  untilResetMs?: number;
  window?: RateWindow;
  plan?: Plan;
}

const COLUMNS: readonly Column[] = [
  { field: 'plan', header: 'plan' },
  { field: 'window', header: 'window' },
  { field: 'limit', header: 'limit', fixed: true },
  { field: 'remaining', header: 'remaining', fixed: true },
  { field: 'reset', header: 'reset', fixed: true },
];

const FIELDS = [...COLUMNS.map(({ field }) => field), 'planInferred', 'resetInSeconds'];

export function registerLimits(program: Command, bind: Bind): void {
  const command = program
    .command('limits')
    .description(
      'Show the rate limit of the key: the plan (inferred), requests left, when it resets. Costs one request.',
    )
    .action(() => bind(showLimits, {}));
  addExamples(command, ['petstore limits', 'petstore limits --json', 'petstore limits --query remaining']);
}

async function showLimits(_options: object, session: Session): Promise<undefined> {
  const known = await askForLimit(session);
  if (known === undefined) {
    throw new CommandFailure('the answer carried no rate limit headers', {
      type: 'invalid-response',
      exitCode: EXIT.unavailable,
      hint: 'check that the base URL is that of the service, /v1 included; -v shows the answer',
    });
  }
  await session.print({ kind: 'record', row: limitRow(known, session), columns: COLUMNS });
  if (known.plan !== undefined)
    session.note('the plan is inferred from the limit and its window: the service does not name it');
}

/** A used-up limit is an answer too: the refusal says all there is to know. */
async function askForLimit(session: Session): Promise<KnownLimit | undefined> {
  const store = await session.client({ once: true, fields: FIELDS });
  try {
    const { response } = await store.pets
      .list({ limit: 1 }, { signal: session.context.signal })
      .withResponse();
    const { rateLimit } = response;
    return rateLimit && { ...rateLimit, untilResetMs: untilReset(rateLimit, response.headers, session) };
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error;
    const seen: Partial<RateLimit> = store.rateLimit ?? {};
    const { limit, window, retryAt, retryAfterMs, headers } = error;
    return {
      ...seen,
      ...(limit === undefined ? {} : { limit }),
      ...(window === undefined ? {} : { window }),
      remaining: 0,
      resetAt: seen.resetAt ?? retryAt.getTime(),
      untilResetMs:
        seen.resetAt === undefined ? retryAfterMs : untilReset({ resetAt: seen.resetAt }, headers, session),
    };
  }
}

/** Both moments by the service's clock, which the answer's `Date` tells; this machine's stands in where it does not. */
function untilReset(
  { resetAt }: Pick<RateLimit, 'resetAt'>,
  headers: Readonly<Record<string, string>>,
  { context }: Session,
): number {
  const answeredAt = Date.parse(headers.date ?? '');
  return Math.max(0, resetAt - (Number.isNaN(answeredAt) ? context.clock.now() : answeredAt));
}

function limitRow(known: KnownLimit, { format, context }: Session): Record<string, unknown> {
  const { limit, remaining, resetAt, untilResetMs, window, plan } = known;
  if (format !== 'table') {
    const reset = resetAt === undefined ? null : new Date(resetAt).toISOString();
    const inferred = { plan: plan ?? null, planInferred: plan !== undefined, window: window ?? null };
    const resetInSeconds = untilResetMs === undefined ? null : Math.ceil(untilResetMs / 1_000);
    return { ...inferred, limit: limit ?? null, remaining: remaining ?? null, reset, resetInSeconds };
  }
  return {
    plan: plan === undefined ? 'unknown' : `${plan} (inferred)`,
    window: window ?? 'unknown',
    limit: limit ?? 'unknown',
    remaining: remaining ?? 'unknown',
    reset: untilResetMs === undefined ? 'unknown' : forPeople(untilResetMs, context.clock.now()),
  };
}

/** By the clock on the wall: the reader waits for it. */
function forPeople(untilResetMs: number, now: number): string {
  const relative = untilResetMs === 0 ? 'now' : `in ${describeDuration(untilResetMs)}`;
  return `${new Date(now + untilResetMs).toLocaleString('sv-SE')} (${relative})`;
}
