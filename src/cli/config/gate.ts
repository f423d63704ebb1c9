import { join } from 'node:path';
import type { GateStore } from '../../client/index.js';
import { type Context, variable } from '../system/context.js';
import { type PathContext, stateDirectory } from '../files/paths.js';
import { resolvePath } from '../files/resolve-path.js';
import { UsageError } from '../errors/usage-error.js';

/** Where the rate budget of a run is kept. */
export type GateChoice = 'memory' | 'file' | { redisUrl: string };

/**
 * What `PETSTORE_GATE` says. Default: files in the state directory, so that commands that run one after another or side by
 * side share the budget of their key. The value is never repeated: it may hold a password.
 */
export function gateSetting(context: Pick<Context, 'env'>): GateChoice {
  const value = variable(context, 'PETSTORE_GATE') ?? 'file';
  if (value === 'memory' || value === 'file') return value;
  if (/^rediss?:\/\/./.test(value) && URL.canParse(value)) return { redisUrl: value };
  throw new UsageError(
    'PETSTORE_GATE is not memory, file or the address of a Redis',
    'an address begins with redis:// or, for TLS, rediss://',
  );
}

/** Opens what was chosen, for the client's option `gate`. */
export async function openGate(choice: GateChoice, context: Context): Promise<'memory' | GateStore> {
  if (choice === 'memory') return choice;
  const { fileGate, redisGate } = await import('../../client/index.js');
  if (choice !== 'file') return redisGate({ url: choice.redisUrl });
  return fileGate({ directory: gateDirectory(context) });
}

/** Where the budgets of `file` are. */
export function gateDirectory(context: PathContext & Pick<Context, 'currentDirectory'>): string {
  return resolvePath(join(stateDirectory(context), 'gate'), context);
}
