import type { CheckOptions, CheckRequest } from './options.js';
import type { Report } from './report.js';
import { openRun } from './run.js';
import { createSlots } from './slots.js';

const CONCURRENCY = 32;
/** Checks that may be begun for each that is at work: those that only wait for a TTL to count down. */
const BEGUN_PER_SLOT = 8;

/**
 * Checks many domains, several at a time, and gives their reports in the order of the requests as they are ready. Zones,
 * name servers and targets that they share are looked up once. Takes requests as it goes, so that there may be any number.
 *
 * @throws as `checkDomain` does.
 */
export async function* checkDomains(
  requests: Iterable<CheckRequest> | AsyncIterable<CheckRequest>,
  options: CheckOptions = {},
): AsyncGenerator<Report, void, undefined> {
  const { concurrency = CONCURRENCY } = options;
  const slots = createSlots(concurrency);
  const run = await openRun(options, { restAs: (rest) => slots.outside(rest) });
  const begun: Promise<Report>[] = [];
  try {
    for await (const request of requests) {
      const report = slots.inside(() => run.check(request));
      // Its failure is thrown when its turn comes, which may be never.
      report.catch(() => undefined);
      begun.push(report);
      if (begun.length >= concurrency * BEGUN_PER_SLOT) yield* first(begun);
    }
    while (begun.length > 0) yield* first(begun);
  } finally {
    run.close();
  }
}

async function* first(begun: Promise<Report>[]): AsyncGenerator<Report, void, undefined> {
  const report = begun.shift();
  if (report !== undefined) yield await report;
}
