import type { DomainClock } from '../concurrency/clock.js';
import type { ProbeTrouble } from './probe-trouble.js';
import type { Stop } from '../concurrency/stop.js';

/** What ends a probe early. */
export interface ProbeLimits {
  /** Milliseconds for one connection and all that is read from it. */
  timeoutMs: number;
  clock: DomainClock;
  stop: Stop;
}

/**
 * Runs what ends by a callback, until it ends, the time is up or the run is stopped. Never rejects.
 *
 * @param begin Starts it. Returns what frees everything; called once, however it ended.
 */
export function withinTime<T>(
  { timeoutMs, clock, stop }: ProbeLimits,
  begin: (end: (value: T | ProbeTrouble) => void) => () => void,
): Promise<T | ProbeTrouble> {
  if (stop.stopped) return Promise.resolve(ABORTED);
  return new Promise((resolve) => {
    let isOver = false;
    const frees: (() => void)[] = [];
    const end = (value: T | ProbeTrouble): void => {
      if (isOver) return;
      isOver = true;
      for (const free of frees) free();
      resolve(value);
    };
    frees.push(
      clock.setTimeout(() => {
        end({ kind: 'unreachable', detail: `no answer within ${timeoutMs / 1_000} s` });
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

const ABORTED: ProbeTrouble = { kind: 'aborted', detail: 'the time allowed ran out' };
