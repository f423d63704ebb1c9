import { quote } from '../../schema/control-characters.js';
import { COMMANDS } from '../command-line/command-table.js';
import { UsageError } from '../errors/usage-error.js';
import { suggest } from '../../options/suggest.js';
import type { CommandLine } from './argv.js';
import { commandsOf } from './commands.js';
import { replacementOf } from './parse-error.js';

/** Commands by the words that users of other programs try first. In a group, its own command is meant. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  ls: ['pets list'],
  show: ['pets get', 'config list', 'domain records'],
  view: ['pets get'],
  search: ['pets find'],
  add: ['pets create', 'config set'],
  new: ['pets create'],
  remove: ['auth delete', 'config unset'],
  rm: ['auth delete', 'config unset'],
  delete: ['config unset'],
  edit: ['config set'],
  whoami: ['auth status'],
  token: ['auth key'],
  init: ['auth login'],
  profile: ['auth list'],
  use: ['auth switch'],
  check: ['domain verify'],
  dns: ['domain records'],
  request: ['api'],
  quota: ['limits'],
  serve: ['mock'],
  man: ['help'],
};

/** Words for changing and for deleting a pet. The interface specification has no endpoints for it. */
const CHANGES: Readonly<Record<string, 'update' | 'delete'>> = {
  update: 'update',
  edit: 'update',
  set: 'update',
  patch: 'update',
  delete: 'delete',
  remove: 'delete',
  rm: 'delete',
};

/** The error for a command line whose words name no command. */
export async function unknownCommand({ argv, path }: CommandLine): Promise<UsageError> {
  // The word may be the value of an unknown flag.
  const flag = argv.find((word) => replacementOf(word) !== undefined);
  if (flag !== undefined) return new UsageError(`Unknown option ${quote(flag)}`, replacementOf(flag));
  const [first = '', verb] = path;
  if (verb === undefined) return unknownWord(first, await verbsByGroup());
  const verbs = await verbsByGroup();
  const change = first === 'pets' ? changeOf(verb) : undefined;
  if (change !== undefined && verbs.get('pets')?.includes(change) !== true) return missingEndpoint(change);
  const meant =
    change === undefined
      ? synonymsOf(verb).find((command) => command.startsWith(`${first} `))
      : `${first} ${change}`;
  const near = suggest(verb, verbs.get(first) ?? []);
  return new UsageError(
    `Unknown command ${quote(`${first} ${verb}`)}`,
    didYouMean(meant ?? (near && `${first} ${near}`) ?? commandsWithVerb(verb, verbs)) ??
      `Run "petstore ${first} --help" for the commands.`,
  );
}

/** The verbs of each group. */
type Verbs = ReadonlyMap<string, readonly string[]>;

async function verbsByGroup(): Promise<Verbs> {
  const groups = Object.keys(COMMANDS).map(async (group) => {
    const verbs = (await commandsOf(group)) ?? [];
    return [group, verbs.map(({ word }) => word)] as const;
  });
  return new Map(await Promise.all(groups));
}

function changeOf(word: string): 'update' | 'delete' | undefined {
  return Object.hasOwn(CHANGES, word) ? CHANGES[word] : undefined;
}

function missingEndpoint(change: 'update' | 'delete'): UsageError {
  return new UsageError(
    `petstore can't ${change} pets: the service has no endpoint for it`,
    'Run "petstore pets --help" for the commands.',
  );
}

function unknownWord(word: string, verbs: Verbs): UsageError {
  // Also for a word of the group: `petstore update 5` is a change of a pet.
  if ((word === 'update' || word === 'delete') && verbs.get('pets')?.includes(word) !== true)
    return missingEndpoint(word);
  return new UsageError(
    `Unknown command ${quote(word)}`,
    didYouMean(meaningOf(word, verbs)) ?? 'Run "petstore --help" for the commands.',
  );
}

/** Commands with this verb; otherwise its synonym, or the most similar command or verb. */
function meaningOf(word: string, verbs: Verbs): string | readonly string[] {
  const exact = commandsWithVerb(word, verbs);
  if (exact.length > 0) return exact;
  // Not a hint to delete a profile: without a group, a pet may be meant.
  const [synonym] = changeOf(word) === undefined ? synonymsOf(word) : [];
  const command = synonym ?? suggest(word, Object.keys(COMMANDS));
  if (command !== undefined) return command;
  const verb = suggest(word, new Set([...verbs.values()].flat()));
  return verb === undefined ? [] : commandsWithVerb(verb, verbs);
}

function commandsWithVerb(verb: string, verbs: Verbs): string[] {
  return [...verbs].filter(([, words]) => words.includes(verb)).map(([group]) => `${group} ${verb}`);
}

function didYouMean(commands: string | readonly string[]): string | undefined {
  const quotedCommands = [commands].flat().map((command) => `"petstore ${command}"`);
  const last = quotedCommands.pop();
  if (last === undefined) return undefined;
  return `Did you mean ${quotedCommands.length === 0 ? last : `${quotedCommands.join(', ')} or ${last}`}?`;
}

/** Safe against words such as `constructor`. */
function synonymsOf(word: string): readonly string[] {
  return (Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word] : undefined) ?? [];
}
