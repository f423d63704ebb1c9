import { Command, CommanderError } from 'commander';
import type { CommandLine } from '../command-line/argv.js';
import { HELP_FLAG, VERSION_FLAG } from '../command-line/global-flags.js';
import { addGlobalFlags, type GlobalOptions, readGlobalOptions } from '../command-line/global-options.js';
import { UsageError } from '../errors/usage-error.js';
import { HELP_STYLE, helpWidth } from '../help/help-style.js';
import { rootHelp } from '../help/root-help.js';
import type { Bind } from '../session/action.js';
import { VERSION } from '../../version.js';
import { COMMAND_MODULES } from './command-modules.js';
import { parseError } from './parse-error.js';

/**
 * Parses a command line with commander, and passes the typed options of its command to `bind`.
 *
 * @returns the help text, if help was requested.
 * @throws UsageError if the line has an error.
 */
export async function parseWithCommander(
  line: CommandLine,
  columns: number | undefined,
  bind: (global: GlobalOptions) => Bind,
): Promise<string | undefined> {
  const [group] = line.path;
  const register = await (group === undefined ? undefined : COMMAND_MODULES[group])?.();
  let help = '';
  const program = new Command('petstore')
    .version(VERSION, VERSION_FLAG.flags, VERSION_FLAG.summary)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => (help += text),
      writeErr: () => undefined,
      getOutHelpWidth: () => helpWidth(columns),
      getOutHasColors: () => false,
    })
    .configureHelp(HELP_STYLE)
    .helpOption(HELP_FLAG.flags, 'Print this help')
    .helpCommand(false)
    .allowExcessArguments(false)
    .hook('preAction', (_program, command) => {
      rejectEmptyValues([...givenFlags(program), ...givenFlags(command), ...givenArguments(command)]);
    });
  addGlobalFlags(program);
  register?.(program, (action, options) => bind(readGlobalOptions(program.opts()))(action, options));
  rejectRepeatedFlags(program);
  try {
    await program.parseAsync([...line.argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw parseError(error, line);
  }
  if (help !== '') return help;
  return group === undefined ? rootHelp(columns) : undefined;
}

/** Rejects a second value of a flag, which would silently replace the first. A flag with a parser collects its values. */
function rejectRepeatedFlags(command: Command): void {
  for (const option of command.options) {
    if ((!option.required && !option.optional) || option.parseArg !== undefined) continue;
    const name = option.long ?? option.flags;
    const hint = /<\w+,/.test(option.flags)
      ? 'Pass it once, with commas between the values.'
      : 'Pass it once.';
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) throw new UsageError(`${name} is given twice`, hint);
      isGiven = true;
    });
  }
  command.commands.forEach(rejectRepeatedFlags);
}

/** The values that can't be empty, by placeholder: Node takes an empty path for the current directory. */
const NEVER_EMPTY: Readonly<Record<string, string>> = {
  file: 'a file',
  directory: 'a directory',
  address: 'an address',
};

interface Given {
  /** The flag, or the argument in capitals, for messages. */
  name: string;
  placeholder: string | undefined;
  /** A list, if the flag is repeatable. */
  value: unknown;
}

function givenFlags(command: Command): Given[] {
  const values = command.opts<Record<string, unknown>>();
  return command.options.map((option) => ({
    name: option.long ?? option.flags,
    placeholder: /<([a-z]+)>/.exec(option.flags)?.[1],
    value: values[option.attributeName()],
  }));
}

function givenArguments({ registeredArguments, args }: Command): Given[] {
  return registeredArguments.map((argument, index) => ({
    name: argument.name().toUpperCase(),
    placeholder: argument.name(),
    value: args[index],
  }));
}

function rejectEmptyValues(given: readonly Given[]): void {
  for (const { name, placeholder = '', value } of given) {
    const expected = NEVER_EMPTY[placeholder];
    if (expected !== undefined && [value].flat().includes(''))
      throw new UsageError(`${name} needs a value`, `The value is empty. Pass ${expected}.`);
  }
}
