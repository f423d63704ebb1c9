import { createLimiter } from '../concurrency/limiter.js';
import type { CheckOptions } from '../report/options.js';
import { checkOptions, checkRequests } from './check-arguments.js';
import { type Checker, createChecker } from './checker.js';

const CONCURRENCY = 32;
/** Items that may be started for each one that runs: most of them only wait for a TTL to count down. */
const STARTED_PER_SLOT = 8;

/**
 * Maps items with one checker, several at the same time, and yields the results in the order of the items.
 *
 * @param items Read while the work runs, so there may be any number.
 * @throws InvalidInputError if `items` is no list, or for an unknown or invalid option.
 */
export async function* mapInOrder<T, U>(
  items: Iterable<T> | AsyncIterable<T>,
  options: CheckOptions,
  map: (checker: Checker, item: T) => Promise<U>,
): AsyncGenerator<U, void, undefined> {
  checkRequests(items);
  checkOptions(options);
  const { concurrency = CONCURRENCY } = options;
  const limiter = createLimiter(concurrency);
  const checker = await createChecker(options, { runPause: (pause) => limiter.runReleased(pause) });
  const started: Promise<U>[] = [];
  try {
    for await (const item of items) {
      const result = limiter.run(() => map(checker, item));
      // The failure is thrown in order below, or never if the caller stops before.
      result.catch(() => undefined);
      started.push(result);
      if (started.length >= concurrency * STARTED_PER_SLOT) yield* takeFirst(started);
    }
    while (started.length > 0) yield* takeFirst(started);
  } finally {
    checker.close();
  }
}

async function* takeFirst<U>(started: Promise<U>[]): AsyncGenerator<U, void, undefined> {
  const result = started.shift();
  if (result !== undefined) yield await result;
}
