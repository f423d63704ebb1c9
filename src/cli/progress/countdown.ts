import type { ClientEvent, WaitReason } from '../../client/index.js';
import type { RateLimit } from '../../schema/rate-limit.js';
import type { Context } from '../system/context.js';
import { describeDuration, timeOfDay } from '../text/duration.js';

/** A line on stderr that follows what the client does. */
export interface LiveLine {
  onEvent(event: ClientEvent): void;
  /** Takes the line off the terminal, for something else to be written; it may come back. */
  hide(): void;
  /** Takes it off for good. */
  clear(): void;
}

/** Shorter waits are over before they are read. */
const SHOWN_FROM_MS = 1_000;
const TICK_MS = 1_000;
const CLEAR_LINE = '\r\u001b[K';

/**
 * Shows that and how long the client waits: on a terminal one line that counts down and goes away; elsewhere one plain line for each wait.
 */
export function createCountdown(context: Pick<Context, 'stderr' | 'clock'>, quiet: boolean): LiveLine {
  const { stderr, clock } = context;
  let rateLimit: RateLimit | undefined;
  let cancelTick: (() => void) | undefined;
  let shown = false;

  function hide(): void {
    if (shown) stderr.write(CLEAR_LINE);
    shown = false;
  }

  function clear(): void {
    cancelTick?.();
    cancelTick = undefined;
    hide();
  }

  function tick(reason: WaitReason, until: number): void {
    const leftMs = until - clock.now();
    if (leftMs <= 0) {
      clear();
      return;
    }
    stderr.write(
      `${CLEAR_LINE}${fitted(`${describeWait(reason, rateLimit, until, leftMs)}; ^C stops`, stderr.columns)}`,
    );
    shown = true;
    cancelTick = clock.setTimeout(
      () => {
        tick(reason, until);
      },
      Math.min(TICK_MS, leftMs),
    );
  }

  return {
    hide,
    clear,
    onEvent(event) {
      if (event.type === 'rate-limit') rateLimit = event.rateLimit;
      if (event.type === 'request' || event.type === 'failure') clear();
      if (event.type !== 'wait' || quiet || event.delayMs === undefined || event.delayMs < SHOWN_FROM_MS)
        return;
      const until = clock.now() + event.delayMs;
      clear();
      if (stderr.isTTY) tick(event.reason, until);
      else stderr.write(`${describeWait(event.reason, rateLimit, until, event.delayMs)}\n`);
    },
  };
}

function describeWait(
  reason: WaitReason,
  rateLimit: RateLimit | undefined,
  until: number,
  leftMs: number,
): string {
  return `${cause(reason, rateLimit)}: trying again in ${describeDuration(leftMs)}, at ${timeOfDay(until)}`;
}

function cause(reason: WaitReason, rateLimit: RateLimit | undefined): string {
  if (reason === 'backoff') return 'no good answer';
  const word = reason === 'rate-limited' ? 'rate limit reached' : 'rate limit used up';
  if (rateLimit === undefined) return word;
  const window = { minute: '/min', day: '/day', unknown: '' }[rateLimit.window ?? 'unknown'];
  return `${word} (${String(rateLimit.limit)}${window})`;
}

/** A line that wraps can't be rewritten in place. */
function fitted(line: string, columns: number | undefined): string {
  return columns === undefined || line.length < columns ? line : line.slice(0, Math.max(0, columns - 1));
}
