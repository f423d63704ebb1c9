import type { Command } from 'commander';
import type { KnownBudget } from '../../../client/index.js';
import { RateLimitError } from '../../../errors.js';
import type { RateLimit } from '../../../schema/rate-limit.js';
import type { Bind, Session } from '../../session/action.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { describeDuration } from '../../text/duration.js';
import { addExamples } from '../../help/examples.js';
import { EXIT } from '../../errors/exit-codes.js';
import { describeFields } from '../../help/describe-fields.js';
import { FIELDS, type KnownLimit, limitView } from './limit-view.js';

/** What `limits` does. */
export interface LimitsOptions {
  /** Looks at what is known on this machine, and sends nothing. */
  offline: boolean;
}

export function registerLimits(program: Command, bind: Bind): void {
  const command = program
    .command('limits')
    .description(
      'Show the rate limit of the key: the plan (inferred), requests left, when it resets. Costs one request.',
    )
    .option('--offline', 'show what is known here already, and send nothing')
    .action((flags: { offline?: true }) => bind(showLimits, { offline: flags.offline === true }));
  describeFields(command, FIELDS);
  addExamples(
    command,
    [
      'petstore limits',
      'petstore limits --offline',
      'petstore limits --json',
      'petstore limits --query remaining',
    ],
    'What is done about the limit: petstore help rate-limits',
  );
}

async function showLimits({ offline }: LimitsOptions, session: Session): Promise<undefined> {
  const store = await session.client({ once: true, fields: FIELDS, offline });
  const told = offline ? undefined : await askForLimit(session);
  const budget = await store.budget();
  const known = offline ? tightest(budget, session) : told;
  if (known === undefined) throw nothingKnown(offline);
  await session.print(limitView(known, budget, session));
  if (budget.heldForMs > 0)
    session.note(`after a 429 nothing is sent with this key for ${describeDuration(budget.heldForMs)}`);
  if (known.plan !== undefined)
    session.note('the plan is inferred from the limit and its window: the service does not name it');
}

function nothingKnown(offline: boolean): CommandFailure {
  return offline
    ? new CommandFailure('nothing is known here of the rate limit of this key', {
        type: 'not-found',
        exitCode: EXIT.notFound,
        hint: 'petstore limits asks the service, for one request',
      })
    : new CommandFailure('the answer carried no rate limit headers', {
        type: 'invalid-response',
        exitCode: EXIT.unavailable,
        hint: 'check that the base URL is that of the service, /v1 included; -v shows the answer',
      });
}

/** Of the windows that are known, the one that allows the fewest requests; or the hold of a 429. */
function tightest({ windows, heldForMs }: KnownBudget, { context }: Session): KnownLimit | undefined {
  const [first] = [...windows].sort((one, other) => one.remaining - other.remaining);
  if (first !== undefined) return { ...first, untilResetMs: Math.max(first.resetsInMs, heldForMs) };
  if (heldForMs === 0) return undefined;
  return { remaining: 0, resetAt: context.clock.now() + heldForMs, untilResetMs: heldForMs };
}

/** A used-up limit is an answer too: the refusal says all there is to know. */
async function askForLimit(session: Session): Promise<KnownLimit | undefined> {
  const store = await session.client();
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
      // Where nothing was sent, the wait is counted from what was told before.
      untilResetMs:
        seen.resetAt === undefined || headers.date === undefined
          ? retryAfterMs
          : untilReset({ resetAt: seen.resetAt }, headers, session),
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
