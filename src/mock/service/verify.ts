import { findProblem, mustBe, problemError } from '../../options/check-options.js';
import { checkFilter, matchesRequest, nearestMiss, type RequestMatch } from './journal-filter.js';
import type { JournalEntry } from './journal.js';

/** The number of requests that `Verify.count` expects. */
export type ExpectedCount = number | { min?: number; max?: number };

/** Assertions about the journal. They throw an `Error` if the journal has dropped requests; raise `journalMax` then. */
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

/** The part of a journal that is verified. */
export interface VerifiedEntries {
  readonly dropped: number;
  entries(): readonly JournalEntry[];
}

export function createVerify(journal: VerifiedEntries): Verify {
  return {
    respectedRetryAfter() {
      const early = earlyRetries(completeEntries(journal));
      if (early.length > 0)
        throw new Error(`Requests sent before Retry-After had passed:\n${early.join('\n')}`);
    },
    count(match, expected) {
      checkFilter(match, { hasSince: false });
      checkExpected(expected);
      const { min = 0, max = Infinity } =
        typeof expected === 'number' ? { min: expected, max: expected } : expected;
      if (min > max) throw new TypeError(`min (${String(min)}) must be at most max (${String(max)})`);
      const entries = completeEntries(journal);
      const received = entries.filter((entry) => matchesRequest(entry, match)).length;
      if (received >= min && received <= max) return;
      const { method, path, status } = match;
      const filter = [method?.toUpperCase() ?? 'any method', path ?? 'any path'].join(' ');
      const outcome = status === undefined ? '' : ` → ${String(status)}`;
      const last = entries.slice(-SHOWN_MAX).map(entryText).join('\n');
      throw new Error(
        `Expected ${countText(min, max)} × ${filter}${outcome}, received ${String(received)}; ` +
          (last === '' ? 'the journal is empty' : `the last requests are:\n${last}`) +
          (received < min ? nearestText(entries, match) : ''),
      );
    },
  };
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
export const COUNT = mustBe('a whole number of 0 or more', isCount);

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

function nearestText(entries: readonly JournalEntry[], match: RequestMatch): string {
  const nearest = nearestMiss(entries, match);
  if (nearest === undefined) return '';
  return `\nThe nearest other request differs in ${nearest.differs.join(' and ')}:\n${entryText(nearest.entry)}`;
}

const SHOWN_MAX = 20;

function completeEntries(journal: VerifiedEntries): readonly JournalEntry[] {
  if (journal.dropped === 0) return journal.entries();
  throw new Error(`The journal dropped ${String(journal.dropped)} requests; raise journalMax of createMock`);
}

function earlyRetries(entries: readonly JournalEntry[]): string[] {
  const retryAfterUntil = new Map<number, number>();
  const early: string[] = [];
  for (const entry of entries) {
    // A recording is replayed to any key.
    const tenant = entry.tenant ?? 0;
    const waitUntil = retryAfterUntil.get(tenant) ?? 0;
    if (entry.at.getTime() < waitUntil)
      early.push(`${entryText(entry)}, ${String(waitUntil - entry.at.getTime())} ms early`);
    if (entry.retryAfterSeconds !== undefined) {
      retryAfterUntil.set(tenant, Math.max(waitUntil, entry.at.getTime() + entry.retryAfterSeconds * 1_000));
    }
  }
  return early;
}

function entryText({ sequence, at, method, path, query, status, fault }: JournalEntry): string {
  const target = query === '' ? path : `${path}?${query}`;
  const end = status === undefined ? 'no response' : String(status);
  return `  #${String(sequence)} ${new Date(at).toISOString()} ${method} ${target} → ${end}${fault === undefined ? '' : ` (${fault})`}`;
}
