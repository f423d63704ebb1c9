import { basename } from 'node:path';
import { counted } from '../../errors/counted.js';
import { shellWord } from '../../errors/shell-word.js';
import type { ConfigFile } from '../../settings/config/config-files.js';
import { storedKeys } from '../../settings/credentials/stored-keys.js';
import type { Context } from '../../system/context.js';
import type { Result } from './check.js';

/** Finds keys that no profile uses. A login, rename or removal that was killed leaves one; the next edit removes it. */
export function unusedKeys({ profile, profiles }: ConfigFile, context: Context): Result | undefined {
  const unused = storedKeys(context).findUnused(profiles);
  const [first] = unused;
  if (first === undefined) return undefined;
  const more = unused.length === 1 ? '' : `, and ${String(unused.length - 1)} more`;
  return {
    state: 'warn',
    finding: `${counted(unused.length, 'stored key')} without a profile: ${basename(first)}${more}`,
    // Selecting the default profile again changes nothing else.
    remedy:
      profile !== undefined && Object.hasOwn(profiles, profile)
        ? `petstore auth switch ${shellWord(profile)}`
        : 'The next "petstore auth login" removes it.',
  };
}
