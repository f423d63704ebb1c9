import { quote } from '../../schema/control-characters.js';
import type { CommanderError } from 'commander';
import { UsageError } from '../errors/usage-error.js';
import type { CommandLine } from './argv.js';

/** The value of an unknown option, which may be a key. A trailing = is part of the name. */
const AFTER_EQUALS = /=(?!=*'?$).*$/s;

/** What replaces the flags that users of other programs try first. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  '--jq': 'Use --query with a JMESPath expression, such as --query "[].name".',
  '--template': 'Use --query with a JMESPath expression, such as --query "[].join(\' \', [name, status])".',
  '--format': 'Use -o, such as -o json. The formats are in "petstore help formatting".',
  '--filter': 'Use --name, --category or --status with "petstore pets list", or --query.',
  '--columns': 'Use --fields, such as --fields id,name.',
  '--api-key':
    'Run "petstore auth login", or set PETSTORE_API_KEY. A key in a flag is visible to other users.',
  '--token': 'Run "petstore auth login", or set PETSTORE_API_KEY. A key in a flag is visible to other users.',
  '--page': 'The service has no pages. Run "petstore pets list --all" for all pets that can be listed.',
  '--debug': 'Use -v to log requests and responses.',
  '--force': 'Use -y to skip confirmation prompts.',
  '--insecure': 'Use --ca FILE to trust your own certificate authority.',
};

/** Converts an error of commander to a message and a hint in our form: sentence case, double quotes, no final period. */
export function parseError(error: CommanderError, { path }: CommandLine): UsageError {
  const [, message = error.message, meant] =
    // eslint-disable-next-line no-restricted-syntax -- commander has no fields for it
    /^(?:error: )?(.*?)(?:\n\(Did you mean (?:one of )?(.*?)\?\))?$/s.exec(error.message) ?? [];
  // eslint-disable-next-line no-restricted-syntax -- commander has no fields for it
  const [, missing] = /^option '(?:-\w, )?(--[\w-]+).*' argument missing$/.exec(message) ?? [];
  if (missing !== undefined) return missingValue(missing, path);
  // eslint-disable-next-line no-restricted-syntax -- commander has no fields for it
  const [, unknown = ''] = /^unknown option '(-[^=']*)/.exec(message) ?? [];
  return new UsageError(textOf(message), replacementOf(unknown) ?? suggestionOf(meant) ?? helpHint(path));
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
