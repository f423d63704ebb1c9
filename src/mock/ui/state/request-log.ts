import type { Entry, SeenRequest } from './wire.js';

/** The last requests that the page knows, oldest first. */
export interface RequestLog {
  readonly all: readonly SeenRequest[];
  /** Number of requests that were removed to make room. */
  readonly dropped: number;
  add(requests: readonly SeenRequest[]): void;
  clear(): void;
}

/** Entries above the maximum that are removed at once, because each removal copies the list. */
const SLACK = 0.1;

/** @param requestsMax requests to keep. The oldest are removed first. */
export function createRequestLog(requestsMax: number): RequestLog {
  let all: SeenRequest[] = [];
  let dropped = 0;
  return {
    get all() {
      return all;
    },
    get dropped() {
      return dropped;
    },
    add(requests) {
      let last = all.at(-1)?.entry.sequence ?? 0;
      for (const request of requests) {
        // A list that was requested can overlap with events.
        if (request.entry.sequence <= last) continue;
        last = request.entry.sequence;
        all.push(request);
      }
      if (all.length <= requestsMax * (1 + SLACK)) return;
      dropped += all.length - requestsMax;
      all = all.slice(-requestsMax);
    },
    clear() {
      all = [];
      dropped = 0;
    },
  };
}

/** What the client received: a status, or an end of the connection. */
export function outcomeText({ status, aborted }: Entry): string {
  return aborted === true ? 'aborted' : String(status ?? 'closed');
}

/** Whether a request contains every word of a filter, in its method, path, query, status or fault. */
export function matchesFilter({ entry }: SeenRequest, filter: string, tenant: number | undefined): boolean {
  if (tenant !== undefined && entry.tenant !== tenant) return false;
  if (filter === '') return true;
  const { method, path, query, fault = '' } = entry;
  const text = `${method} ${path}?${query} ${outcomeText(entry)} ${fault}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
