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
  /**
   * Declares a repeatable flag; other flags with a value can be given once.
   *
   * @param parse returns the value of the flag, from its text and its value so far. It throws if the text is invalid.
   */
  option<T>(flags: string, summary: string, parse: (text: string, before: T) => T): CommandDeclaration;
  action(run: ActionFunction): CommandDeclaration;
  addHelpText(position: 'after', text: () => string): CommandDeclaration;
  configureOutput(): { getOutHelpWidth?: () => number };
  /** Returns `cli` if the line has the flag. */
  getOptionValueSource(property: string): string | undefined;
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
    // commander rejects an empty text where it would name a file.
    if (token.kind === 'option-terminator' || token.value === '') return undefined;
    if (token.kind === 'positional') {
      words.push(token.value);
      continue;
    }
    const { name, value = true } = token;
    const isGlobal = !command.flags.has(name);
    // The flags of a command follow its words, and differ from the global ones.
    if (!isGlobal && (words.length < path.length || globalFlags.has(name))) return undefined;
    const isNegated = name.startsWith('no-');
    const property = propertyName(isNegated ? name.slice(3) : name);
    const read = command.readValue(name, value, own[property]);
    if (read === undefined) return undefined;
    const isRepeated = isGlobal ? Object.hasOwn(global, property) : command.given.has(property);
    if (isRepeated && value !== true && !command.isRepeatable(name)) return undefined;
    if (!isGlobal) command.given.add(property);
    (isGlobal ? global : own)[property] = isNegated ? false : read;
  }
  const args: (string | undefined)[] = words.slice(path.length);
  const { run, argumentCount, optionalCount } = command;
  const isComplete =
    path.every((word, index) => word === words[index]) &&
    args.length >= argumentCount &&
    args.length <= argumentCount + optionalCount;
  while (args.length < argumentCount + optionalCount) args.push(undefined);
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
  readonly given = new Set<string>();
  readonly #parsers = new Map<string, (text: string, before: unknown) => unknown>();
  argumentCount = 0;
  optionalCount = 0;
  run: ActionFunction | undefined;

  command(name: string): Recorder {
    const command = new Recorder();
    this.commands.set(name, command);
    return command;
  }

  option<T>(
    flags: string,
    _summary: string,
    defaultOrParse?: string | ((text: string, before: T) => T),
  ): this {
    const [name, flag] = flagEntry(flags);
    this.flags.set(name, flag);
    if (typeof defaultOrParse === 'string') this.defaults[propertyName(name)] = defaultOrParse;
    // The value so far is what the same function returned, or undefined.
    else if (defaultOrParse !== undefined)
      this.#parsers.set(name, defaultOrParse as (text: string, before: unknown) => unknown);
    return this;
  }

  /** A flag with a parser collects its values. */
  isRepeatable(name: string): boolean {
    return this.#parsers.has(name);
  }

  /** Returns `undefined` if the value is invalid. */
  readValue(name: string, value: string | boolean, before: unknown): unknown {
    const parse = this.#parsers.get(name);
    if (parse === undefined || typeof value !== 'string') return value;
    try {
      return parse(value, before);
    } catch {
      return undefined;
    }
  }

  argument(name: string, _summary: string): this {
    if (/^\[[\w-]+\]$/.test(name)) this.optionalCount += 1;
    // A line with several words for one argument is not plain.
    else this.argumentCount += /^<[\w-]+>$/.test(name) ? 1 : Number.NaN;
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

  getOptionValueSource(property: string): string | undefined {
    return this.given.has(property) ? 'cli' : undefined;
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
