import { inOrder } from './run/in-order.js';
import type { CheckOptions, CheckRequest } from './report/options.js';
import type { Report } from './report/report.js';

/**
 * Checks many domains, several at a time, and gives their reports in the order of the requests as they are ready. Zones,
 * name servers and targets that they share are looked up once. Takes requests as it goes, so that there may be any number.
 *
 * @throws as `checkDomain` does.
 */
export function checkDomains(
  requests: Iterable<CheckRequest> | AsyncIterable<CheckRequest>,
  options: CheckOptions = {},
): AsyncGenerator<Report, void, undefined> {
  return inOrder(requests, options, (run, request) => run.check(request));
}
