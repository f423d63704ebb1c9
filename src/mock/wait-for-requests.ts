import { systemClock } from '../time/system-clock.js';
import { startTimeLimit } from '../time/time-limit.js';
import type { Mock } from './mock.js';
import type { JournalEntry } from './service/journal.js';
import { checkFilter, filterEntries, type JournalFilter } from './service/journal-filter.js';

const TIMEOUT_MAX_MS = 60_000;

/** Implements `Mock.waitForRequests`. */
export function waitForRequests(
  mock: Mock,
  filter: JournalFilter,
  { key, count = 1, timeoutMs = 5_000, signal }: NonNullable<Parameters<Mock['waitForRequests']>[1]>,
): Promise<readonly JournalEntry[]> {
  checkFilter(filter, { hasSince: true });
  if (!(Number.isInteger(count) && count >= 0))
    throw new TypeError('count must be a whole number of 0 or more');
  if (!(timeoutMs >= 0 && timeoutMs <= TIMEOUT_MAX_MS))
    throw new TypeError(`The time-out must be 0 to ${String(TIMEOUT_MAX_MS)} ms`);
  const read = (): JournalEntry[] =>
    filterEntries(key === undefined ? mock.journal : mock.forKey(key).journal, filter);
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      unsubscribe();
      signal?.removeEventListener('abort', end);
      resolve(read());
    };
    const unsubscribe = mock.subscribe(({ type }) => {
      if (type === 'request' && read().length >= count) end();
    });
    const cancel = startTimeLimit(systemClock, timeoutMs, end);
    signal?.addEventListener('abort', end, { once: true });
    if (timeoutMs === 0 || signal?.aborted === true || read().length >= count) end();
  });
}
