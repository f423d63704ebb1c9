import { type COMMANDS, isCommandWord } from '../command-line/command-table.js';
import type { Command, CommandGroup } from '../session/command.js';

/** Loads the code of a command or group by its word on the command line. */
const LOADERS: Readonly<Record<keyof typeof COMMANDS, () => Promise<Command | CommandGroup>>> = {
  pets: async () => (await import('../commands/pets/pets.js')).pets,
  domain: async () => (await import('../commands/domain/domain.js')).domain,
  auth: async () => (await import('../commands/auth/auth.js')).auth,
  config: async () => (await import('../commands/config/config.js')).config,
  limits: async () => (await import('../commands/limits/limits.js')).limits,
  api: async () => (await import('../commands/api/api.js')).api,
  mock: async () => (await import('../commands/mock/mock.js')).mock,
  doctor: async () => (await import('../commands/doctor/doctor.js')).doctor,
  completion: async () => (await import('../commands/completion/completion.js')).completion,
  commands: async () => (await import('../commands/commands.js')).commands,
  help: async () => (await import('../commands/help/help.js')).help,
  version: async () => (await import('../commands/version.js')).version,
};

/** Loads a command or group; `undefined` for an unknown word. Safe against words such as `constructor`. */
export async function loadCommand(word: string): Promise<Command | CommandGroup | undefined> {
  return isCommandWord(word) ? LOADERS[word]() : undefined;
}

/** Loads the commands of a group; `undefined` for a command by itself and an unknown word. */
export async function commandsOf(word: string): Promise<readonly Command[] | undefined> {
  const loaded = await loadCommand(word);
  return loaded !== undefined && 'commands' in loaded ? loaded.commands : undefined;
}

/** The words of a command or a group, without aliases; `undefined` if these words name none. */
export async function commandNamed([first = '', second]: readonly string[]): Promise<
  readonly string[] | undefined
> {
  if (!isCommandWord(first)) return undefined;
  if (second === undefined) return [first];
  const command = (await commandsOf(first))?.find((each) => namesOf(each).includes(second));
  return command && [first, command.word];
}

export function namesOf({ word, aliases = [] }: Command): readonly string[] {
  return [word, ...aliases];
}
