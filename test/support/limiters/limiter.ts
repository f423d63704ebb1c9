import type { Count, Counter, Quota } from './counters.js';

/** Lower-case names. A header that was sent twice has both values, joined by a comma. */
export type LimiterHeaders = Record<string, string>;

/** A response, and how long the limiter holds it back. */
export interface LimiterResponse {
  status: number;
  headers: LimiterHeaders;
  body: string;
  /** 0, unless the limiter queues requests. */
  delayMs: number;
}

/** A limiter that services really use, as data. */
export interface LimiterKind {
  /** Software and settings, unique. */
  name: string;
  version: string;
  /** Whether it is a package of npm that test/limiters compares with this stand-in. */
  isCompared: boolean;
  /**
   * What its responses show: both what is left and when it ends (`window`), a time to wait on a 429 only (`wait`), or
   * nothing that petstore can use (`nothing`).
   */
  shows: 'window' | 'wait' | 'nothing';
  /** The limits, in the order in which they are checked. Most have one: the quota itself. */
  stages: (quota: Quota) => readonly Stage[];
  /** Status, type and body of a rejected request. */
  rejection: { status: number; type: string; body: string };
  /** Sends no `Date`. */
  hasNoDate?: boolean;
}

/** One limit of a limiter. A request that it rejects does not reach the next one. */
export interface Stage {
  quota: Quota;
  counter: Counter;
  /** The headers that it sets. Headers of a later stage replace those of the same name. */
  headers: (count: Count, now: number, quota: Quota) => LimiterHeaders;
}

/** A limiter in virtual time, in front of a service that lists no pets. */
export interface Limiter {
  readonly kind: LimiterKind;
  /** Responds to a request that arrives at `now`, in milliseconds since the epoch. Times may not go back. */
  handle(now: number): LimiterResponse;
  /** Whether a request at that time would be allowed. Changes nothing. */
  wouldAllow(now: number): boolean;
}

/** Creates a limiter of a kind for a quota, such as 5 requests in 5,000 ms. */
export function createLimiter(kind: LimiterKind, quota: Quota): Limiter {
  const stages = kind.stages(quota);
  return {
    kind,
    handle(now) {
      const date: LimiterHeaders = kind.hasNoDate === true ? {} : { date: new Date(now).toUTCString() };
      const { isAllowed, headers, delayMs } = passStages(stages, now);
      const { status, type, body } = isAllowed ? SERVED : kind.rejection;
      return { status, headers: { ...date, 'content-type': type, ...headers }, body, delayMs };
    },
    wouldAllow: (now) =>
      passStages(
        stages.map((stage) => ({ ...stage, counter: stage.counter.copy() })),
        now,
      ).isAllowed,
  };
}

const SERVED = { status: 200, type: 'application/json; charset=utf-8', body: '[]' };

function passStages(
  stages: readonly Stage[],
  now: number,
): { isAllowed: boolean; headers: LimiterHeaders; delayMs: number } {
  const passed = { isAllowed: true, headers: {} as LimiterHeaders, delayMs: 0 };
  for (const { counter, headers, quota } of stages) {
    const count = counter.count(now);
    for (const [name, value] of Object.entries(headers(count, now, quota))) {
      const earlier = LIST_HEADERS.has(name) ? passed.headers[name] : undefined;
      passed.headers[name] = earlier === undefined ? value : `${earlier}, ${value}`;
    }
    passed.delayMs += count.delayMs ?? 0;
    passed.isAllowed = count.isAllowed;
    if (!count.isAllowed) break;
  }
  return passed;
}

/** Draft 8 lets several limits append to one list (express-rate-limit does). */
const LIST_HEADERS = new Set(['ratelimit', 'ratelimit-policy']);

/**
 * The shortest time in which a limiter can serve a number of requests: each is sent as soon as it would be allowed.
 * Measured from the first request, in steps of a hundredth of the window.
 */
export function idealMs(kind: LimiterKind, quota: Quota, requests: number, startAt: number): number {
  const limiter = createLimiter(kind, quota);
  let now = startAt;
  let endsAt = now;
  for (let sent = 0; sent < requests; sent += 1) {
    while (!limiter.wouldAllow(now)) now += quota.windowMs / 100;
    endsAt = now + limiter.handle(now).delayMs;
  }
  return endsAt - startAt;
}
