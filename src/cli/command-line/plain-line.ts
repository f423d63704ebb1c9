import { parseArgs } from 'node:util';
import type { Command } from 'commander';
import type { CommandLine } from './argv.js';
import { GLOBAL_FLAGS } from './global-flags.js';

type ActionFunction = Parameters<Command['action']>[0];

/** Declares a command: the part of commander's `Command` that plain lines support. */
export interface CommandDeclaration {
  command(name: string): CommandDeclaration;
  description(text: string): CommandDeclaration;
  helpCommand(isEnabled: boolean): CommandDeclaration;
  argument(name: string, summary: string): CommandDeclaration;
  option(flags: string, summary: string, defaultValue?: string): CommandDeclaration;
  action(run: ActionFunction): CommandDeclaration;
  addHelpText(position: 'after', text: () => string): CommandDeclaration;
  configureOutput(): { getOutHelpWidth?: () => number };
}

/** A command line without errors. */
export interface PlainLine {
  /** Values of the global flags, by their names in camel case. */
  global: Readonly<Record<string, unknown>>;
  /** Runs the action of the command. */
  run(): unknown;
}

/**
 * Reads a command line with Node's own parser. commander takes 5 ms longer to load and to run, and is needed only for
 * help and for errors.
 *
 * @returns `undefined` if the line has an error, requests help or is unusual: commander reads it.
 */
export function readPlainLine(
  { argv, path }: CommandLine,
  declare: (program: CommandDeclaration) => void,
): PlainLine | undefined {
  const program = new Recorder();
  declare(program);
  const command = path.reduce<Recorder | undefined>((parent, word) => parent?.commands.get(word), program);
  if (command?.run === undefined) return undefined;
  const globalFlags = new Map(GLOBAL_FLAGS.map(({ flags }) => flagEntry(flags)));
  const flags = new Map([...globalFlags, ...command.flags]);
  const tokens = tokensOf(argv, flags);
  if (tokens === undefined) return undefined;

  const words: string[] = [];
  const global: Record<string, unknown> = {};
  const own = { ...command.defaults };
  for (const token of tokens) {
    if (token.kind === 'option-terminator') return undefined;
    if (token.kind === 'positional') {
      words.push(token.value);
      continue;
    }
    const { name, value = true } = token;
    const isGlobal = !command.flags.has(name);
    // The flags of a command follow its words, and differ from the global ones.
    if (!isGlobal && (words.length < path.length || globalFlags.has(name))) return undefined;
    const isNegated = name.startsWith('no-');
    (isGlobal ? global : own)[propertyName(isNegated ? name.slice(3) : name)] = isNegated ? false : value;
  }
  const args = words.slice(path.length);
  const isComplete =
    path.every((word, index) => word === words[index]) && args.length === command.argumentCount;
  const { run } = command;
  return isComplete
    ? { global, run: (): unknown => Reflect.apply(run, undefined, [...args, own]) }
    : undefined;
}

type Flag = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>[string];

function tokensOf(argv: readonly string[], flags: ReadonlyMap<string, Flag>) {
  try {
    const options = Object.fromEntries(flags);
    return parseArgs({ args: [...argv], options, allowPositionals: true, tokens: true }).tokens;
  } catch {
    return undefined;
  }
}

/** Records a declaration. */
class Recorder implements CommandDeclaration {
  readonly commands = new Map<string, Recorder>();
  readonly flags = new Map<string, Flag>();
  readonly defaults: Record<string, unknown> = {};
  argumentCount = 0;
  run: ActionFunction | undefined;

  command(name: string): Recorder {
    const command = new Recorder();
    this.commands.set(name, command);
    return command;
  }

  option(flags: string, _summary: string, defaultValue?: string): this {
    const [name, flag] = flagEntry(flags);
    this.flags.set(name, flag);
    if (defaultValue !== undefined) this.defaults[propertyName(name)] = defaultValue;
    return this;
  }

  argument(name: string, _summary: string): this {
    // Only required arguments are counted: a line with others is not plain.
    this.argumentCount += /^<[\w-]+>$/.test(name) ? 1 : Number.NaN;
    return this;
  }

  action(run: ActionFunction): this {
    this.run = run;
    return this;
  }

  description(): this {
    return this;
  }

  helpCommand(): this {
    return this;
  }

  addHelpText(): this {
    return this;
  }

  configureOutput(): Record<string, never> {
    return {};
  }
}

/** Converts a flag in commander's notation, such as `-o, --output <format>`. */
function flagEntry(flags: string): [name: string, Flag] {
  const [, short, name = '', value] = /^(?:-(\w), )?--([\w-]+)( .+)?$/.exec(flags) ?? [];
  const type = value === undefined ? 'boolean' : 'string';
  return [name, short === undefined ? { type } : { type, short }];
}

function propertyName(name: string): string {
  return name.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
