import type { Session } from './action.js';
import { UsageError } from '../errors/usage-error.js';

/**
 * Refuses the flags that show a request instead of sending it, for a command that changes what is stored here: whoever
 * gives them expects that nothing is changed.
 *
 * @param flags those that the command has no answer to.
 * @throws UsageError that names the flag.
 */
export function refuseRequestFlags(
  command: string,
  { global }: Pick<Session, 'global'>,
  flags: readonly ('dryRun' | 'curl')[] = ['dryRun', 'curl'],
): void {
  const given = flags.find((flag) => global[flag]);
  if (given === undefined) return;
  const flag = given === 'dryRun' ? '--dry-run' : '--curl';
  throw new UsageError(`with ${command} there is no request to show`, `leave out ${flag}`);
}
