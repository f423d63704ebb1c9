import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { editConfig, profileIn } from '../../config/config-editor.js';
import { variable } from '../../system/context.js';
import { addExamples } from '../../help/examples.js';
import { rejectRequestFlags } from '../../session/request-flags.js';
import { storedKeys } from '../../credentials/stored-keys.js';
import { requireProfile } from './profile-name.js';

export function registerLogout(auth: Command, bind: Bind): void {
  const logout = auth
    .command('logout')
    .description('Remove the stored key of a profile. The profile stays.')
    .action(() => bind(logOut, {}));
  addExamples(logout, ['petstore auth logout', 'petstore auth logout --profile staging']);
}

async function logOut(_options: object, session: Session): Promise<undefined> {
  const { context } = session;
  rejectRequestFlags('auth logout', session);
  const profile = requireProfile(session);
  const keys = storedKeys(context, () => context.keychain());
  // Under the lock of the configuration, so that a concurrent login happens entirely before or after.
  const { removed, keychainProblem } = await editConfig(context, async (draft) => {
    const entry = profileIn(draft, profile);
    const result = await keys.removeAll(profile, entry?.keyIn === 'keychain' ? 'keychain' : undefined);
    delete entry?.keyIn;
    return result;
  });
  session.note(
    removed ? `Removed the key of profile "${profile}".` : `Profile "${profile}" had no stored key.`,
  );
  if (keychainProblem !== undefined)
    session.note(`The keychain can't be used (${keychainProblem}). It may still hold an older key.`);
  if (variable(context, 'PETSTORE_API_KEY') !== undefined) {
    session.warn('PETSTORE_API_KEY is set. Commands continue to use that key.');
  }
}
