import { join } from 'node:path';

/**
 * Returns the variables of a command that does not wait 30 s before it sends rows again.
 *
 * @param until it waits until this file exists.
 */
export function withoutRetryWait(until = ''): Record<string, string> {
  const hook = join(import.meta.dirname, 'short-retry-wait.cjs');
  return { NODE_OPTIONS: `--require ${hook}`, PETSTORE_TEST_GO: until };
}
