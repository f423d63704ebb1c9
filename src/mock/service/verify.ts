import type { Journal, JournalEntry } from './journal.js';

/** Which requests. */
export interface RequestMatch {
  /** Default: any. */
  method?: string;
  /** Path below `/v1`, without the query. Default: any. */
  path?: string;
}

/** Assertions over what the mock has seen. Each throws an `Error` that shows the requests in question. */
export interface Verify {
  /** Fails where a key sent again before the `Retry-After` of a 429 was over, by the mock's clock. */
  respectedRetryAfter(): void;
  /** Fails where not exactly `expected` requests match. */
  count(match: RequestMatch, expected: number): void;
}

/** Looks into a journal. A journal that had to drop entries proves nothing, so then both fail. */
export function createVerify(journal: Journal): Verify {
  return {
    respectedRetryAfter() {
      const early = earlyRetries(completeEntries(journal));
      if (early.length > 0) throw new Error(`sent again before Retry-After was over:\n${early.join('\n')}`);
    },
    count({ method, path }, expected) {
      const entries = completeEntries(journal);
      const matching = entries.filter(
        (entry) =>
          (method === undefined || entry.method === method.toUpperCase()) &&
          (path === undefined || entry.path === path.replace(/^\/v1(?=\/)/, '')),
      );
      if (matching.length === expected) return;
      const asked = [method?.toUpperCase() ?? 'any method', path ?? 'any path'].join(' ');
      const seen = entries.slice(-SHOWN_MAX).map(entryText).join('\n');
      throw new Error(
        `expected ${String(expected)} × ${asked}, saw ${String(matching.length)}; ` +
          (seen === '' ? 'there were no requests at all' : `the last requests were\n${seen}`),
      );
    },
  };
}

const SHOWN_MAX = 20;

function completeEntries(journal: Journal): JournalEntry[] {
  if (journal.dropped === 0) return journal.entries();
  throw new Error(`the journal dropped ${String(journal.dropped)} requests: raise journalMax of createMock`);
}

function earlyRetries(entries: readonly JournalEntry[]): string[] {
  const retryAfterUntil = new Map<number, number>();
  const early: string[] = [];
  for (const entry of entries) {
    if (entry.tenant === undefined) continue;
    const waitUntil = retryAfterUntil.get(entry.tenant) ?? 0;
    if (entry.at < waitUntil) early.push(`${entryText(entry)}, ${String(waitUntil - entry.at)} ms early`);
    if (entry.retryAfterSeconds !== undefined) {
      retryAfterUntil.set(entry.tenant, Math.max(waitUntil, entry.at + entry.retryAfterSeconds * 1_000));
    }
  }
  return early;
}

function entryText({ sequence, at, method, path, query, status, fault }: JournalEntry): string {
  const target = query === '' ? path : `${path}?${query}`;
  const end = status === undefined ? 'no answer' : String(status);
  return `  #${String(sequence)} ${new Date(at).toISOString()} ${method} ${target} → ${end}${fault === undefined ? '' : ` (${fault})`}`;
}
