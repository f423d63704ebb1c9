import type { NameAddresses } from './gather/name-addresses.js';
import type { CheckOptions } from './report/options.js';
import { createChecker } from './run/checker.js';

/**
 * Finds where a name leads: its A and AAAA records by the servers of its own zone, through aliases and across zones, as a
 * check finds them. Needs no target, and concludes nothing of the records. No resolver is asked for the name.
 *
 * @param name As people write it: `shop.example.com`, `müller.example`.
 * @throws InvalidInputError where it is no host name or a resolver can't be read; the signal's reason where it was aborted.
 */
export async function addressesOf(name: string, options: CheckOptions = {}): Promise<NameAddresses> {
  const run = await createChecker(options);
  try {
    return await run.addressesOf(name);
  } finally {
    run.close();
  }
}
