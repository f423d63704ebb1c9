import { quote } from '../../schema/control-characters.js';
import type { CommanderError } from 'commander';
import { argumentName } from '../command-line/flag.js';
import { TO_A_FILE } from '../command-line/global-options.js';
import { OUTPUT_FORMATS } from '../output/index.js';
import { UsageError } from '../errors/usage-error.js';
import type { Command } from '../session/command.js';
import type { CommandLine } from './argv.js';

/** The value of an unknown option, which may be a key. A trailing = is part of the name. */
const AFTER_EQUALS = /=(?!=*'?$).*$/s;

const NO_PAGES = 'The service has no pages. Run "petstore pets list --all" for all pets that can be listed.';
const KEY = 'Run "petstore auth login", or set PETSTORE_API_KEY. A key in a flag is visible to other users.';
const FILTER = 'Use --name, --category or --status with "petstore pets list", or --query.';
const SORT = 'Use --sort, such as --sort name.';
const BODY = 'The command api sends a body: fields with -F and -f, or a JSON file with --input FILE.';

/** What replaces the flags that users of other programs try first. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  '--jq': 'Use --query with a JMESPath expression, such as --query "[].name".',
  '--template': 'Use --query with a JMESPath expression, such as --query "[].join(\' \', [name, status])".',
  '--format': 'Use -o, such as -o json. The formats are in "petstore help formatting".',
  '--filter': FILTER,
  '--where': FILTER,
  '--order': SORT,
  '--order-by': SORT,
  '--columns': 'Use --fields, such as --fields id,name.',
  '--api-key': KEY,
  '--token': KEY,
  '--key': KEY,
  '--page': NO_PAGES,
  '--offset': NO_PAGES,
  '--skip': NO_PAGES,
  '--cursor': NO_PAGES,
  '--search': 'Run "petstore pets find TEXT", or filter with --name, --category or --status.',
  '--no-color': 'Use --color never.',
  '-d': BODY,
  '--data': BODY,
  '--debug': 'Use -v to log requests and responses.',
  '--insecure': 'Use --ca FILE to trust your own certificate authority.',
  ...Object.fromEntries(OUTPUT_FORMATS.map((format) => [`--${format}`, `Use -o ${format}.`])),
};

/** The same for flags that only some commands have. */
const REPLACEMENTS_ELSEWHERE: Readonly<Record<string, string>> = {
  '--force': 'Use -y to skip confirmation prompts.',
  '--out': TO_A_FILE,
};

const OUT = 'Use --out, such as --out pets.csv.';
const TWO_WORDS = 'Write the setting and its value as two words, such as: petstore config set output json';

/** The same for one command, by its words. */
const REPLACEMENTS_IN: Readonly<Record<string, string>> = {
  'pets export --file': OUT,
  'pets import --file': 'Pass the file without a flag, such as pets.csv.',
};

/** What replaces the words that users put after a command, by its words. */
const FLAGS_FOR_WORDS: Readonly<Record<string, string>> = {
  'pets list':
    'Filter with --status (such as --status sold,pending), --name or --category, or run "petstore pets find TEXT".',
  'pets find': 'Put a text with spaces in quotes, such as "Mr. Whiskers".',
  'pets create':
    'Pass the name with --name, and the category with --category. Put a name with spaces in quotes.',
  'pets export': OUT,
  'auth login': 'Pass the address with --base-url. The command prompts for the key.',
};

/** The flags and arguments that a command line may have. */
interface Grammar {
  /** The long names of the flags. */
  flags: readonly string[];
  /** Absent if the line has no command. */
  command: Command | undefined;
}

/** Converts an error of commander to a message and a hint in our form: sentence case, double quotes, no final period. */
export function parseError(
  error: CommanderError,
  { path, argv }: CommandLine,
  { flags: known, command }: Grammar,
): UsageError {
  const [, message = error.message, meant] =
    // eslint-disable-next-line no-restricted-syntax -- commander has no fields for it
    /^(?:error: )?(.*?)(?:\n\(Did you mean (?:one of )?(.*?)\?\))?$/s.exec(error.message) ?? [];
  // eslint-disable-next-line no-restricted-syntax -- commander has no fields for it
  const [, missing] = /^option '(?:-\w, )?(--[\w-]+).*' argument missing$/.exec(message) ?? [];
  if (missing !== undefined) return missingValue(missing, path);
  // eslint-disable-next-line no-restricted-syntax -- commander has no fields for it
  const [, unknown = ''] = /^unknown option '(-[^=']*)/.exec(message) ?? [];
  const words = path.join(' ');
  const hint =
    (error.code === 'commander.excessArguments' ? excessHint(words, argv, known) : undefined) ??
    (error.code === 'commander.missingArgument' ? missingHint(message, command) : undefined) ??
    REPLACEMENTS_IN[`${words} ${unknown}`] ??
    REPLACEMENTS_ELSEWHERE[unknown] ??
    replacementOf(unknown) ??
    suggestionOf(completed(unknown, argv, known) ?? meant);
  return new UsageError(textOf(message), hint ?? helpHint(path));
}

