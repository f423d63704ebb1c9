import type { CommandLine } from '../command-line/argv.js';
import { COMMANDS, commandEntry } from '../command-line/command-table.js';
import { UsageError } from '../errors/usage-error.js';
import { suggest } from '../../options/suggest.js';
import { replacementOf } from './parse-error.js';

/** Commands by the words that users of other programs try first. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  ls: ['pets list'],
  show: ['pets get'],
  view: ['pets get'],
  find: ['pets list --name TEXT'],
  search: ['pets list --name TEXT'],
  add: ['pets create'],
  new: ['pets create'],
  watch: ['pets list --watch'],
  whoami: ['auth status'],
  token: ['auth key'],
  signin: ['auth login'],
  signout: ['auth logout'],
  init: ['auth login'],
  configure: ['auth login'],
  profile: ['auth list'],
  profiles: ['auth list'],
  use: ['auth switch'],
  check: ['domain verify'],
  dns: ['domain records'],
  ssl: ['domain cert'],
  certificate: ['domain cert'],
  request: ['api'],
  curl: ['api'],
  quota: ['limits'],
  usage: ['limits'],
  serve: ['mock'],
  server: ['mock'],
  man: ['help'],
  ping: ['doctor'],
};

/** The same for the verbs of a group. */
const SYNONYMS_IN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pets: { ls: 'list', show: 'get', view: 'get', add: 'create', new: 'create', find: 'list', search: 'list' },
  auth: { ls: 'list', token: 'key', whoami: 'status', use: 'switch', remove: 'delete', rm: 'delete' },
  config: {
    ls: 'list',
    show: 'list',
    edit: 'set',
    add: 'set',
    remove: 'unset',
    rm: 'unset',
    delete: 'unset',
  },
  domain: {
    check: 'verify',
    status: 'verify',
    dns: 'records',
    show: 'records',
    ssl: 'cert',
    certificate: 'cert',
  },
};

/** Words for changing and for deleting a pet, which the interface specification has no endpoints for. */
const MISSING_ENDPOINTS: Readonly<Record<string, string>> = {
  update: 'change',
  edit: 'change',
  set: 'change',
  patch: 'change',
  delete: 'delete',
  remove: 'delete',
  rm: 'delete',
};

/** The error for a command line whose words name no command. */
export function unknownCommand({ argv, path }: CommandLine): UsageError {
  // The word may be the value of an unknown flag.
  const flag = argv.find((word) => replacementOf(word) !== undefined);
  if (flag !== undefined)
    return new UsageError(`Unknown option ${JSON.stringify(flag)}`, replacementOf(flag));
  const [first = '', verb] = path;
  const verbs = commandEntry(first)?.verbs;
  if (verbs === undefined || verb === undefined) return unknownWord(first);
  if (first === 'pets' && Object.hasOwn(MISSING_ENDPOINTS, verb)) return missingEndpoint(verb);
  const meant = own(SYNONYMS_IN[first], verb) ?? suggest(verb, Object.keys(verbs));
  const elsewhere = meant === undefined ? commandsWithVerb(verb) : [`${first} ${meant}`];
  return new UsageError(
    `Unknown command ${JSON.stringify(`${first} ${verb}`)}`,
    didYouMean(elsewhere) ?? `Run "petstore ${first} --help" for the commands.`,
  );
}

function missingEndpoint(verb: string): UsageError {
  const action = MISSING_ENDPOINTS[verb] ?? verb;
  return new UsageError(
    `petstore can't ${action} pets: the service has no endpoint for it`,
    'The service lists pets, creates a pet and returns one pet. Run "petstore pets --help" for the commands.',
  );
}

function unknownWord(word: string): UsageError {
  // Also for a word of the group: `petstore update 5` is a change of a pet.
  if (word === 'update' || word === 'delete') return missingEndpoint(word);
  const meant = own(SYNONYMS, word) ?? similar(word);
  return new UsageError(
    `Unknown command ${JSON.stringify(word)}`,
    didYouMean(meant) ?? 'Run "petstore --help" for the commands.',
  );
}

/** Commands with this verb; otherwise the most similar command or verb. */
function similar(word: string): readonly string[] {
  const exact = commandsWithVerb(word);
  if (exact.length > 0) return exact;
  const command = suggest(word, Object.keys(COMMANDS));
  if (command !== undefined) return [command];
  const verb = suggest(
    word,
    new Set(Object.values(COMMANDS).flatMap(({ verbs = {} }) => Object.keys(verbs))),
  );
  return verb === undefined ? [] : commandsWithVerb(verb);
}

function commandsWithVerb(verb: string): string[] {
  return Object.entries(COMMANDS)
    .filter(([, { verbs }]) => verbs !== undefined && Object.hasOwn(verbs, verb))
    .map(([group]) => `${group} ${verb}`);
}

function didYouMean(commands: readonly string[]): string | undefined {
  const quotedCommands = commands.map((command) => `"petstore ${command}"`);
  const last = quotedCommands.pop();
  if (last === undefined) return undefined;
  return `Did you mean ${quotedCommands.length === 0 ? last : `${quotedCommands.join(', ')} or ${last}`}?`;
}

/** The value of a word, safe against words such as `constructor`. */
function own<T>(table: Readonly<Record<string, T>> | undefined, word: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, word) ? table[word] : undefined;
}
