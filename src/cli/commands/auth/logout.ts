import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { editConfig, profileIn } from '../../config/config-editor.js';
import { variable } from '../../system/context.js';
import { addExamples } from '../../help/examples.js';
import { refuseRequestFlags } from '../../session/request-flags.js';
import { storedKeys } from '../../credentials/stored-keys.js';
import { requireProfile } from './profile-name.js';

export function registerLogout(auth: Command, bind: Bind): void {
  const logout = auth
    .command('logout')
    .description('Forget the stored key of a profile. The profile itself stays.')
    .action(() => bind(logOut, {}));
  addExamples(logout, ['petstore auth logout', 'petstore auth logout --profile staging']);
}

async function logOut(_options: object, session: Session): Promise<undefined> {
  const { context } = session;
  refuseRequestFlags('auth logout', session);
  const profile = requireProfile(session);
  const keys = storedKeys(context, () => context.keychain());
  // Under the lock of the configuration: a login at the same time comes before it or after it, key and all.
  const { removed, keychainProblem: unasked } = await editConfig(context, async (draft) => {
    const entry = profileIn(draft, profile);
    const came = await keys.remove(profile, entry?.keyIn === 'keychain' ? 'keychain' : undefined);
    delete entry?.keyIn;
    return came;
  });
  session.note(
    removed ? `the key of profile ${profile} is forgotten` : `profile ${profile} had no stored key`,
  );
  if (unasked !== undefined)
    session.note(`the keychain can't be asked (${unasked}): a key that it took before would still be there`);
  if (variable(context, 'PETSTORE_API_KEY') !== undefined) {
    session.warn('PETSTORE_API_KEY is still set: it is used all the same');
  }
}
