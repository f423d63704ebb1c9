import type { Entry, SeenRequest } from './wire.js';

/** The last requests that the page knows, oldest first. */
export interface RequestLog {
  readonly all: readonly SeenRequest[];
  /** Number of requests that were removed to make room. */
  readonly dropped: number;
  add(requests: readonly SeenRequest[]): void;
  clear(): void;
}

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
      // Lists overlap with each other and with events. They are in order, and the first of two equal ones counts.
      let last = all.at(-1)?.entry.sequence ?? 0;
      const more = [...all];
      for (const request of requests) {
        if (request.entry.sequence <= last) continue;
        last = request.entry.sequence;
        more.push(request);
      }
      dropped += Math.max(0, more.length - requestsMax);
      all = more.slice(-requestsMax);
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

/** Returns the index in a list of requests after a key, or `undefined` for another key. */
export function indexAfterKey(
  key: string,
  index: number,
  { count, pageRows }: { count: number; pageRows: number },
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index < 0 ? 0 : index - 1,
    PageDown: index + pageRows,
    PageUp: index - pageRows,
    Home: 0,
    End: count - 1,
  };
  const next = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return next === undefined ? undefined : Math.min(count - 1, Math.max(0, next));
}
