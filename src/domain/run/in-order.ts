import type { CheckOptions } from '../report/options.js';
import { createChecker, type Checker } from './checker.js';
import { createLimiter } from '../concurrency/slots.js';

const CONCURRENCY = 32;
/** Pieces of work that may be begun for each that goes on: those that only wait for a TTL to count down. */
const BEGUN_PER_SLOT = 8;

/**
 * Works on many things in one run, several at a time, and gives the results in the order of the things as they are ready.
 * Takes things as it goes, so that there may be any number.
 */
export async function* inOrder<T, U>(
  things: Iterable<T> | AsyncIterable<T>,
  options: CheckOptions,
  work: (run: Checker, thing: T) => Promise<U>,
): AsyncGenerator<U, void, undefined> {
  const { concurrency = CONCURRENCY } = options;
  const slots = createLimiter(concurrency);
  const run = await createChecker(options, { runPause: (rest) => slots.runReleased(rest) });
  const begun: Promise<U>[] = [];
  try {
    for await (const thing of things) {
      const result = slots.run(() => work(run, thing));
      // Its failure is thrown when its turn comes, which may be never.
      result.catch(() => undefined);
      begun.push(result);
      if (begun.length >= concurrency * BEGUN_PER_SLOT) yield* first(begun);
    }
    while (begun.length > 0) yield* first(begun);
  } finally {
    run.close();
  }
}

async function* first<U>(begun: Promise<U>[]): AsyncGenerator<U, void, undefined> {
  const result = begun.shift();
  if (result !== undefined) yield await result;
}
