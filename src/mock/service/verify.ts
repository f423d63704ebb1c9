import type { Journal, JournalEntry } from './journal.js';

/** A filter for requests. */
export interface RequestMatch {
  /** @default any method */
  method?: string;
  /**
   * Path below `/v1`, without the query.
   *
   * @default any path
   */
  path?: string;
}

/** Assertions about the journal. They throw an `Error` if the journal has dropped requests; raise `journalMax` then. */
export interface Verify {
  /**
   * Asserts that no key sent a request before the `Retry-After` of a 429 response had passed, by the mock's clock.
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
   * Asserts that exactly `expected` requests match.
   *
   * @throws Error that lists the last requests.
   * @example
   * ```ts
   * mock.verify.count({ method: 'POST', path: '/pets' }, 1);
   * ```
   */
  count(match: RequestMatch, expected: number): void;
}

export function createVerify(journal: Journal): Verify {
  return {
    respectedRetryAfter() {
      const early = earlyRetries(completeEntries(journal));
      if (early.length > 0)
        throw new Error(`Requests sent before Retry-After had passed:\n${early.join('\n')}`);
    },
    count({ method, path }, expected) {
      const entries = completeEntries(journal);
      const matching = entries.filter(
        (entry) =>
          (method === undefined || entry.method === method.toUpperCase()) &&
          (path === undefined || entry.path === path.replace(/^\/v1(?=\/)/, '')),
      );
      if (matching.length === expected) return;
      const filter = [method?.toUpperCase() ?? 'any method', path ?? 'any path'].join(' ');
      const last = entries.slice(-SHOWN_MAX).map(entryText).join('\n');
      throw new Error(
        `Expected ${String(expected)} × ${filter}, received ${String(matching.length)}; ` +
          (last === '' ? 'the journal is empty' : `the last requests are:\n${last}`),
      );
    },
  };
}

const SHOWN_MAX = 20;

function completeEntries(journal: Journal): JournalEntry[] {
  if (journal.dropped === 0) return journal.entries();
  throw new Error(`The journal dropped ${String(journal.dropped)} requests; raise journalMax of createMock`);
}

function earlyRetries(entries: readonly JournalEntry[]): string[] {
  const retryAfterUntil = new Map<number, number>();
  const early: string[] = [];
  for (const entry of entries) {
    if (entry.tenant === undefined) continue;
    const waitUntil = retryAfterUntil.get(entry.tenant) ?? 0;
    if (entry.at.getTime() < waitUntil)
      early.push(`${entryText(entry)}, ${String(waitUntil - entry.at.getTime())} ms early`);
    if (entry.retryAfterSeconds !== undefined) {
      retryAfterUntil.set(
        entry.tenant,
        Math.max(waitUntil, entry.at.getTime() + entry.retryAfterSeconds * 1_000),
      );
    }
  }
  return early;
}

function entryText({ sequence, at, method, path, query, status, fault }: JournalEntry): string {
  const target = query === '' ? path : `${path}?${query}`;
  const end = status === undefined ? 'no response' : String(status);
  return `  #${String(sequence)} ${new Date(at).toISOString()} ${method} ${target} → ${end}${fault === undefined ? '' : ` (${fault})`}`;
}
