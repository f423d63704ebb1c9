/** A limit: how many requests, in which time. */
export interface Quota {
  limit: number;
  windowMs: number;
}

/** What a counter knows after a request. Times are milliseconds since the epoch. */
export interface Count {
  isAllowed: boolean;
  /** Requests left, as the limiter shows them. */
  remaining: number;
  /** The reset that the limiter shows. */
  resetAt: number;
  /** The time that the `Retry-After` of a rejected request is computed from. @default resetAt */
  retryAt?: number;
  /** How long an allowed request waits in a queue. @default 0 */
  delayMs?: number;
}

/** Counts requests in a window. */
export interface Counter {
  /** Counts a request that arrives now. */
  count(now: number): Count;
  /** A counter with the same state, to look ahead with. */
  copy(): Counter;
}

function counter<State extends object>(state: State, step: (state: State, now: number) => Count): Counter {
  return { count: (now) => step(state, now), copy: () => counter(structuredClone(state), step) };
}

/** How a fixed window differs between limiters. */
export interface FixedWindowOptions {
  /** The window begins at a multiple of its length, instead of with the first request. */
  isAligned?: boolean;
  /** A request at the very end still belongs to the window. */
  includesEnd?: boolean;
  /** What a rejected request changes: it starts the window again, or announces a wait that doubles each time. */
  onRejected?: 'restart' | 'double';
  /** How long the first rejected request closes the window for. */
  blockMs?: number;
  /** `remaining` of a rejected request. @default 0 */
  remainingBelow?: number;
}

/** A number of requests in each window. Rejected ones count, but do not extend it unless an option says so. */
export function fixedWindow({ limit, windowMs }: Quota, options: FixedWindowOptions = {}): Counter {
  const { isAligned = false, includesEnd = false, onRejected, blockMs, remainingBelow = 0 } = options;
  return counter({ used: 0, endsAt: Number.NEGATIVE_INFINITY }, (state, now) => {
    if (includesEnd ? now > state.endsAt : now >= state.endsAt) {
      state.used = 0;
      state.endsAt = (isAligned ? Math.floor(now / windowMs) * windowMs : now) + windowMs;
    }
    state.used += 1;
    const excess = state.used - limit;
    if (excess <= 0) return { isAllowed: true, remaining: -excess, resetAt: state.endsAt };
    if (onRejected !== undefined) state.endsAt = now + windowMs;
    if (blockMs !== undefined && excess === 1) state.endsAt = now + blockMs;
    const doubledMs = Math.min(windowMs * 2 ** (excess - 1), Number.MAX_SAFE_INTEGER);
    const resetAt = onRejected === 'double' ? now + doubledMs : state.endsAt;
    return { isAllowed: false, remaining: remainingBelow, resetAt };
  });
}

/** The requests of the last window; each leaves it alone. Rejected ones do not count. */
export function slidingLog({ limit, windowMs }: Quota): Counter {
  return counter({ times: [] as number[] }, (state, now) => {
    state.times = state.times.filter((time) => time > now - windowMs);
    const remaining = limit - state.times.length;
    if (remaining > 0) state.times.push(now);
    const resetAt = (state.times[0] ?? now) + windowMs;
    return { isAllowed: remaining > 0, remaining: Math.max(0, remaining - 1), resetAt };
  });
}

/** The requests of this aligned window, and a part of those of the one before. */
export function weightedWindows({ limit, windowMs }: Quota): Counter {
  return counter({ index: 0, used: 0, usedBefore: 0, blockedUntil: 0 }, (state, now) => {
    const index = Math.floor(now / windowMs);
    if (index !== state.index) {
      state.usedBefore = index === state.index + 1 ? state.used : 0;
      state.used = 0;
      state.index = index;
    }
    const resetAt = (index + 1) * windowMs;
    // A rejection is cached up to and including the reset.
    if (now <= state.blockedUntil) return { isAllowed: false, remaining: 0, resetAt: state.blockedUntil };
    const before = Math.floor((1 - (now % windowMs) / windowMs) * state.usedBefore);
    if (before + state.used >= limit) {
      state.blockedUntil = resetAt;
      return { isAllowed: false, remaining: 0, resetAt };
    }
    state.used += 1;
    return { isAllowed: true, remaining: limit - state.used - before, resetAt };
  });
}

