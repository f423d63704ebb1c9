import { Command, type Option } from 'commander';
import { COMMAND_MODULES } from './command-modules.js';
import { COMMANDS, TOPICS } from './command-table.js';
import { type ValueKind, valuesOfArgument, valuesOfFlag } from './command-values.js';
import { topicRows } from './commands/help/topic-rows.js';
import { TOPIC_TEXTS } from './commands/help/topics.js';
import { examplesOf } from './examples.js';
import { EXIT } from './exit.js';
import { addGlobalFlags } from './global-options.js';
import { VERSION } from '../version.js';

/** The whole command line as data: for completion, man pages and tools. Plain JSON. */
export interface CommandTree {
  name: 'petstore';
  version: string;
  /** Groups and commands, each after the one that it is in. */
  commands: CommandNode[];
  /** Flags that every command takes. */
  globalFlags: FlagNode[];
  environment: { name: string; summary: string }[];
  exitCodes: { code: number; name: string; summary: string }[];
  /** Topics of `petstore help`. */
  topics: { name: string; summary: string }[];
}

/** A group or a command. */
export interface CommandNode {
  /** What is typed after the program's name, such as `['pets', 'list']`. */
  words: string[];
  summary: string;
  description: string;
  /** What follows the words, as the help shows it. */
  usage: string;
  /** Whether it only holds others. */
  isGroup: boolean;
  arguments: ArgumentNode[];
  flags: FlagNode[];
  /** Whole lines to type. */
  examples: string[];
}

export interface ArgumentNode {
  name: string;
  summary: string;
  required: boolean;
  variadic: boolean;
  /** What it may be, where that is known. */
  values?: ValueKind;
}

export interface FlagNode {
  /** With its dashes. */
  long: string;
  short?: string;
  summary: string;
  /** What its value is called; absent where it takes none. */
  placeholder?: string;
  /** Whether the value may be left out. */
  optional?: true;
  /** What the value may be, where that is known. */
  values?: ValueKind;
}

/** Reads the tree off the commands themselves: loads the code of all of them. */
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
      ...program.options.map((option) => flagNode(option, [])),
      { long: '--version', short: '-V', summary: 'print the version' },
      { long: '--help', short: '-h', summary: 'print help, also after a command' },
    ],
    environment: topicRows(TOPIC_TEXTS.environment ?? '').map(({ term, text }) => ({
      name: term,
      summary: text,
    })),
    exitCodes: exitCodes(),
    topics: Object.entries(TOPICS).map(([name, summary]) => ({ name, summary })),
  };
}

/** The names stand beside the codes in the topic: `0  ok  done`. */
function exitCodes(): CommandTree['exitCodes'] {
  return Object.entries({ ...EXIT, interrupted: 130, terminated: 143 }).map(([key, code]) => {
    const row = topicRows(TOPIC_TEXTS['exit-codes'] ?? '').find(
      ({ term }) => term.split(' ')[0] === String(code),
    );
    return { code, name: kebab(key), summary: row?.text.replace(`${kebab(key)} `, '').trim() ?? '' };
  });
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function addNodes(command: Command, words: string[], nodes: CommandNode[]): void {
  const [group = '', verb] = words;
  const entry = COMMANDS[group];
  nodes.push({
    words,
    summary: (verb === undefined ? entry?.summary : entry?.verbs?.[verb]) ?? command.description(),
    description: command.description(),
    usage: command.usage(),
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
    flags: command.options.map((option) => flagNode(option, words)),
    examples: [...examplesOf(command)],
  });
  for (const child of command.commands) addNodes(child, [...words, child.name()], nodes);
}

function flagNode({ long, short, description, flags, optional }: Option, words: readonly string[]): FlagNode {
  const name = long ?? short ?? flags;
  const placeholder = /[<[](.+)[>\]]/.exec(flags)?.[1];
  const values = placeholder === undefined ? undefined : valuesOfFlag(words, name, placeholder);
  return {
    long: name,
    ...(short === undefined || long === undefined ? {} : { short }),
    summary: description,
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(optional ? { optional: true } : {}),
    ...(values === undefined ? {} : { values }),
  };
}
