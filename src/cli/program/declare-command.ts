import type { Argument, Command as Parser, Help, HelpConfiguration } from 'commander';
import { type Flag, longName } from '../command-line/flag.js';
import { pageWidth, wrap, wrapRow, wrapText } from '../output/text/wrap.js';
import type { Command, CommandGroup } from '../session/command.js';

/** Formats the help of commands like the root help: same words, one line for each command of a group. */
export const HELP_STYLE = {
  commandUsage: (parser: Parser) => `petstore ${wordsOf(parser).join(' ')} ${parser.usage()}`,
  styleTitle: (title: string) => (title === 'Options:' ? 'Flags:' : title),
  subcommandTerm: (parser: Parser) =>
    [parser.name(), ...parser.registeredArguments.map(argumentTerm)].join(' '),
  // commander does not wrap below 40 columns.
  boxWrap: (text: string, width: number) => wrap(text, { width }).join('\n'),
  formatItem: (term: string, termWidth: number, text: string, { helpWidth = pageWidth(undefined) }: Help) =>
    wrapRow(`  ${term}`, text, termWidth + 4, helpWidth).join('\n'),
} satisfies HelpConfiguration;

/** Declares a command, or a group and its commands, to the parser. `run` is called for the command on the line. */
export function declareCommand(
  parent: Parser,
  command: Command | CommandGroup,
  run: (parser: Parser, command: Command) => void,
): void {
  const parser = parent
    .command(command.word)
    .description(descriptionOf(command))
    .usage(usageOf(command))
    .helpCommand(false)
    .addHelpText('after', () =>
      wrapText(endOfHelp(command), parent.configureOutput().getOutHelpWidth?.() ?? 80),
    );
  if ('commands' in command) {
    for (const child of command.commands) declareCommand(parser, child, run);
    return;
  }
  parser.aliases(command.aliases ?? []);
  if (command.summary !== undefined) parser.summary(withAliases(command.summary, command));
  for (const { notation, summary } of Object.values(command.arguments ?? {}))
    parser.argument(notation, summary);
  for (const flag of Object.values(command.flags ?? {})) {
    parser.option(flag.flags, flagSummary(flag));
    for (const alias of flag.aliases ?? [])
      parser.addOption(parser.createOption(flag.flags.replace(longName(flag.flags), alias)).hideHelp());
  }
  parser.action(() => {
    run(parser, command);
  });
}

/** Returns what follows the command's words in its usage line. */
export function usageOf(command: Command | CommandGroup): string {
  if ('commands' in command) return 'COMMAND [flags]';
  const notations = Object.values(command.arguments ?? {}).map(({ notation }) => notation);
  return command.usage ?? ['[flags]', ...notations].join(' ');
}

/** Returns a text about a command with its other names. */
export function withAliases(text: string, { aliases }: Pick<Command, 'aliases'>): string {
  return aliases === undefined ? text : text.replace(/\.?$/, ` (also: ${aliases.join(', ')})$&`);
}

export function descriptionOf(command: Command | CommandGroup): string {
  return 'commands' in command ? command.description : withAliases(command.description, command);
}

/** Returns what a flag does, and its default. */
export function flagSummary({ summary, defaultWord }: Pick<Flag, 'summary' | 'defaultWord'>): string {
  return defaultWord === undefined ? summary : `${summary} (default ${defaultWord})`;
}

/** Notes, examples and a pointer to the global flags. */
function endOfHelp({ notes, examples }: Command | CommandGroup): string {
  const more = notes === undefined ? '' : `\n${notes}\n`;
  const lines = examples.map((line) => `  ${line}`).join('\n');
  return `${more}\nExamples:\n${lines}\n\nGlobal flags and help topics: petstore --help`;
}

function argumentTerm(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
}

function wordsOf(parser: Parser): string[] {
  return parser.parent === null ? [] : [...wordsOf(parser.parent), parser.name()];
}
