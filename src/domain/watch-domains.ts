import type { CheckRequest } from './report/options.js';
import { watch, type WatchEnd, type WatchEvent, type WatchOptions } from './watch/watch.js';
import { openWatchShare, type WatchShare } from './watch/watch-share.js';

export interface WatchDomainsOptions extends WatchOptions {
  /** Checks that run at the same time. Those that sleep are not counted. Default 32. */
  concurrency?: number | undefined;
}

/** What happens to one of several domains that are waited for. */
export type DomainWatchEvent = {
  /** Place of the request, from 0. */
  index: number;
  request: CheckRequest;
} & (WatchEvent | ({ kind: 'end' } & WatchEnd));

/**
 * Waits for several domains at once, as `watchDomain` does for one, and tells what happens to each as it does; the last
 * event of each is its `end`. They ask through one client, share what they learn of zones and name servers, and have one
 * deadline. The first to fail stops the others, and none is left running when this ends.
 *
 * @throws as `checkDomain` does: what failed first.
 */
export async function* watchDomains(
  requests: readonly CheckRequest[],
  options: WatchDomainsOptions = {},
): AsyncGenerator<DomainWatchEvent, void, undefined> {
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, options.signal].filter((one) => one !== undefined));
  const share = openWatchShare(options);
  const told: DomainWatchEvent[] = [];
  let wake: () => void = () => undefined;
  const tell = (event: DomainWatchEvent): void => {
    told.push(event);
    wake();
  };
  let left = requests.length;
  const running = requests.map(async (request, index) => {
    try {
      await followOne({ request, index }, { ...options, signal }, share, tell);
    } catch (error) {
      // Only the first abort counts, so its reason is what failed first.
      stopping.abort(error);
    } finally {
      left -= 1;
      wake();
    }
  });
  try {
    while (told.length > 0 || left > 0) {
      yield* told.splice(0);
      if (told.length === 0 && left > 0) await new Promise<void>((resolve) => (wake = resolve));
    }
    signal.throwIfAborted();
  } finally {
    stopping.abort();
    await Promise.all(running);
    share.close();
  }
}

async function followOne(
  place: Pick<DomainWatchEvent, 'request' | 'index'>,
  options: WatchOptions,
  share: WatchShare,
  tell: (event: DomainWatchEvent) => void,
): Promise<void> {
  const watching = watch(place.request, options, share);
  for (;;) {
    const { done, value } = await watching.next();
    if (done === true) {
      tell({ ...place, kind: 'end', ...value });
      return;
    }
    tell({ ...place, ...value });
  }
}
