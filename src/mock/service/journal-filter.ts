import { type Check, findProblem, mustBe, mustBeText, problemError } from '../../options/check-options.js';
import { editDistance } from '../../options/suggest.js';
import { systemClock } from '../../time/clock.js';
import { startTimeLimit } from '../../time/time-limit.js';
import type { Listeners } from './events.js';
import type { JournalEntry } from './journal.js';
import type { RequestKind } from './tally.js';

/** A filter for requests. */
export interface RequestMatch {
  /** @default any method */
  method?: string | undefined;
  /**
   * Path below `/v1`, without the query.
   *
   * @default any path
   */
  path?: string | undefined;
  /**
   * Status of the response.
   *
   * @default any status
   */
  status?: number | undefined;
}

/** A filter for the journal. */
export interface JournalFilter extends RequestMatch {
  /**
   * Only entries with a higher sequence number.
   *
   * @default 0
   */
  since?: number | undefined;
}

export const COUNT = mustBe(
  'a whole number of 0 or more',
  (value) => Number.isInteger(value) && (value as number) >= 0,
);
const PATH = mustBe(
  'a path that starts with /, such as /pets',
  (value) => typeof value === 'string' && value.startsWith('/'),
);
const STATUS = mustBe('a whole number', Number.isInteger);
export const MATCH_CHECKS = { method: mustBeText, path: PATH, status: STATUS } satisfies Record<
  keyof RequestMatch,
  Check
>;
const FILTER_CHECKS = { ...MATCH_CHECKS, since: STATUS } satisfies Record<keyof JournalFilter, Check>;

/** @throws TypeError if a filter has an unknown property or an invalid value: it would match other requests. */
export function checkFilter(filter: JournalFilter, { hasSince }: { hasSince: boolean }): void {
  const problem = findProblem(filter, hasSince ? FILTER_CHECKS : MATCH_CHECKS, {
    what: 'The filter',
    noun: 'property of a filter',
  });
  if (problem !== undefined) throw problemError(problem);
}

export function matchesRequest(
  entry: RequestKind | JournalEntry,
  { method, path, status }: RequestMatch,
): boolean {
  return (
    (method === undefined || entry.method === method.toUpperCase()) &&
    (path === undefined || entry.path === belowVersion(path)) &&
    (status === undefined || entry.status === status)
  );
}

export function filterEntries(entries: readonly JournalEntry[], filter: JournalFilter): JournalEntry[] {
  const { since = 0 } = filter;
  return entries.filter((entry) => entry.sequence > since && matchesRequest(entry, filter));
}

const TIMEOUT_MAX_MS = 60_000;

/** Resolves when `count` of the entries match, or after `timeoutMs` of real time. */
export function waitForRequests(
  journal: { entries(): readonly JournalEntry[]; listeners: Listeners; journalMax: number },
  filter: JournalFilter,
  options: { count?: number | undefined; timeoutMs?: number | undefined; signal?: AbortSignal | undefined },
): Promise<readonly JournalEntry[]> {
  const { entries, listeners, journalMax } = journal;
  const { count = 1, timeoutMs = 5_000, signal } = options;
  checkFilter(filter, { hasSince: true });
  if (!(Number.isInteger(count) && count >= 0))
    throw new TypeError('count must be a whole number of 0 or more');
  if (count > journalMax)
    throw new TypeError(
      `count must be at most ${String(journalMax)}, the length of the journal (journalMax, --journal)`,
    );
  if (!(timeoutMs >= 0 && timeoutMs <= TIMEOUT_MAX_MS))
    throw new TypeError(`The time-out must be 0 to ${String(TIMEOUT_MAX_MS)} ms`);
  const read = (): JournalEntry[] => filterEntries(entries(), filter);
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      unsubscribe();
      signal?.removeEventListener('abort', end);
      resolve(read());
    };
    const unsubscribe = listeners.add(({ type }) => {
      if (type === 'request' && read().length >= count) end();
    });
    const cancel = startTimeLimit(systemClock, timeoutMs, end);
    signal?.addEventListener('abort', end, { once: true });
    if (timeoutMs === 0 || signal?.aborted === true || read().length >= count) end();
  });
}

/** Returns the request that differs least from the filter, with the names of what differs. */
export function nearestMiss(
  entries: readonly JournalEntry[],
  { method, path, status }: RequestMatch,
): { entry: JournalEntry; differs: readonly string[] } | undefined {
  let nearest: { entry: JournalEntry; differs: readonly string[]; score: number } | undefined;
  for (const entry of entries) {
    const scores = {
      method: method === undefined || method.toUpperCase() === entry.method ? 0 : 3,
      path: path === undefined ? 0 : editDistance(belowVersion(path), entry.path, 6),
      status: status === undefined || status === entry.status ? 0 : 1,
    };
    const differing = Object.entries(scores).filter(([, score]) => score > 0);
    const score = differing.reduce((sum, [, each]) => sum + each, 0);
    // Of equal ones the last, because a test usually checks what it has just done.
    if (score > 0 && score <= (nearest?.score ?? Infinity))
      nearest = { entry, differs: differing.map(([name]) => name), score };
  }
  return nearest;
}

function belowVersion(path: string): string {
  return path.replace(/^\/v1(?=\/)/, '');
}
