import type { Argument, Command, Help, HelpConfiguration, Option } from 'commander';
import { commandEntry } from '../command-line/command-table.js';
import { wrap, wrapRow } from '../output/text/wrap.js';

const WIDTH_DEFAULT = 80;
/** Longer lines are hard to read. */
const WIDTH_MAX = 100;

/** The width of help. @param columns of the terminal, if known. */
export function helpWidth(columns: number | undefined): number {
  return Math.min(columns ?? WIDTH_DEFAULT, WIDTH_MAX);
}

/** Formats the help of commands like the root help: same words, one line for each command of a group. */
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
  // commander does not wrap below 40 columns.
  boxWrap: (text: string, width: number) => wrap(text, { width }).join('\n'),
  formatItem: (term: string, termWidth: number, text: string, { helpWidth: width = WIDTH_DEFAULT }: Help) =>
    wrapRow(`  ${term}`, text, termWidth + 4, width).join('\n'),
} satisfies HelpConfiguration;

/** Returns what follows the command's words in its usage line. */
export function usageOf(command: Command): string {
  const usage = command.usage();
  return command.commands.length > 0 ? 'COMMAND [flags]' : usage.replace('[options]', '[flags]');
}

/** Returns what a flag does, and its default. */
export function flagSummary({ description, defaultValue }: Option): string {
  return typeof defaultValue === 'string' ? `${description} (default ${defaultValue})` : description;
}

function argumentTerm(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
}

function wordsOf(command: Command): string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}
