import type { GlobalOptions } from '../command-line/global-options.js';
import { reshapingFlag } from '../output/index.js';
import { UsageError } from '../errors/usage-error.js';

/**
 * Rejects the flags that show a request instead of sending it, for commands that change stored data.
 *
 * @param flags the flags that the command does not support.
 * @throws UsageError naming the flag.
 */
export function rejectRequestFlags(
  command: string,
  { global }: { readonly global: GlobalOptions },
  flags: readonly ('dryRun' | 'curl')[] = ['dryRun', 'curl'],
): void {
  const given = flags.find((flag) => global[flag]);
  if (given === undefined) return;
  const flag = given === 'dryRun' ? '--dry-run' : '--curl';
  throw new UsageError(`"petstore ${command}" has no request to show`, `Leave out ${flag}.`);
}

/**
 * Rejects the flags that shape data, for commands that print text for people or for a shell. A configured format does not
 * matter to them.
 *
 * @throws UsageError naming the flag.
 */
export function rejectOutputFlags(
  command: string,
  { global }: { readonly global: GlobalOptions },
  hint?: string,
): void {
  const { format } = global;
  const formatFlag = format === 'json' ? '--json' : format && `--output ${format}`;
  const flag = formatFlag ?? reshapingFlag(global);
  if (flag !== undefined)
    throw new UsageError(`"petstore ${command}" prints text, not data`, hint ?? `Leave out ${flag}.`);
}
