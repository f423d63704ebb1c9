import { Command as Parser, CommanderError } from 'commander';
import { argumentName, type Flag, type GivenFlag, longName } from '../command-line/flag.js';
import { GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG } from '../command-line/global-flags.js';
import { type GlobalOptions, readGlobalOptions } from '../command-line/global-options.js';
import { rootHelp } from '../command-line/root-help.js';
import { UsageError } from '../errors/usage-error.js';
import { pageWidth } from '../output/text/wrap.js';
import type { Command, CommandGroup } from '../session/command.js';
import { VERSION } from '../../version.js';
import { normalizeHelp, readCommandLine, requestsHelp } from './argv.js';
import { commandNamed, loadCommand } from './load-command.js';
import { declareCommand, HELP_STYLE } from './declare-command.js';
import { missingValue, parseError } from './parse-error.js';

/** A command line as typed values. */
export interface ParsedLine {
  /** The words of the command, such as `['pets', 'list']`. */
  words: readonly string[];
  command: Command;
  /** Its arguments and flags. */
  options: Readonly<Record<string, unknown>>;
  global: GlobalOptions;
  /** All flags, in the order of the line; first the global ones. */
  given: readonly GivenFlag[];
}

/**
 * Parses a command line.
 *
 * @param columns of the terminal, for help.
 * @returns the help text, if help was requested.
 * @throws UsageError if the line has an error.
 */
export async function parseLine(
  argv: readonly string[],
  columns: number | undefined,
): Promise<ParsedLine | string> {
  const line = await normalizeHelp(await readCommandLine(argv));
  const words = line.path.length === 0 ? [] : await commandNamed(line.path);
  if (words === undefined) throw await (await import('./unknown-command.js')).unknownCommand(line);
  const [word] = words;
  if (word === undefined && requestsHelp(line.argv)) return rootHelp(columns);
  const loaded = word === undefined ? undefined : await loadCommand(word);
  let help = '';
  let parsed: ParsedLine | undefined;
  const program = createParser(columns, (text) => (help += text));
  const flags: GivenFlag[] = [];
  if (loaded !== undefined) {
    declareCommand(program, onlyOf(loaded, words[1]), (parser, command) => {
      parsed = readLine({ words, command, given: flags }, program, parser);
    });
  }
  recordFlags(program, flags);
  try {
    await program.parseAsync([...line.argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const options = [program, ...program.commands.flatMap((one) => [one, ...one.commands])];
    const known = options.flatMap((parser) => parser.options.flatMap(({ long }) => long ?? []));
    const command = loaded === undefined ? undefined : commandOf(loaded, words[1]);
    if (error.exitCode !== 0) throw parseError(error, line, { flags: known, command });
  }
  return help !== '' ? help : (parsed ?? rootHelp(columns));
}

function commandOf(loaded: Command | CommandGroup, verb: string | undefined): Command | undefined {
  return 'commands' in loaded ? loaded.commands.find(({ word }) => word === verb) : loaded;
}

/** Leaves only one command of a group. The others are needed for the help of the group only. */
function onlyOf(loaded: Command | CommandGroup, verb: string | undefined): Command | CommandGroup {
  if (verb === undefined || !('commands' in loaded)) return loaded;
  return { ...loaded, commands: loaded.commands.filter(({ word }) => word === verb) };
}

function createParser(columns: number | undefined, writeOut: (text: string) => void): Parser {
  const program = new Parser('petstore')
    .version(VERSION, VERSION_FLAG.flags, VERSION_FLAG.summary)
    .exitOverride()
    .configureOutput({
      writeOut,
      writeErr: () => undefined,
      getOutHelpWidth: () => pageWidth(columns),
      getOutHasColors: () => false,
    })
    .configureHelp(HELP_STYLE)
    .helpOption(HELP_FLAG.flags, 'Print this help')
    .helpCommand(false)
    .allowExcessArguments(false);
  for (const { flags, summary } of GLOBAL_FLAGS) program.option(flags, summary);
  return program;
}

/** Records every flag of the line with its text. */
function recordFlags(parser: Parser, given: GivenFlag[]): void {
  for (const option of parser.options) {
    const name = option.long ?? option.flags;
    parser.on(`option:${option.name()}`, (text: string | null | undefined) => {
      // An optional value that is not given is empty (argv.ts).
      const isGiven = typeof text === 'string' && !(option.optional && text === '');
      given.push(isGiven ? { name, text } : { name });
    });
  }
  for (const command of parser.commands) recordFlags(command, given);
}

function readLine(
  line: Pick<ParsedLine, 'words' | 'command' | 'given'>,
  program: Parser,
  { args, registeredArguments }: Parser,
): ParsedLine {
  const { command } = line;
  const own = Object.values(command.flags ?? {});
  const given = line.given.map((one) => {
    const flag = own.find(({ aliases }) => aliases?.includes(one.name));
    return flag === undefined ? one : { ...one, name: longName(flag.flags) };
  });
  rejectRepeated({ ...line, given }, own);
  const options: Record<string, unknown> = {};
  for (const [index, [name, argument]] of Object.entries(command.arguments ?? {}).entries()) {
    const words =
      registeredArguments[index]?.variadic === true ? args.slice(index) : args.slice(index, index + 1);
    // Node takes an empty path for the current directory. An empty domain is a finding.
    const isHost = argument.values === 'domain' || argument.values === 'redirect';
    if (!isHost && words.includes(''))
      throw missingValue(argumentName(argument.notation).toUpperCase(), line.words);
    options[name] = argument.read(words);
  }
  for (const [name, flag] of Object.entries(command.flags ?? {})) {
    const texts = given.filter((one) => one.name === longName(flag.flags));
    options[name] = flag.read(texts.length === 0 ? undefined : texts.flatMap(({ text }) => text ?? []));
  }
  command.check?.(options, given);
  return { ...line, given, options, global: readGlobalOptions(program.opts(), command.formats) };
}

/** Rejects a second value of a flag, which would silently replace the first, and a missing or empty one. */
function rejectRepeated({ given, words }: Pick<ParsedLine, 'given' | 'words'>, own: readonly Flag[]): void {
  const seen = new Set<string>();
  for (const { name, text } of given) {
    const flag: Pick<Flag, 'flags' | 'isRepeatable'> | undefined = [...own, ...GLOBAL_FLAGS].find(
      ({ flags }) => longName(flags) === name,
    );
    const isMissing = text === undefined || text === '';
    if (isMissing && flag?.flags.includes('<') === true) throw missingValue(name, words);
    if (text === undefined || flag?.isRepeatable === true) continue;
    if (seen.has(name)) {
      const isList = /<\w+,/.test(flag?.flags ?? '');
      throw new UsageError(
        `${name} is given twice`,
        isList ? 'Pass it once, with commas between the values.' : 'Pass it once.',
      );
    }
    seen.add(name);
  }
}
