import type { JournalEntry, JournalRecord } from './journal.js';

/** What requests have in common that are counted together. */
export interface RequestKind extends Pick<JournalEntry, 'method' | 'path'> {
  status: number | undefined;
}

/** Requests of one kind. */
interface CountedRequests extends RequestKind {
  count: number;
}

/** Counts the requests of one key, also those that the journal no longer has. */
export interface Tally {
  /** Number of requests. */
  readonly total: number;
  /** Number of requests in no count: there were too many different ones. */
  readonly uncounted: number;
  /** Texts of the first requests before a `Retry-After` had passed. */
  readonly early: readonly string[];
  readonly earlyCount: number;
  /** End of the longest `Retry-After`, in milliseconds since the epoch; 0 without one. */
  readonly retryAfterUntil: number;
  counts(): Iterable<CountedRequests>;
  /** @param entryOf returns the journal entry of the record. */
  record(record: JournalRecord, entryOf: () => JournalEntry | undefined): void;
  /** Adds the counts of another one. */
  merge(other: Tally): void;
}

/** A client may send any path, and the memory of the mock must not grow with it. */
const DIFFERENT_MAX = 10_000;
export const SHOWN_MAX = 20;

export function createTally(): Tally {
  const counts = new Map<string, CountedRequests>();
  const early: string[] = [];
  let [total, uncounted, earlyCount, retryAfterUntil] = [0, 0, 0, 0];
  let last: CountedRequests | undefined;

  const add = ({ method, path, status }: RequestKind, count: number): void => {
    total += count;
    // Most requests repeat the one before.
    if (last?.path !== path || last.method !== method || last.status !== status) {
      const kind = `${method} ${String(status)} ${path}`;
      last = counts.get(kind);
      if (last === undefined && counts.size < DIFFERENT_MAX) {
        last = { method, path, status, count: 0 };
        counts.set(kind, last);
      }
    }
    if (last === undefined) uncounted += count;
    else last.count += count;
  };

  return {
    get total() {
      return total;
    },
    get uncounted() {
      return uncounted;
    },
    get earlyCount() {
      return earlyCount;
    },
    get retryAfterUntil() {
      return retryAfterUntil;
    },
    early,
    counts: () => counts.values(),
    record({ request: { method }, path, status, at, retryAfterSeconds }, entryOf) {
      add({ method, path, status }, 1);
      // A preflight request is sent by the browser, not by the client.
      if (at < retryAfterUntil && method !== 'OPTIONS') {
        earlyCount += 1;
        const entry = early.length < SHOWN_MAX ? entryOf() : undefined;
        if (entry !== undefined) early.push(`${entryText(entry)}, ${String(retryAfterUntil - at)} ms early`);
      }
      if (retryAfterSeconds !== undefined)
        retryAfterUntil = Math.max(retryAfterUntil, at + retryAfterSeconds * 1_000);
    },
    merge(other) {
      for (const { count, ...request } of other.counts()) add(request, count);
      total += other.uncounted;
      uncounted += other.uncounted;
      earlyCount += other.earlyCount;
      early.push(...other.early.slice(0, SHOWN_MAX - early.length));
    },
  };
}

/** Describes a request in one line. */
export function entryText({ sequence, at, method, path, query, status, fault }: JournalEntry): string {
  const target = query === '' ? path : `${path}?${query}`;
  const end = status === undefined ? 'no response' : String(status);
  return `  #${String(sequence)} ${new Date(at).toISOString()} ${method} ${target} → ${end}${fault === undefined ? '' : ` (${fault})`}`;
}
