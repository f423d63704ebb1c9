import type { Argument, Command, HelpConfiguration, Option } from 'commander';
import { commandEntry } from '../command-line/command-table.js';

/** How the parser sets the pages of help: in the words of the root's, and a line a command in a group's. */
export const HELP_STYLE = {
  commandUsage: (command: Command) => `petstore ${wordsOf(command).join(' ')} ${usageOf(command)}`,
  optionDescription: flagSummary,
  styleTitle: (title: string) => (title === 'Options:' ? 'Flags:' : title),
  subcommandTerm: (command: Command) =>
    [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
  subcommandDescription(command: Command) {
    const [group = '', verb = ''] = wordsOf(command);
    return commandEntry(group)?.verbs?.[verb] ?? command.description();
  },
} satisfies HelpConfiguration;

/** What follows a command's words. */
export function usageOf(command: Command): string {
  const usage = command.usage();
  return command.commands.length > 0 ? 'COMMAND [flags]' : usage.replace('[options]', '[flags]');
}

/** What a flag does, and what it takes where it is not given. */
export function flagSummary({ description, defaultValue }: Option): string {
  return typeof defaultValue === 'string' ? `${description} (${defaultValue})` : description;
}

function argumentTerm(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
}

/** Without the program's name. */
function wordsOf(command: Command): string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}
