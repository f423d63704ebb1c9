import type { CheckOptions, RedirectsCheck, RedirectsRequest } from './report/options.js';
import { createChecker } from './run/checker.js';

/**
 * Checks the redirect entries of a project: as data, all of them together, and then on the wire, from http and from https.
 * The addresses of their hosts are found as a check of a domain finds them; no domain has to be checked for it.
 *
 * @throws InvalidInputError where the target is no host name, or a resolver or the authorities to trust can't be read; the
 * signal's reason where it was aborted.
 */
export async function checkRedirects(
  request: RedirectsRequest,
  options: CheckOptions = {},
): Promise<RedirectsCheck> {
  const run = await createChecker(options);
  try {
    return await run.redirects(request);
  } finally {
    run.close();
  }
}
