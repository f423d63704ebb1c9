import type { ClientEvent, WaitReason } from '../../client/index.js';
import type { RateLimit } from '../../schema/rate-limit.js';
import type { Context } from '../system/context.js';
import { widthOf } from './progress-text.js';
import { describeDuration, timeOfDay } from '../../time/duration.js';

/** A line on stderr that shows what the client does. */
export interface LiveLine {
  onEvent(event: ClientEvent): void;
  /** Removes the line until the next update, so that other text can be written. */
  hide(): void;
  /** Removes the line and stops its updates. */
  clear(): void;
}

/** Shorter waits end before they can be read. */
const SHOWN_FROM_MS = 1_000;
const TICK_MS = 1_000;
const CLEAR_LINE = '\r\u001b[K';

/**
 * Shows how long the client waits: on a terminal one line that counts down and disappears, otherwise one plain line for
 * each wait.
 */
export function createCountdown(context: Pick<Context, 'stderr' | 'clock'>, quiet: boolean): LiveLine {
  const { stderr, clock } = context;
  const last: LastEvents = {};
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
      `${CLEAR_LINE}${truncated(`${describeWait(reason, last, until, leftMs)} Press ^C to stop.`, widthOf(stderr))}`,
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
      if (event.type === 'rate-limit') last.rateLimit = event.rateLimit;
      if (event.type === 'response') last.status = event.status;
      if (event.type === 'failure') delete last.status;
      if (event.type === 'request' || event.type === 'failure') clear();
      if (event.type !== 'wait' || quiet || event.delayMs === undefined || event.delayMs < SHOWN_FROM_MS)
        return;
      const until = clock.now() + event.delayMs;
      clear();
      if (stderr.isTTY) tick(event.reason, until);
      else stderr.write(`${describeWait(event.reason, last, until, event.delayMs)}\n`);
    },
  };
}

interface LastEvents {
  rateLimit?: RateLimit;
  /** Status of the last response; absent after a failure without one. */
  status?: number;
}

function describeWait(reason: WaitReason, last: LastEvents, until: number, leftMs: number): string {
  const action = reason === 'paced' ? 'Sending' : 'Retrying';
  return `${causeOf(reason, last)}. ${action} in ${describeDuration(leftMs)}, at ${timeOfDay(until)}.`;
}

function causeOf(reason: WaitReason, { rateLimit, status }: LastEvents): string {
  if (reason === 'backoff')
    return status === undefined ? 'Request failed' : `Request failed (${String(status)})`;
  const text = reason === 'rate-limited' ? 'Rate limit reached' : 'Rate limit used up';
  if (rateLimit === undefined) return text;
  const window = { minute: '/min', day: '/day', unknown: '' }[rateLimit.window ?? 'unknown'];
  return `${text} (${String(rateLimit.limit)}${window})`;
}

/** A line that wraps can't be rewritten in place. */
function truncated(line: string, columns: number): string {
  return line.length < columns ? line : line.slice(0, Math.max(0, columns - 1));
}
