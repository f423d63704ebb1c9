import type { Command } from 'commander';
import type { Bind, Session } from '../../action.js';
import { editConfig } from '../../config-editor.js';
import { variable } from '../../context.js';
import { addExamples } from '../../examples.js';
import { refuseRequestFlags } from '../../request-flags.js';
import { storedKeys } from '../../stored-keys.js';
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
  const removed = await keys.remove(profile, session.settings.entry?.keyIn);
  await editConfig(context, (draft) => {
    delete draft.profiles?.[profile]?.keyIn;
  });
  session.note(
    removed ? `the key of profile ${profile} is forgotten` : `profile ${profile} had no stored key`,
  );
  if (variable(context, 'PETSTORE_API_KEY') !== undefined) {
    session.warn('PETSTORE_API_KEY is still set: it is used all the same');
  }
}
