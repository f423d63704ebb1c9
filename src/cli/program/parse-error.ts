import { quote } from '../../schema/control-characters.js';
import type { CommanderError } from 'commander';
import { UsageError } from '../errors/usage-error.js';
import type { CommandLine } from './argv.js';

/** The value of an unknown option, which may be a key. A trailing = is part of the name. */
const AFTER_EQUALS = /=(?!=*'?$).*$/s;

const NO_PAGES = 'The service has no pages. Run "petstore pets list --all" for all pets that can be listed.';
const KEY = 'Run "petstore auth login", or set PETSTORE_API_KEY. A key in a flag is visible to other users.';
const BODY = 'The command api sends a body: fields with -F and -f, or a JSON file with --input FILE.';

/** What replaces the flags that users of other programs try first. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  '--jq': 'Use --query with a JMESPath expression, such as --query "[].name".',
  '--template': 'Use --query with a JMESPath expression, such as --query "[].join(\' \', [name, status])".',
  '--format': 'Use -o, such as -o json. The formats are in "petstore help formatting".',
  '--filter': 'Use --name, --category or --status with "petstore pets list", or --query.',
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
  '--force': 'Use -y to skip confirmation prompts.',
  '--insecure': 'Use --ca FILE to trust your own certificate authority.',
};

/** What replaces the words that users put after a command, by its words. */
const FLAGS_FOR_WORDS: Readonly<Record<string, string>> = {
  'pets list':
    'Filter with --status (such as --status sold,pending), --name or --category, or run "petstore pets find TEXT".',
  'pets create': 'Pass the name with --name, and the category with --category.',
};

/**
 * Converts an error of commander to a message and a hint in our form: sentence case, double quotes, no final period.
 *
 * @param known the long names of the flags.
 */
export function parseError(
  error: CommanderError,
  { path, argv }: CommandLine,
  known: readonly string[],
): UsageError {
  const [, message = error.message, meant] =
    // eslint-disable-next-line no-restricted-syntax -- commander has no fields for it
    /^(?:error: )?(.*?)(?:\n\(Did you mean (?:one of )?(.*?)\?\))?$/s.exec(error.message) ?? [];
  // eslint-disable-next-line no-restricted-syntax -- commander has no fields for it
  const [, missing] = /^option '(?:-\w, )?(--[\w-]+).*' argument missing$/.exec(message) ?? [];
  if (missing !== undefined) return missingValue(missing, path);
  // eslint-disable-next-line no-restricted-syntax -- commander has no fields for it
  const [, unknown = ''] = /^unknown option '(-[^=']*)/.exec(message) ?? [];
  const wordsHint = error.code === 'commander.excessArguments' ? FLAGS_FOR_WORDS[path.join(' ')] : undefined;
  const hint = wordsHint ?? replacementOf(unknown) ?? suggestionOf(completed(unknown, argv, known) ?? meant);
  return new UsageError(textOf(message), hint ?? helpHint(path));
}

/** The flags that start with an unknown one. `-version` is read as `-v -ersion`, and means `--version`. */
function completed(unknown: string, argv: readonly string[], known: readonly string[]): string | undefined {
  const long = argv.find((word) => /^-\w/.test(word) && known.includes(`-${word}`));
  if (long !== undefined) return `-${long}`;
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
    .replace(/\. Expected 0 arguments.*$/, ', which takes none')
    .replace('. Expected ', ': expected ');
  return quotedMessage.charAt(0).toUpperCase() + quotedMessage.slice(1).replace(/\.$/, '');
}