/** A bucket that gets all its tokens at once after each window, counted from the first request. */
export function refilledBucket({ limit, windowMs }: Quota): Counter {
  return counter({ tokens: limit, refilledAt: undefined as number | undefined }, (state, now) => {
    const since = state.refilledAt ?? now;
    const refills = Math.floor((now - since) / windowMs);
    state.tokens = Math.min(limit, state.tokens + refills * limit);
    state.refilledAt = since + refills * windowMs;
    const isAllowed = state.tokens > 0;
    if (isAllowed) state.tokens -= 1;
    return { isAllowed, remaining: state.tokens, resetAt: state.refilledAt + windowMs };
  });
}

/**
 * nginx `limit_req` with `rate` = the limit in its window and `burst` = the limit − 1: an even drain, in thousandths of
 * a request. Rejected requests do not count.
 *
 * @param hasQueue without `nodelay`: requests of a burst wait for their turn.
 */
export function leakyBucket({ limit, windowMs }: Quota, hasQueue = false): Counter {
  const ratePerSecond = Math.floor((limit * 1_000_000) / windowMs);
  return counter({ excess: 0, last: undefined as number | undefined }, (state, now) => {
    const drained = Math.trunc((ratePerSecond * (now - (state.last ?? now))) / 1_000);
    const excess = state.last === undefined ? 0 : Math.max(0, state.excess - drained + 1_000);
    const isAllowed = excess <= (limit - 1) * 1_000;
    if (isAllowed) Object.assign(state, { excess, last: now });
    const delayMs = hasQueue && isAllowed ? Math.trunc((excess * 1_000) / ratePerSecond) : 0;
    return { isAllowed, remaining: 0, resetAt: now, delayMs };
  });
}

/**
 * HAProxy `http_req_rate(window)`: this period, and the part of the last one that is not over yet. Rejected requests
 * count, so a client that does not stop stays locked out.
 */
export function requestRate({ limit, windowMs }: Quota): Counter {
  return counter({ startedAt: Number.NEGATIVE_INFINITY, used: 0, usedBefore: 0 }, (state, now) => {
    if (now - state.startedAt >= windowMs) {
      const isNext = now - state.startedAt < 2 * windowMs;
      state.usedBefore = isNext ? state.used : 0;
      state.startedAt = isNext ? state.startedAt + windowMs : now;
      state.used = 0;
    }
    state.used += 1;
    const leftOfBefore = state.usedBefore * (state.startedAt + windowMs - now);
    const rate = Math.floor((leftOfBefore + state.used * windowMs) / windowMs);
    return { isAllowed: rate <= limit, remaining: 0, resetAt: now };
  });
}

/** Varnish `vsthrottle.is_denied`: whole tokens, added for the time since the last allowed request. */
export function wholeTokenBucket({ limit, windowMs }: Quota): Counter {
  return counter({ tokens: limit, last: undefined as number | undefined }, (state, now) => {
    const added = Math.floor(((now - (state.last ?? now)) / windowMs) * limit);
    const tokens = Math.min(limit, state.tokens + added);
    // A rejection happens without tokens only, and then leaves the state as it was.
    if (tokens > 0) Object.assign(state, { tokens: tokens - 1, last: now });
    return { isAllowed: tokens > 0, remaining: 0, resetAt: now };
  });
}

/**
 * Nest's throttler: each request leaves the window alone, and one too many closes it for a whole window from that moment.
 * The shown reset is that of the first request.
 */
export function blockingLog({ limit, windowMs }: Quota): Counter {
  const start = { ends: [] as number[], resetAt: 0, blockedUntil: undefined as number | undefined };
  return counter(start, (state, now) => {
    state.ends = state.ends.filter((end) => end > now);
    if (state.resetAt <= now) state.resetAt = now + windowMs;
    const { resetAt } = state;
    if (state.blockedUntil === undefined) {
      state.ends.push(now + windowMs);
      if (state.ends.length > limit) state.blockedUntil = now + windowMs;
    } else if (state.blockedUntil <= now) {
      state.blockedUntil = undefined;
      state.ends = [now + windowMs];
    }
    const { blockedUntil } = state;
    if (blockedUntil !== undefined) return { isAllowed: false, remaining: 0, resetAt, retryAt: blockedUntil };
    return { isAllowed: true, remaining: limit - state.ends.length, resetAt };
  });
}
