import type { DomainClock } from '../concurrency/clock.js';
import type { ProbeFailure } from './probe-failure.js';
import type { StopSignal } from '../concurrency/stop-signal.js';

/** What ends a probe early. */
export interface ProbeLimits {
  /** Milliseconds for one connection and all that is read from it. */
  timeoutMs: number;
  clock: DomainClock;
  stop: StopSignal;
}

/**
 * Runs what ends by a callback, until it ends, the time is up or the run is stopped. Never rejects.
 *
 * @param begin Starts it. Returns what frees everything; called once, however it ended.
 */
export function withinTime<T>(
  { timeoutMs, clock, stop }: ProbeLimits,
  begin: (end: (value: T | ProbeFailure) => void) => () => void,
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
      clock.setTimeout(() => {
        end({ kind: 'unreachable', detail: `no response within ${timeoutMs / 1_000} s` });
      }, timeoutMs),
      stop.subscribe(() => {
        end(ABORTED);
      }),
    );
    const free = begin(end);
    // What ended while it began has yet to be freed.
    if (isOver) free();
    else frees.push(free);
  });
}

const ABORTED: ProbeFailure = { kind: 'aborted', detail: 'the time allowed ran out' };
