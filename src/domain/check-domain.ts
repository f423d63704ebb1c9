import type { CheckOptions, CheckRequest } from './report/options.js';
import type { Report } from './report/report.js';
import { createChecker } from './run/checker.js';

/**
 * Checks a custom domain: finds its zone, asks every server of it and, when these have the record right, resolvers; and
 * concludes what is wrong, what to type, and when it will be seen. What could not be asked is reported as such, and never
 * taken for a missing record.
 *
 * @throws InvalidInputError where the target is no host name or a resolver can't be read; the signal's reason where it was
 * aborted. A domain that is no name is not thrown but reported, as state `invalid`.
 */
export async function checkDomain(request: CheckRequest, options: CheckOptions = {}): Promise<Report> {
  const run = await createChecker(options);
  try {
    return await run.check(request);
  } finally {
    run.close();
  }
}
