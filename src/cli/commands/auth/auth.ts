import type { CommandGroup } from '../../session/command.js';
import { login } from './login.js';
import { deleteCommand, listCommand, logoutCommand, renameCommand, switchCommand } from './profiles.js';
import { key, status } from './status.js';

export const auth: CommandGroup = {
  word: 'auth',
  description: 'Store API keys in profiles and switch between profiles.',
  examples: [
    'petstore auth login --base-url https://HOST/v1',
    'petstore auth status',
    'petstore auth switch staging',
  ],
  commands: [login, status, logoutCommand, key, listCommand, switchCommand, renameCommand, deleteCommand],
};
