import type { Count, Quota } from './counters.js';
import type { LimiterHeaders, Stage } from './limiter.js';

/** Writes the headers of a response. */
export type HeaderForm = Stage['headers'];

/** Forms of the reset. */
export const RESET = {
  epochSeconds: ({ resetAt }: Count) => String(Math.ceil(resetAt / 1_000)),
  epochSecondsDown: ({ resetAt }: Count) => String(Math.floor(resetAt / 1_000)),
  epochFraction: ({ resetAt }: Count) => String(resetAt / 1_000),
  epochMs: ({ resetAt }: Count) => String(resetAt),
  seconds: ({ resetAt }: Count, now: number) => String(secondsUp(resetAt - now)),
  /** A JavaScript date that was converted to text. */
  dateText: ({ resetAt }: Count) =>
    `${new Date(resetAt).toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) (.*) GMT$/, '$1 $3 $2 $4 $5')} GMT+0000 (Coordinated Universal Time)`,
};

type RetryForm = (count: Count, now: number, quota: Quota) => string;

/** Forms of `Retry-After`. */
export const RETRY: Readonly<Record<'up' | 'down' | 'downFromSeconds' | 'fraction' | 'constant', RetryForm>> =
  {
    up: (count, now) => String(secondsUp(retryAt(count) - now)),
    down: (count, now) => String(Math.trunc((retryAt(count) - now) / 1_000)),
    /** From a reset that is already rounded down. */
    downFromSeconds: (count, now) => String(Math.trunc(Math.floor(retryAt(count) / 1_000) - now / 1_000)),
    fraction: (count, now) => String((retryAt(count) - now) / 1_000),
    constant: (_count, _now, { windowMs }) => String(secondsUp(windowMs)),
  };

/** `X-RateLimit-Limit`, `-Remaining` and `-Reset`. */
export function xHeaders(reset: keyof typeof RESET): HeaderForm {
  return (count, now, { limit }) => ({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(count.remaining),
    'x-ratelimit-reset': RESET[reset](count, now),
  });
}

/** The fields of the IETF drafts, as express-rate-limit numbers them. */
export const DRAFTS = {
  /** `RateLimit-Limit`, `-Remaining` and `-Reset`. */
  6: (count, now, quota) => ({
    'ratelimit-policy': `${quota.limit};w=${secondsUp(quota.windowMs)}`,
    'ratelimit-limit': String(quota.limit),
    'ratelimit-remaining': String(count.remaining),
    'ratelimit-reset': RESET.seconds(count, now),
  }),
  7: (count, now, quota) => ({
    'ratelimit-policy': `${quota.limit};w=${secondsUp(quota.windowMs)}`,
    ratelimit: `limit=${quota.limit}, remaining=${count.remaining}, reset=${RESET.seconds(count, now)}`,
  }),
  8: (count, now, { limit, windowMs }) => {
    const name = `"${limit}-in-${windowText(windowMs)}"`;
    return {
      'ratelimit-policy': `${name}; q=${limit}; w=${secondsUp(windowMs)}; pk=:${LOOPBACK_KEY}:`,
      ratelimit: `${name}; r=${count.remaining}; t=${RESET.seconds(count, now)}`,
    };
  },
} as const satisfies Record<number, HeaderForm>;

/** The digest of the address 127.0.0.1, in base64. */
const LOOPBACK_KEY = 'MTJjYTE3YjQ5YWYy';

/** Adds `Retry-After` to rejections. */
export function withRetryAfter(form: HeaderForm, retryAfter: keyof typeof RETRY, suffix = ''): HeaderForm {
  return (count, now, quota) => {
    const headers = form(count, now, quota);
    if (count.isAllowed) return headers;
    return { ...headers, [`retry-after${suffix}`]: RETRY[retryAfter](count, now, quota) };
  };
}

/** Sends no header. */
export const noHeaders: HeaderForm = () => ({});

/** Sends the same headers with each rejection. */
export function onRejection(headers: LimiterHeaders): HeaderForm {
  return ({ isAllowed }) => (isAllowed ? {} : headers);
}

function retryAt({ resetAt, retryAt: at = resetAt }: Count): number {
  return at;
}

function secondsUp(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1_000));
}

/** A length of time as express-rate-limit names its policies: `5sec`, `1min`, `2hrs`, `1day`. */
function windowText(windowMs: number): string {
  if (windowMs < MINUTE_MS) return `${windowMs / 1_000}sec`;
  if (windowMs < HOUR_MS) return `${windowMs / MINUTE_MS}min`;
  const [unit, count] =
    windowMs < 24 * HOUR_MS ? ['hr', windowMs / HOUR_MS] : ['day', windowMs / (24 * HOUR_MS)];
  return `${count}${unit}${count > 1 ? 's' : ''}`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
