import { commandEntry, COMMANDS, isCommand, TOPICS } from './command-table.js';
import { flagNames, GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG } from './global-flags.js';
import { suggest } from '../text/suggest.js';
import { UsageError } from '../errors/usage-error.js';

/** A command line as it will be parsed. */
export interface CommandLine {
  /** The arguments, with every `--json` settled: `--json=` for all fields, `--json=a,b` for some. */
  argv: readonly string[];
  /** The command's words, such as `['pets', 'list']`. The last may be a word that is no command. */
  path: readonly string[];
}

/** Also one that ends with a comma, so that it is refused as what it is meant to be; or an empty one. */
const FIELD_LIST = /^(?:[A-Za-z_]\w*(?:,[A-Za-z_]\w*)*,?)?$/;
/** What `api` takes for a method; other words are none that anybody would spell so. */
const METHOD = /^(?:[A-Z]+|get|head|post|put|patch|delete|options)$/;

/** The global flags whose value is the next argument. */
const VALUE_FLAGS = new Set(GLOBAL_FLAGS.filter(({ flags }) => flags.includes('<')).flatMap(flagNames));
/** The flags that may stand where no command is known yet. */
const KNOWN_FLAGS = new Set([...GLOBAL_FLAGS, VERSION_FLAG, HELP_FLAG].flatMap(flagNames));
const HELP_WORDS: readonly string[] = flagNames(HELP_FLAG);

/**
 * Finds the command's words and settles the one flag with an optional value: what follows `--json` is taken as fields
 * only where it can't be a command, an id or another argument.
 */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const settled: string[] = [];
  const path: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') return { argv: [...settled, ...argv.slice(index)], path };
    if (word === '--json') {
      const fields = fieldsAfter(argv, index, path);
      settled.push(`--json=${fields ?? ''}`);
      if (fields !== undefined) index += 1;
      continue;
    }
    settled.push(word);
    if (VALUE_FLAGS.has(word)) {
      index += 1;
      if (index < argv.length) settled.push(argv[index] ?? '');
    } else if (!word.startsWith('-') && !isComplete(path)) {
      path.push(word);
    }
  }
  return { argv: settled, path };
}

/**
 * Makes `--help` behind the command of every other way to ask for help.
 *
 * @throws UsageError for a group without a verb that has a flag which nobody knows, and for a verb that there is not.
 */
export function normalizeHelp(line: CommandLine): CommandLine {
  refuseUnknownVerb(line);
  return withHelpForBareGroup(withHelpOfCommand(withHelpBehindCommand(line)));
}

/** Whether a line without a command asks for help. */
export function requestsHelp(argv: readonly string[]): boolean {
  return argv.length === 0 || argv.some(isHelpWord);
}

/**
 * Whether the line asks for JSON, for an error that comes before it could be parsed.
 *
 * @param outputFromEnvironment `PETSTORE_OUTPUT`, which a flag on the line overrides.
 */
export function requestsJson(argv: readonly string[], outputFromEnvironment: string | undefined): boolean {
  let format = outputFromEnvironment;
  for (const [index, word] of argv.entries()) {
    if (word === '--') break;
    if (word === '--json' || word.startsWith('--json=')) format = 'json';
    else if (word === '-o' || word === '--output') format = argv[index + 1];
    else if (word.startsWith('--output=')) format = word.slice('--output='.length);
    else if (/^-o[a-z]+$/.test(word)) format = word.slice(2);
  }
  return format === 'json' || format === 'ndjson';
}

/** What `--color` says on the line, for an error that comes before it could be parsed. As written, and unchecked. */
export function colorFlagIn(argv: readonly string[]): string | undefined {
  let color: string | undefined;
  for (const [index, word] of argv.entries()) {
    if (word === '--') break;
    if (word === '--color') color = argv[index + 1];
    else if (word.startsWith('--color=')) color = word.slice('--color='.length);
  }
  return color;
}

