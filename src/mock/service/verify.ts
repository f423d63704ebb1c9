import { findProblem, problemError } from '../../options/check-options.js';
import { checkFilter, COUNT, matchesRequest, nearestMiss, type RequestMatch } from './journal-filter.js';
import type { JournalEntry } from './journal.js';
import { entryText, SHOWN_MAX, type Tally } from './tally.js';

/** The number of requests that `Verify.count` expects. */
export type ExpectedCount = number | { min?: number; max?: number };

/**
 * Assertions about the requests so far. They also count requests that the journal no longer has. Their messages say if it
 * kept too few to show; raise `journalMax` then.
 */
export interface Verify {
  /**
   * Asserts that no key sent a request before the `Retry-After` of a 429 response had passed, by the mock's clock.
   * Requests without a valid key count as those of one key.
   *
   * @throws Error that lists the early requests.
   * @example
   * ```ts
   * await store.pets.list(); // the mock responds with 429 first
   * mock.verify.respectedRetryAfter();
   * ```
   */
  respectedRetryAfter(): void;
  /**
   * Asserts how many requests match: exactly a number, or from `min` to `max`.
   *
   * @throws Error that lists the last requests and, if there were too few, the one that differs least.
   * @throws TypeError if an argument has an unknown property or an invalid value, or `min` is above `max`.
   * @example
   * ```ts
   * mock.verify.count({ method: 'POST', path: '/pets' }, 1);
   * ```
   */
  count(match: RequestMatch, expected: ExpectedCount): void;
}

/** The requests that are verified. */
export interface VerifiedRequests {
  /** The requests that the journal still has. */
  entries(): readonly JournalEntry[];
  tallies(): readonly Tally[];
}

export function createVerify({ entries, tallies }: VerifiedRequests): Verify {
  return {
    respectedRetryAfter() {
      const early = tallies().flatMap((tally) => tally.early);
      if (early.length === 0) return;
      const more = sumOf(tallies(), 'earlyCount') - early.length;
      const moreText = more > 0 ? `\n  and ${String(more)} more` : '';
      throw new Error(`Requests sent before Retry-After had passed:\n${early.join('\n')}${moreText}`);
    },
    count(match, expected) {
      checkFilter(match, { hasSince: false });
      checkExpected(expected);
      const { min = 0, max = Infinity } =
        typeof expected === 'number' ? { min: expected, max: expected } : expected;
      if (min > max) throw new TypeError(`min (${String(min)}) must be at most max (${String(max)})`);
      const uncounted = sumOf(tallies(), 'uncounted');
      if (uncounted > 0)
        throw new Error(
          `${String(uncounted)} requests are in no count: the paths differ too often; reset the mock`,
        );
      let received = 0;
      for (const tally of tallies())
        for (const request of tally.counts()) if (matchesRequest(request, match)) received += request.count;
      if (received >= min && received <= max) return;
      const kept = entries();
      const lost = sumOf(tallies(), 'total') - kept.length;
      const { method, path, status } = match;
      const filter = [method?.toUpperCase() ?? 'any method', path ?? 'any path'].join(' ');
      const outcome = status === undefined ? '' : ` → ${String(status)}`;
      const last = kept.slice(-SHOWN_MAX).map(entryText);
      const nearest = received < min ? nearestMiss(kept, match) : undefined;
      const lines = [
        `Expected ${countText(min, max)} × ${filter}${outcome}, received ${String(received)}; ` +
          (last.length === 0 ? 'the journal is empty' : 'the last requests are:'),
        ...last,
        ...(nearest === undefined
          ? []
          : [
              `The nearest other request differs in ${nearest.differs.join(' and ')}:`,
              entryText(nearest.entry),
            ]),
        ...(lost === 0
          ? []
          : [
              `The journal no longer has ${String(lost)} of the requests; raise journalMax (--journal) to see them.`,
            ]),
      ];
      throw new Error(lines.join('\n'));
    },
  };
}

/** @throws TypeError if a number is invalid: a mistyped minimum would accept everything. */
function checkExpected(expected: ExpectedCount): void {
  const problem =
    typeof expected === 'number'
      ? COUNT(expected, 'The expected count')
      : findProblem(
          expected,
          { min: COUNT, max: COUNT },
          { what: 'The expected count', noun: 'property of a count' },
        );
  if (problem !== undefined) throw problemError(problem);
}

function countText(min: number, max: number): string {
  if (min === max) return String(min);
  if (max === Infinity) return `at least ${String(min)}`;
  return min === 0 ? `at most ${String(max)}` : `${String(min)} to ${String(max)}`;
}

function sumOf(tallies: readonly Tally[], count: 'total' | 'uncounted' | 'earlyCount'): number {
  return tallies.reduce((sum, tally) => sum + tally[count], 0);
}
