import { quote } from '../../schema/control-characters.js';
import { type CommandEntry, COMMANDS, isCommandWord, TOPICS } from '../command-line/command-table.js';
import { flagNames, GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG } from '../command-line/global-flags.js';
import { UsageError } from '../errors/usage-error.js';
import { commandsOf, namesOf } from './load-command.js';

/** A command line, prepared for the parser. */
export interface CommandLine {
  /** The arguments, with `--json` in one word: `--json=` for all fields, `--json=a,b` for some. */
  argv: readonly string[];
  /** The words of the command, such as `['pets', 'list']`. The last may be unknown. */
  path: readonly string[];
}

/** May be empty, or end with a comma, which is rejected later. */
const FIELD_LIST = /^(?:[A-Za-z_]\w*(?:,[A-Za-z_]\w*)*,?)?$/;

/** The global flags whose value is the next argument. */
const VALUE_FLAGS = new Set(GLOBAL_FLAGS.filter(({ flags }) => flags.includes('<')).flatMap(flagNames));
/** The flags of the bare program. */
const KNOWN_FLAGS = new Set([...GLOBAL_FLAGS, VERSION_FLAG, HELP_FLAG].flatMap(flagNames));
/** A flag that selects a format or fields. */
const DATA_FLAG = /^(?:-o.*|--(?:output|json|fields|query|sort)(?:=.*)?)$/s;
const HELP_WORDS: readonly string[] = flagNames(HELP_FLAG);

/**
 * Finds the words of the command. `--json` has an optional value: the next word is its value only if it can't be a
 * command, an id or another argument.
 */
export async function readCommandLine(argv: readonly string[]): Promise<CommandLine> {
  const normalized: string[] = [];
  const path: string[] = [];
  /** The command words that may follow; `undefined` if the command is complete. */
  let known: readonly string[] | undefined = Object.keys(COMMANDS);
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') return { argv: [...normalized, ...argv.slice(index)], path };
    // An empty list is an error, unlike --json without a list.
    if (word === '--json=' || (word === '--json' && argv[index + 1] === '')) {
      normalized.push('--json=,');
      if (word === '--json') index += 1;
      continue;
    }
    if (word === '--json') {
      const fields = fieldsAfter(argv, index, path, known);
      normalized.push(`--json=${fields ?? ''}`);
      if (fields !== undefined) index += 1;
      continue;
    }
    normalized.push(word);
    if (VALUE_FLAGS.has(word)) {
      index += 1;
      if (index < argv.length) normalized.push(argv[index] ?? '');
    } else if (!word.startsWith('-') && known !== undefined) {
      path.push(word);
      known = path.length > 1 ? undefined : (await commandsOf(word))?.flatMap(namesOf);
    }
  }
  return { argv: normalized, path };
}

/**
 * Converts all forms of help (`help pets list`, `--help pets list`, a bare group) to `--help` after the command.
 *
 * @throws UsageError for an unknown flag of a group without a verb.
 */
export async function normalizeHelp(line: CommandLine): Promise<CommandLine> {
  return withHelpForBareGroup(withHelpOfCommand(withHelpAfterCommand(line)));
}

/** Whether a command line without a command requests help. */
export function requestsHelp(argv: readonly string[]): boolean {
  return argv.length === 0 || argv.some(isHelpWord);
}

/**
 * Whether the command line requests JSON, for errors before it is parsed.
 *
 * @param outputFromEnvironment `PETSTORE_OUTPUT`; a flag overrides it.
 */
export function requestsJson(argv: readonly string[], outputFromEnvironment: string | undefined): boolean {
  const format = optionsOf(argv).some((word) => /^--json(?:=|$)/.test(word))
    ? 'json'
    : (textOfFlag(argv, /^(?:-o|--output(?:=|$))(.*)$/s) ?? outputFromEnvironment);
  return format === 'json' || format === 'ndjson';
}

/** The unchecked value of a flag, for errors before the command line is parsed. @param flag captures what follows it in its word */
export function textOfFlag(argv: readonly string[], flag: RegExp): string | undefined {
  const index = optionsOf(argv).findLastIndex((word) => flag.test(word));
  const [word, next] = index === -1 ? [] : argv.slice(index);
  return (word && flag.exec(word)?.[1]) || next;
}

function optionsOf(argv: readonly string[]): readonly string[] {
  return argv.slice(0, [...argv, '--'].indexOf('--'));
}

/** `petstore --help pets list` is `petstore pets list --help`. */
function withHelpAfterCommand({ argv, path }: CommandLine): CommandLine {
  const end = path.reduce((from, word) => argv.indexOf(word, from) + 1, 0);
  const at = argv.findIndex(isHelpWord);
  if (at === -1 || at >= end) return { argv, path };
  return { argv: [...argv.slice(0, at), ...argv.slice(at + 1, end), '--help', ...argv.slice(end)], path };
}

/** `petstore help pets list` is `petstore pets list --help`; a topic of the same name comes first. */
function withHelpOfCommand(line: CommandLine): CommandLine {
  if (line.path[0] !== 'help') return line;
  const rest = line.argv.slice(line.argv.indexOf('help') + 1);
  const words = rest.filter(
    (word, index) => !word.startsWith('-') && !VALUE_FLAGS.has(rest[index - 1] ?? ''),
  );
  if (words.length === 1 && Object.hasOwn(TOPICS, words[0] ?? '')) return line;
  // The command "help" rejects these flags.
  if (line.argv.some((word) => DATA_FLAG.test(word))) return line;
  return isCommandWord(words[0] ?? '') ? { argv: [...words, '--help'], path: words.slice(0, 2) } : line;
}

/** `petstore pets` prints the help of `pets`. */
async function withHelpForBareGroup(line: CommandLine): Promise<CommandLine> {
  const [group = ''] = line.path;
  const isBare = line.path.length === 1 && (await commandsOf(group)) !== undefined;
  if (!isBare) return line;
  const unknown = line.argv.find((word) => word.startsWith('--') && word !== '--' && !isKnownFlag(word));
  if (unknown === undefined) return { ...line, argv: [...line.argv, '--help'] };
  throw new UsageError(
    // The text after = may be a key.
    `Unknown option ${quote(unknown.replace(/=.*$/s, '=…'))}`,
    `Run "petstore ${group} --help" for the commands.`,
  );
}

function isKnownFlag(word: string): boolean {
  return KNOWN_FLAGS.has(word.replace(/=.*$/s, ''));
}

function isHelpWord(word: string): boolean {
  return HELP_WORDS.includes(word);
}

function fieldsAfter(
  argv: readonly string[],
  index: number,
  path: readonly string[],
  known: readonly string[] | undefined,
): string | undefined {
  const next = argv[index + 1];
  if (next === undefined || !FIELD_LIST.test(next)) return undefined;
  if (next === '' || next.includes(',')) return next;
  if (known === undefined) {
    const [word = ''] = path;
    const entry: CommandEntry | undefined = isCommandWord(word) ? COMMANDS[word] : undefined;
    return entry?.takesWords === true ? undefined : next;
  }
  // A single word before the command is a field only if a command word follows it.
  return !known.includes(next) && known.includes(argv[index + 2] ?? '') ? next : undefined;
}
