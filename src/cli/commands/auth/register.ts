import type { Command } from 'commander';
import type { Bind } from '../../session/action.js';
import { addExamples } from '../../help/examples.js';
import {
  registerDelete,
  registerAuthList,
  registerLogout,
  registerRename,
  registerSwitch,
} from './profiles.js';
import { registerKey, registerStatus } from './status.js';
import { registerLogin } from './login.js';

/** Registers the group `petstore auth`. */
export function registerAuth(program: Command, bind: Bind): void {
  const auth = program
    .command('auth')
    .description('Store API keys in profiles and switch between profiles.')
    .helpCommand(false);
  addExamples(auth, [
    'petstore auth login --base-url https://HOST/v1',
    'petstore auth status',
    'petstore auth switch staging',
  ]);
  registerLogin(auth, bind);
  registerStatus(auth, bind);
  registerLogout(auth, bind);
  registerKey(auth, bind);
  registerAuthList(auth, bind);
  registerSwitch(auth, bind);
  registerRename(auth, bind);
  registerDelete(auth, bind);
}