/** Asked for help on a word that is no command, the parser would show that of the group, as if all were well. */
function refuseUnknownVerb({ argv, path }: CommandLine): void {
  const [group = '', verb] = path;
  const verbs = commandEntry(group)?.verbs;
  if (verbs === undefined || verb === undefined || Object.hasOwn(verbs, verb)) return;
  const end = argv.indexOf('--');
  if (!(end === -1 ? argv : argv.slice(0, end)).some(isHelpWord)) return;
  const meant = suggest(verb, Object.keys(verbs));
  throw new UsageError(
    `unknown command ${JSON.stringify(`${group} ${verb}`)}`,
    meant === undefined ? `petstore ${group} --help lists the commands` : `did you mean ${meant}?`,
  );
}

/** `petstore --help pets list` is `petstore pets list --help`: the parser would show the help of what comes before it. */
function withHelpBehindCommand({ argv, path }: CommandLine): CommandLine {
  const end = path.reduce((from, word) => argv.indexOf(word, from) + 1, 0);
  const at = argv.findIndex(isHelpWord);
  if (at === -1 || at >= end) return { argv, path };
  return { argv: [...argv.slice(0, at), ...argv.slice(at + 1, end), '--help', ...argv.slice(end)], path };
}

/** `petstore help pets list` is `petstore pets list --help`; a topic of the same name comes first. */
function withHelpOfCommand(line: CommandLine): CommandLine {
  if (line.path[0] !== 'help') return line;
  const words = line.argv.slice(line.argv.indexOf('help') + 1).filter((word) => !word.startsWith('-'));
  if (words.length === 1 && Object.hasOwn(TOPICS, words[0] ?? '')) return line;
  return isCommand(words) ? { argv: [...words, '--help'], path: words } : line;
}

/** `petstore pets` prints the help of `pets`. */
function withHelpForBareGroup(line: CommandLine): CommandLine {
  const [group = ''] = line.path;
  const isBare = line.path.length === 1 && commandEntry(group)?.verbs !== undefined;
  if (!isBare) return line;
  const unknown = line.argv.find((word) => word.startsWith('--') && word !== '--' && !isKnownFlag(word));
  if (unknown === undefined) return { ...line, argv: [...line.argv, '--help'] };
  throw new UsageError(
    // What stands behind the = may be a key.
    `unknown option ${JSON.stringify(unknown.replace(/=.*$/s, '=…'))}`,
    `petstore ${group} --help lists the commands`,
  );
}

function isKnownFlag(word: string): boolean {
  return KNOWN_FLAGS.has(word.replace(/=.*$/s, ''));
}

function isHelpWord(word: string): boolean {
  return HELP_WORDS.includes(word);
}

function fieldsAfter(argv: readonly string[], index: number, path: readonly string[]): string | undefined {
  const next = argv[index + 1];
  if (next === undefined || !FIELD_LIST.test(next)) return undefined;
  if (next === '' || next.includes(',')) return next;
  const known = wordsAfter(path);
  if (known === undefined) {
    if (path[0] === 'api') return isFieldOfApi(argv, index) ? next : undefined;
    return commandEntry(path[0] ?? '')?.takesWords === true ? undefined : next;
  }
  // Before the command is complete a single word is more likely the command, unless the command still follows.
  return !known.includes(next) && known.includes(argv[index + 2] ?? '') ? next : undefined;
}

/** A word that is no method, where the path stands elsewhere on the line. */
function isFieldOfApi(argv: readonly string[], index: number): boolean {
  if (METHOD.test(argv[index + 1] ?? '')) return false;
  return argv.some((word) => /^\/|^https?:/.test(word));
}

function isComplete(path: readonly string[]): boolean {
  return wordsAfter(path) === undefined;
}

/** The command words that may follow, or `undefined` where the command is complete. */
function wordsAfter(path: readonly string[]): readonly string[] | undefined {
  const [group] = path;
  if (group === undefined) return Object.keys(COMMANDS);
  const verbs = commandEntry(group)?.verbs;
  return verbs !== undefined && path.length === 1 ? Object.keys(verbs) : undefined;
}