/** What to do about a word that no argument takes. Word processors convert two hyphens to a dash. */
function excessHint(words: string, argv: readonly string[], known: readonly string[]): string | undefined {
  if (argv.at(-1) === 'help') return undefined;
  const flags = argv.flatMap((word) => /^[–—]([\w-]+)/.exec(word)?.[1] ?? []).map((name) => `--${name}`);
  const flag = flags.find((name) => known.includes(name));
  if (flag !== undefined) return `Did you mean "${flag}"? Type two hyphens instead of a dash.`;
  return FLAGS_FOR_WORDS[words];
}

/** What a missing argument can be. */
function missingHint(message: string, command: Command | undefined): string | undefined {
  // eslint-disable-next-line no-restricted-syntax -- commander has no fields for it
  const [, name] = /^missing required argument '(.*)'$/.exec(message) ?? [];
  const missing = Object.values(command?.arguments ?? {}).find(
    ({ notation }) => argumentName(notation) === name,
  );
  const { values } = missing ?? {};
  if (values === 'setting-value') return TWO_WORDS;
  if (values === 'file') return 'Pass a file, or - to read stdin.';
  return typeof values === 'object' ? `Use one of ${values.join(', ')}.` : undefined;
}

/** The flags that start with an unknown one. `-version` is read as `-v -ersion`, and means `--version`. */
function completed(unknown: string, argv: readonly string[], known: readonly string[]): string | undefined {
  const long = argv.find((word) => /^-\w/.test(word) && known.includes(`-${word}`));
  if (long !== undefined) return `-${long}`;
  const lower = unknown.toLowerCase();
  if (known.includes(lower)) return lower;
  const found = unknown.length > 4 ? known.filter((flag) => flag.startsWith(unknown)) : [];
  return found.length === 0 ? undefined : found.join(', ');
}

export function missingValue(flag: string, words: readonly string[]): UsageError {
  return new UsageError(`${flag} needs a value`, helpHint(words));
}

function helpHint(words: readonly string[]): string {
  return `Run "${['petstore', ...words].join(' ')} --help" for the flags and examples.`;
}

/** What to use instead of a flag that other programs have. */
export function replacementOf(flag: string): string | undefined {
  return Object.hasOwn(REPLACEMENTS, flag) ? REPLACEMENTS[flag] : undefined;
}

function suggestionOf(meant: string | undefined): string | undefined {
  if (meant === undefined) return undefined;
  const flags = meant.split(', ').map((flag) => quote(flag));
  return `Did you mean ${flags.join(' or ')}?`;
}

function textOf(message: string): string {
  // eslint-disable-next-line no-restricted-syntax -- commander has no fields for it
  const redacted = message.startsWith('unknown option ') ? message.replace(AFTER_EQUALS, "=…'") : message;
  const quotedMessage = redacted
    .replace(/^([a-z ]+)'(.*)'/s, '$1"$2"')
    .replace(/"\. Expected 0 arguments.*$/, '", which takes none')
    .replace(/\. Expected 0 arguments.*$/, '')
    .replace('. Expected ', ': expected ');
  return quotedMessage.charAt(0).toUpperCase() + quotedMessage.slice(1).replace(/\.$/, '');
}
