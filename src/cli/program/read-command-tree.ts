import { Command, Option } from 'commander';
import { COMMAND_MODULES } from './command-modules.js';
import { pageOf } from '../help/command-page.js';
import { COMMANDS, TOPICS } from '../command-line/command-table.js';
import type { CommandNode, CommandTree, FlagNode } from '../help/command-tree.js';
import { formatsOf, valuesOfArgument, valuesOfFlag } from './command-values.js';
import { ENVIRONMENT_VARIABLES } from '../config/environment.js';
import { EXIT_CODES } from '../errors/exit-codes.js';
import { HELP_FLAG, VERSION_FLAG } from '../command-line/global-flags.js';
import { addGlobalFlags } from '../command-line/global-options.js';
import { flagSummary, usageOf } from '../help/help-style.js';
import { VERSION } from '../../version.js';

/** Builds the command tree from the parsers of all commands. Loads the code of all of them. */
export async function readCommandTree(): Promise<CommandTree> {
  const program = new Command('petstore').helpCommand(false);
  addGlobalFlags(program);
  const commands: CommandNode[] = [];
  for (const [word, load] of Object.entries(COMMAND_MODULES)) {
    const parent = new Command('petstore');
    (await load())(parent, () => Promise.resolve());
    for (const command of parent.commands) addNodes(command, [word], commands);
  }
  return {
    name: 'petstore',
    version: VERSION,
    commands,
    globalFlags: [
      ...program.options,
      ...[VERSION_FLAG, HELP_FLAG].map(({ flags, summary }) => new Option(flags, summary)),
    ].map((option) => flagNode(option, [])),
    environment: ENVIRONMENT_VARIABLES.map(({ name, summary }) => ({ name, summary })),
    exitCodes: EXIT_CODES.map(({ code, name, summary }) => ({ code, name, summary })),
    topics: Object.entries(TOPICS).map(([name, summary]) => ({ name, summary })),
  };
}

function addNodes(command: Command, words: string[], nodes: CommandNode[]): void {
  const [group = '', verb] = words;
  const entry = COMMANDS[group];
  const { examples = [], notes, fields } = pageOf(command);
  const formats = formatsOf(words);
  nodes.push({
    words,
    summary: (verb === undefined ? entry?.summary : entry?.verbs?.[verb]) ?? command.description(),
    description: command.description(),
    usage: usageOf(command),
    isGroup: command.commands.length > 0,
    arguments: command.registeredArguments.map((argument) => {
      const values = valuesOfArgument(words, argument.name());
      return {
        name: argument.name(),
        summary: argument.description,
        required: argument.required,
        variadic: argument.variadic,
        ...(values === undefined ? {} : { values }),
      };
    }),
    flags: command.options.filter(({ hidden }) => !hidden).map((option) => flagNode(option, words)),
    ...(fields === undefined ? {} : { fields }),
    ...(formats === undefined ? {} : { formats }),
    ...(notes === undefined ? {} : { notes }),
    examples: [...examples],
  });
  for (const child of command.commands) addNodes(child, [...words, child.name()], nodes);
}

function flagNode(option: Option, words: readonly string[]): FlagNode {
  const { long, short, flags, optional } = option;
  const name = long ?? short ?? flags;
  const placeholder = /[<[](.+)[>\]]/.exec(flags)?.[1];
  const values = placeholder === undefined ? undefined : valuesOfFlag(words, name, placeholder);
  return {
    long: name,
    ...(short === undefined || long === undefined ? {} : { short }),
    summary: flagSummary(option),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(optional ? { optional: true } : {}),
    ...(values === undefined ? {} : { values }),
  };
}
