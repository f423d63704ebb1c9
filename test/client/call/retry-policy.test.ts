import { describe, expect, test } from 'vitest';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from '../../../src/client/call/backoff.js';
import { type AttemptEnd, decide, isRefusal, isTransient } from '../../../src/client/call/retry-policy.js';

/** The calls of the table. Each has the same policy, without jitter. */
interface Given {
  method?: string;
  /** Counted attempts before the one that ended. */
  counted?: number;
  waitedForLimitMs?: number;
  /** Number of earlier 401 responses. */
  rejectedKeys?: number;
  deadlineMs?: number;
  retry?: Partial<RetryPolicy>;
}

function decideFor(given: Given, end: AttemptEnd): ReturnType<typeof decide> {
  const {
    method = 'GET',
    counted = 0,
    waitedForLimitMs = 0,
    rejectedKeys = 0,
    deadlineMs = Infinity,
  } = given;
  const plan = {
    operation: { method },
    settings: { retry: { ...DEFAULT_RETRY_POLICY, ...given.retry } },
    deadline: { remainingMs: () => deadlineMs },
    client: { random: () => 0 },
  };
  return decide(plan, { counted, waitedForLimitMs, count: () => rejectedKeys }, end);
}

const success: AttemptEnd = { kind: 'success' };
const limited: AttemptEnd = { kind: 'rate-limited' };
const status = (code: number, retryAfterMs = 0): AttemptEnd => ({
  kind: 'error',
  status: code,
  retryAfterMs,
});
const redirect = (isFollowed: boolean): AttemptEnd => ({ kind: 'redirect', isFollowed });
const invalid = (isTruncated: boolean): AttemptEnd => ({ kind: 'invalid', isTruncated });
const lost = (sent: boolean, isRetryable = true): AttemptEnd => ({ kind: 'no-response', sent, isRetryable });

const DONE = { kind: 'done', counts: true };
const FAIL = { kind: 'fail', counts: true };
const LATE = { kind: 'fail', counts: true, isTooLate: true };
const AGAIN = { kind: 'again', counts: false };
const wait = (waitMs: number, forLimitMs = 0) => ({ kind: 'wait', counts: true, waitMs, forLimitMs });
const POST: Given = { method: 'POST' };

describe('decide', () => {
  test.each<[string, Given, AttemptEnd, object]>([
    ['a success', {}, success, DONE],
    ['a success of a write', POST, success, DONE],
    ['a redirect to follow', {}, redirect(true), AGAIN],
    ['another redirect', {}, redirect(false), FAIL],
    ['the first 401', {}, status(401), AGAIN],
    ['the first 401 of a write', POST, status(401), AGAIN],
    ['a second 401', { rejectedKeys: 1 }, status(401), FAIL],
    ['a 429', {}, limited, AGAIN],
    ['a 429 of a write', POST, limited, AGAIN],
    ['a 429 after any number of attempts', { counted: 9 }, limited, AGAIN],
    ['a 429 without retries', { retry: { attemptsMax: 1 } }, limited, FAIL],
    ['a 503', {}, status(503), wait(250)],
    ['a second 503', { counted: 1 }, status(503), wait(500)],
    ['the last 503', { counted: 3 }, status(503), FAIL],
    ['a 503 of a write', POST, status(503), FAIL],
    ['a 501', {}, status(501), FAIL],
    ['a 404', {}, status(404), FAIL],
    ['Retry-After', {}, status(503, 2_000), wait(2_000, 2_000)],
    ['Retry-After below the backoff', {}, status(503, 100), wait(250, 100)],
    ['Retry-After of all the allowed wait', {}, status(503, 75_000), wait(75_000, 75_000)],
    ['Retry-After above the allowed wait', {}, status(503, 75_001), FAIL],
    ['Retry-After above the rest of it', { waitedForLimitMs: 74_000 }, status(503, 1_001), FAIL],
    ['a wait up to the deadline', { deadlineMs: 250 }, status(503), wait(250)],
    ['a wait beyond the deadline', { deadlineMs: 249 }, status(503), LATE],
    ['no attempts left before the deadline', { deadlineMs: 0, counted: 3 }, status(503), FAIL],
    ['a truncated body', {}, invalid(true), wait(250)],
    ['a truncated body of a write', POST, invalid(true), FAIL],
    ['an invalid body', {}, invalid(false), FAIL],
    ['a lost response', {}, lost(true), wait(250)],
    ['a lost response of a write', POST, lost(true), FAIL],
    ['a refused connection', {}, lost(false), wait(250)],
    ['a refused connection of a write', POST, lost(false), wait(250)],
    ['a failure that lasts', {}, lost(false, false), FAIL],
    ['one attempt allowed', { retry: { attemptsMax: 1 } }, lost(false), FAIL],
  ])('%s', (_, given, end, expected) => {
    expect(decideFor(given, end)).toEqual(expected);
  });

  test.each(['HEAD', 'OPTIONS'])('%s is a read', (method) => {
    expect(decideFor({ method }, status(503))).toEqual(wait(250));
  });
});

test('a refusal shows that a write was not carried out', () => {
  const all = [200, 301, 302, 303, 307, 308, 400, 401, 404, 408, 409, 422, 429, 499, 500, 503];
  expect(all.filter(isRefusal)).toEqual([307, 308, 400, 401, 404, 409, 422, 429, 499]);
});

test('a transient status may succeed soon', () => {
  expect([400, 404, 408, 425, 499, 500, 501, 502, 503, 504, 505].filter(isTransient)).toEqual([
    408, 500, 502, 503, 504,
  ]);
});
