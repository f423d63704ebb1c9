import type { State, Tenant } from './wire.js';

/** The last state, and the time of the browser when it arrived. */
export interface ReceivedState {
  /** Absent until the first event. */
  state: State | undefined;
  /** In milliseconds. */
  stateAt: number;
}

/** The time of a clock of the mock. */
export interface MockTime {
  /** Milliseconds since the epoch. */
  now: number;
  isFrozen: boolean;
  /** How far it is ahead of the clock without `advance`, in milliseconds. */
  aheadMs: number;
}

/**
 * Returns the time of the mock, or of one key, as it is now.
 *
 * @param pageNow time of the browser, as in `stateAt`.
 */
export function mockTime({ state, stateAt }: ReceivedState, pageNow: number, tenant?: Tenant): MockTime {
  if (state === undefined) return { now: 0, isFrozen: true, aheadMs: 0 };
  const { clockFrozen: isFrozen, now } = tenant ?? { ...state };
  const at = Date.parse(now);
  return {
    now: at + (isFrozen ? 0 : pageNow - stateAt),
    isFrozen,
    aheadMs: state.clockOffsetMs + at - Date.parse(state.now),
  };
}

/** A rate window, as it is now. */
export interface WindowNow {
  limit: number;
  used: number;
  resetsInMs: number;
}

/**
 * Returns a window as it is at a time. After its end it is the next one, without requests.
 *
 * @param lengthMs of the window.
 */
export function windowAt(
  { limit, used, resetsAt }: { limit: number; used: number; resetsAt: string },
  lengthMs: number,
  now: number,
): WindowNow {
  const end = Date.parse(resetsAt);
  if (now < end) return { limit, used, resetsInMs: end - now };
  return { limit, used: 0, resetsInMs: lengthMs - ((now - end) % lengthMs) };
}
