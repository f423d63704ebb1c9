import type {
  ArgumentNode,
  CommandNode,
  CommandTree,
  FlagNode,
  ValueKind,
} from '../command-line/command-tree.js';
import { COMMANDS, TOPICS } from '../command-line/command-table.js';
import { type Argument, argumentName, type Flag, longName } from '../command-line/flag.js';
import { GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG } from '../command-line/global-flags.js';
import { ENVIRONMENT_VARIABLES } from '../settings/config/environment.js';
import { EXIT_CODES } from '../errors/exit-codes.js';
import { COLOR_CHOICES, OUTPUT_FORMATS } from '../output/index.js';
import type { Command, CommandGroup } from '../session/command.js';
import { VERSION } from '../../version.js';
import { loadCommand } from './load-command.js';
import { descriptionOf, flagSummary, usageOf, withAliases } from './declare-command.js';

/** Builds the command tree. Loads the code of all commands. */
export async function readCommandTree(): Promise<CommandTree> {
  const commands: CommandNode[] = [];
  for (const [word, { summary }] of Object.entries(COMMANDS)) {
    const loaded = await loadCommand(word);
    if (loaded === undefined) continue;
    commands.push(nodeOf(loaded, [word], summary));
    if (!('commands' in loaded)) continue;
    for (const command of loaded.commands) {
      const text = command.summary ?? command.description;
      commands.push(nodeOf(command, [word, command.word], withAliases(text, command)));
    }
  }
  const { BUILT_IN_NAMES, BUILT_IN_REDIRECTS } = await import('../../mock/index.js');
  return {
    name: 'petstore',
    version: VERSION,
    commands,
    globalFlags: [...GLOBAL_FLAGS, VERSION_FLAG, HELP_FLAG].map(({ flags, summary }) => {
      const values = VALUES_OF_GLOBAL_FLAGS[longName(flags)];
      return flagNode({ flags, summary, ...(values === undefined ? {} : { values }) });
    }),
    environment: ENVIRONMENT_VARIABLES.map(({ name, summary }) => ({ name, summary })),
    exitCodes: EXIT_CODES.map(({ code, name, summary }) => ({ code, name, summary })),
    mockDomains: BUILT_IN_NAMES.map(({ name, because }) => ({
      value: name,
      summary: because,
      isRedirect: BUILT_IN_REDIRECTS.some(({ from }) => from === name),
    })),
    topics: Object.entries(TOPICS).map(([name, summary]) => ({ name, summary })),
  };
}

const VALUES_OF_GLOBAL_FLAGS: Readonly<Record<string, ValueKind>> = {
  '--ca': 'file',
  '--color': COLOR_CHOICES,
  '--fields': 'fields',
  '--json': 'fields',
  '--output': OUTPUT_FORMATS,
  '--profile': 'profile',
  '--sort': 'field',
};

function nodeOf(command: Command | CommandGroup, words: string[], summary: string): CommandNode {
  const { notes, examples } = command;
  const isGroup = 'commands' in command;
  const own = isGroup ? ({} as Partial<Command>) : command;
  const { aliases, fields, formats, flags = {}, arguments: args = {} } = own;
  return {
    words,
    ...(aliases === undefined ? {} : { aliases }),
    summary,
    description: descriptionOf(command),
    usage: usageOf(command),
    isGroup,
    arguments: Object.values(args).map(argumentNode),
    flags: Object.values(flags).map(flagNode),
    ...(fields === undefined ? {} : { fields }),
    ...(formats === undefined ? {} : { formats }),
    ...(notes === undefined ? {} : { notes }),
    examples: [...examples],
  };
}

function argumentNode({ notation, summary, values }: Argument): ArgumentNode {
  return {
    name: argumentName(notation),
    summary,
    required: notation.startsWith('<'),
    variadic: notation.includes('...'),
    ...(values === undefined ? {} : { values }),
  };
}

type FlagWords = Pick<Flag, 'flags' | 'summary' | 'aliases' | 'defaultWord' | 'values' | 'isRepeatable'>;

function flagNode(flag: FlagWords): FlagNode {
  const { flags, aliases, values, isRepeatable = false } = flag;
  const [short] = /^-\w\b/.exec(flags) ?? [];
  const [, open, placeholder] = /([<[])(.+)[>\]]/.exec(flags) ?? [];
  return {
    long: longName(flags),
    ...(short === undefined ? {} : { short }),
    ...(aliases === undefined ? {} : { aliases }),
    summary: flagSummary(flag),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(open === '[' ? { optional: true as const } : {}),
    ...(isRepeatable ? { repeatable: true as const } : {}),
    ...(values === undefined ? {} : { values }),
  };
}
