import { Command, CommanderError } from 'commander';
import type { CommandLine } from '../command-line/argv.js';
import { HELP_FLAG, VERSION_FLAG } from '../command-line/global-flags.js';
import { addGlobalFlags, type GlobalOptions, readGlobalOptions } from '../command-line/global-options.js';
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
    .allowExcessArguments(false);
  addGlobalFlags(program);
  register?.(program, (action, options) => bind(readGlobalOptions(program.opts()))(action, options));
  try {
    await program.parseAsync([...line.argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw parseError(error, line);
  }
  if (help !== '') return help;
  return group === undefined ? rootHelp(columns) : undefined;
}
