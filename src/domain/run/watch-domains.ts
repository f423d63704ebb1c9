import { setMaxListeners } from 'node:events';
import { throwIfAborted } from '../dns/concurrency/stop-signal.js';
import { checkOptions, checkRequest, checkRequests } from '../request/check-arguments.js';
import type { CheckRequest } from '../request/options.js';
import {
  watch,
  type WatchEnd,
  type WatchEvent,
  type WatchOptions,
  openWatchShare,
  type WatchShare,
} from './watch.js';

/**
 * Checks a domain again and again until the goal is reached, and yields an event on each change.
 *
 * Queries only authoritative servers until the record is right. Then sleeps until the cached record of the
 * first resolver expires.
 *
 * @returns As the generator's return value, how the watch ended.
 * @throws As `checkDomain`.
 * @example
 * const watch = watchDomain({ domain: 'shop.example.com', target: 'cname.example.net' }, { until: 'active' });
 * for await (const { report } of watch) console.log(report.state);
 */
export async function* watchDomain(
  request: CheckRequest,
  options: WatchOptions = {},
): AsyncGenerator<WatchEvent, WatchEnd, undefined> {
  checkRequest(request);
  checkOptions(options);
  const share = openWatchShare(options);
  try {
    return yield* watch(request, options, share);
  } finally {
    share.close();
  }
}

export interface WatchDomainsOptions extends WatchOptions {
  /**
   * Checks that run at the same time. Domains that wait for their next check are not counted.
   *
   * @default 32
   */
  concurrency?: number | undefined;
}

/** An event of one of the watched domains. */
export type DomainWatchEvent = {
  /** Index of the request, from 0. */
  index: number;
  request: CheckRequest;
} & (WatchEvent | ({ kind: 'end' } & WatchEnd));

/**
 * Watches several domains at once, as {@link watchDomain} watches one. The last event of each domain has kind `end`.
 *
 * The watches share one DNS client, their lookups of zones and name servers, and one deadline. The first failure stops
 * all watches.
 *
 * @throws As `checkDomain`: the first failure.
 * @example
 * const requests = [{ domain: 'shop.example.com', target: 'cname.example.net' }];
 * for await (const { index, kind, report } of watchDomains(requests)) console.log(index, kind, report.state);
 */
export async function* watchDomains(
  requests: readonly CheckRequest[],
  options: WatchDomainsOptions = {},
): AsyncGenerator<DomainWatchEvent, void, undefined> {
  // Unlike checkDomains() it needs to know their number.
  checkRequests(Array.isArray(requests) ? requests : undefined);
  for (const request of requests) checkRequest(request);
  checkOptions(options);
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, options.signal].filter((one) => one !== undefined));
  // Every paused watch listens to it, which is no leak.
  setMaxListeners(0, signal);
  const share = openWatchShare(options);
  const queue: DomainWatchEvent[] = [];
  let wake: () => void = () => undefined;
  const enqueue = (event: DomainWatchEvent): void => {
    queue.push(event);
    wake();
  };
  let runningCount = requests.length;
  const running = requests.map(async (request, index) => {
    try {
      await forwardEvents({ request, index }, { ...options, signal }, share, enqueue);
    } catch (error) {
      // A signal keeps its first reason, which is the first failure.
      stopping.abort(error);
    } finally {
      runningCount -= 1;
      wake();
    }
  });
  try {
    while (queue.length > 0 || runningCount > 0) {
      yield* queue.splice(0);
      if (queue.length === 0 && runningCount > 0) await new Promise<void>((resolve) => (wake = resolve));
    }
    stopping.signal.throwIfAborted();
    throwIfAborted(options.signal);
  } finally {
    stopping.abort();
    await Promise.all(running);
    share.close();
  }
}

async function forwardEvents(
  source: Pick<DomainWatchEvent, 'request' | 'index'>,
  options: WatchOptions,
  share: WatchShare,
  emit: (event: DomainWatchEvent) => void,
): Promise<void> {
  const events = watch(source.request, options, share);
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) {
      emit({ ...source, kind: 'end', ...value });
      return;
    }
    emit({ ...source, ...value });
  }
}
