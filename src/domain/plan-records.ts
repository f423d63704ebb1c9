import { inOrder } from './run/in-order.js';
import type { CheckOptions, CheckRequest } from './report/options.js';
import type { PlannedDomain } from './run/checker.js';

/**
 * Plans the records of domains: what to type in which zone, what to remove before, and when it will be seen. Looks them up
 * as `checkDomains` does. Where nobody can be asked, the public suffix list decides about the zone.
 *
 * @throws as `checkDomain` does.
 */
export function planRecords(
  requests: Iterable<CheckRequest> | AsyncIterable<CheckRequest>,
  options: CheckOptions = {},
): AsyncGenerator<PlannedDomain, void, undefined> {
  return inOrder(requests, options, (run, request) => run.plan(request));
}
