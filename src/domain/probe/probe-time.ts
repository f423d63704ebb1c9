import { startTimeLimit } from '../../time/time-limit.js';
import type { Clock } from '../../time/clock.js';
import type { ProbeFailure } from './probe-failure.js';
import type { ProbeRoute } from '../report/options.js';
import type { StopSignal } from '../concurrency/stop-signal.js';

/** Limits of one probe, and where it connects. */
export interface ProbeLimits {
  /** Time limit of one connection and its response, in milliseconds. */
  timeoutMs: number;
  clock: Clock;
  stop: StopSignal;
  route?: ProbeRoute | undefined;
}

/**
 * Runs a callback-based probe until it ends, its time limit is reached or it is stopped. Never rejects.
 *
 * @param start Starts the probe. Returns a function that frees its resources, called exactly once.
 */
export function withinTime<T>(
  { timeoutMs, clock, stop }: ProbeLimits,
  start: (end: (value: T | ProbeFailure) => void) => () => void,
): Promise<T | ProbeFailure> {
  if (stop.isStopped) return Promise.resolve(ABORTED);
  return new Promise((resolve) => {
    let isOver = false;
    const frees: (() => void)[] = [];
    const end = (value: T | ProbeFailure): void => {
      if (isOver) return;
      isOver = true;
      for (const free of frees) free();
      resolve(value);
    };
    frees.push(
      startTimeLimit(clock, timeoutMs, () => {
        end({ kind: 'unreachable', detail: `no response within ${timeoutMs / 1_000} s` });
      }),
      stop.subscribe(() => {
        end(ABORTED);
      }),
    );
    const free = start(end);
    // A probe that ended during its start is not freed yet.
    if (isOver) free();
    else frees.push(free);
  });
}

const ABORTED: ProbeFailure = { kind: 'aborted', detail: 'the time limit was reached' };
