import { join } from 'node:path';
import { fileGate, type GateStore, redisGateOver } from '../../../client/internal.js';
import { type Context, variable } from '../../system/context.js';
import { type PathContext, stateDirectory } from '../../system/files/paths.js';
import { unsafety } from '../../system/files/ownership.js';
import { resolvePath } from '../../system/files/resolve-path.js';
import { UsageError } from '../../errors/usage-error.js';

/** Where the rate budget is stored. */
export type GateChoice = 'memory' | 'file' | { redisUrl: string };

/**
 * Reads `PETSTORE_GATE`. The messages never quote its value, which may contain a password.
 *
 * @returns `file` by default, so that all commands of this machine share the budget of a key.
 * @throws UsageError for an invalid value.
 */
export function gateSetting(context: Pick<Context, 'env'>): GateChoice {
  const value = variable(context, 'PETSTORE_GATE') ?? 'file';
  if (value === 'memory' || value === 'file') return value;
  if (/^rediss?:\/\/./.test(value) && URL.canParse(value)) return { redisUrl: value };
  throw new UsageError(
    'PETSTORE_GATE is not "memory", "file" or a Redis URL',
    'A Redis URL starts with redis://, or with rediss:// for TLS.',
  );
}

/** Opens the store for the client's option `gate`. The session warns about a directory that other users can change. */
export function openGate(choice: GateChoice, context: Context): 'memory' | GateStore {
  if (choice === 'memory') return choice;
  const openFiles = (): GateStore => fileGate({ directory: gateDirectory(context) });
  if (choice !== 'file') return redisGateOver({ url: choice.redisUrl }, openFiles);
  return unsafety(stateDirectory(context), context.userId) === undefined ? openFiles() : 'memory';
}

/** The directory of the budgets of the `file` gate. */
export function gateDirectory(context: PathContext & Pick<Context, 'currentDirectory'>): string {
  return resolvePath(join(stateDirectory(context), 'gate'), context);
}
