import type { CheckRequest } from './report/options.js';
import { watch, type WatchEnd, type WatchEvent, type WatchOptions } from './watch/watch.js';
import { openWatchShare } from './watch/watch-share.js';

/**
 * Checks a domain again and again until the goal is reached, and tells whenever something has changed. While the record is
 * not right, authoritative servers alone are asked; while resolvers have to forget, it sleeps until the first of them does.
 *
 * @returns how it ended, as the generator's return value.
 * @throws as `checkDomain` does.
 */
export async function* watchDomain(
  request: CheckRequest,
  options: WatchOptions = {},
): AsyncGenerator<WatchEvent, WatchEnd, undefined> {
  const share = openWatchShare(options);
  try {
    return yield* watch(request, options, share);
  } finally {
    share.close();
  }
}
