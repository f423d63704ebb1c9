import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffMs, DEFAULT_RETRY_POLICY, waitAfter429Ms } from '../../../src/client/call/backoff.js';

const policy = DEFAULT_RETRY_POLICY;
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('backoffMs', () => {
  test.each([
    [1, 250, 500],
    [2, 500, 1_000],
    [3, 1_000, 2_000],
    [4, 2_000, 4_000],
    [5, 4_000, 8_000],
    [6, 4_000, 8_000],
    [2_000, 4_000, 8_000],
  ])('before retry %i returns %i to %i ms', (retry, least, most) => {
    expect(backoffMs(policy, retry, () => 0)).toBe(least);
    expect(backoffMs(policy, retry, () => 0.999_999)).toBeCloseTo(most, 0);
  });

  test('never exceeds the maximum delay', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), random, (retry, value) => {
        const delayMs = backoffMs(policy, retry, () => value);
        return delayMs >= policy.baseDelayMs / 2 && delayMs <= policy.capDelayMs;
      }),
    );
  });
});

describe('waitAfter429Ms', () => {
  test('is never shorter than Retry-After, with little jitter', () => {
    fc.assert(
      fc.property(fc.nat(1e12), fc.nat(100), random, (retryAfterMs, previous429Count, value) => {
        const delayMs = waitAfter429Ms(policy, retryAfterMs, previous429Count, () => value);
        return delayMs >= retryAfterMs && delayMs <= retryAfterMs + policy.capDelayMs + 1_000;
      }),
    );
  });

  test.each([
    [0, 5_000],
    [1, 6_000],
    [2, 7_000],
    [3, 9_000],
    [4, 13_000],
    [9, 13_000],
  ])(
    'with Retry-After: 5 and %i previous 429 responses, returns at least %i ms',
    (previous429Count, expected) => {
      expect(waitAfter429Ms(policy, 5_000, previous429Count, () => 0)).toBe(expected);
    },
  );

  test('adds no jitter that would exceed the longest allowed wait', () => {
    expect(waitAfter429Ms(policy, 5_000, 0, () => 0.9, 5_000)).toBe(5_000);
    expect(waitAfter429Ms(policy, 5_000, 0, () => 0.9, 5_100)).toBe(5_100);
    expect(waitAfter429Ms(policy, 5_000, 1, () => 0.9, 0)).toBe(6_000);
  });

  test.each([
    [0, 1_000],
    [1, 2_000],
    [5, 32_000],
    [6, 60_000],
    [2_000, 60_000],
  ])('without Retry-After, after %i previous 429 responses, returns %i ms', (previous429Count, expected) => {
    expect(waitAfter429Ms(policy, undefined, previous429Count, () => 0)).toBe(expected);
  });

  test('differs between clients with the same Retry-After', () => {
    expect(waitAfter429Ms(policy, 5_000, 0, () => 0.5)).toBeGreaterThan(5_000);
  });
});
