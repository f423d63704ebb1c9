import { quote } from '../../schema/control-characters.js';
import { COMMANDS } from '../command-line/command-table.js';
import { longName } from '../command-line/flag.js';
import { shellWord } from '../errors/shell-word.js';
import { UsageError } from '../errors/usage-error.js';
import { suggest } from '../../options/suggest.js';
import type { CommandLine } from './argv.js';
import { commandsOf } from './load-command.js';
import { replacementOf } from './parse-error.js';

/** Commands by the words that users of other programs try first. In a group, its own command is meant. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
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
  }),
);

/** Words for changing and for deleting a pet. The interface specification has no endpoints for it. */
const CHANGES: ReadonlyMap<string, string> = new Map([
  ...['update', 'edit', 'patch'].map((word) => [word, 'update'] as const),
  ...['delete', 'remove', 'rm'].map((word) => [word, 'delete'] as const),
]);

/** The error for a command line whose words name no command. */
export async function unknownCommand({ argv, path }: CommandLine): Promise<UsageError> {
  // The word may be the value of an unknown flag.
  const flag = argv.find((word) => replacementOf(word) !== undefined);
  if (flag !== undefined) return new UsageError(`Unknown option ${quote(flag)}`, replacementOf(flag));
  const [first = '', verb] = path;
  // Without a group, a pet is meant.
  const change = verb === undefined || first === 'pets' ? CHANGES.get(verb ?? first) : undefined;
  if (change !== undefined)
    return new UsageError(
      `petstore can't ${change} pets: the service has no endpoint for it`,
      'Run "petstore pets --help" for the commands.',
    );
  const early = await flagBeforeCommand(argv, path);
  if (early !== undefined) return early;
  const verbs = await verbsByGroup();
  const meant = verb === undefined ? meaningOf(first, verbs) : meaningIn(first, verb, verbs);
  const group = verb === undefined ? '' : `${first} `;
  return new UsageError(
    `Unknown command ${quote(path.join(' '))}`,
    didYouMean(meant) ?? `Run "petstore ${group}--help" for the commands.`,
  );
}

/** The error of a line such as `pets --status sold`: the value of the flag is no command. */
async function flagBeforeCommand(
  argv: readonly string[],
  [group = '', verb = '']: readonly string[],
): Promise<UsageError | undefined> {
  const flag = argv[argv.indexOf(verb) - 1];
  if (flag?.startsWith('--') !== true) return undefined;
  const command = (await commandsOf(group))?.find(({ flags = {} }) =>
    Object.values(flags).some((known) => longName(known.flags) === flag),
  );
  if (command === undefined) return undefined;
  return new UsageError(
    `Missing command before ${flag}`,
    `Put the command first: petstore ${group} ${command.word} ${flag} ${shellWord(verb)}`,
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

/** Commands with this verb; otherwise its synonym, or the most similar command or verb. */
function meaningOf(word: string, verbs: Verbs): readonly string[] {
  const exact = commandsWithVerb(word, verbs);
  if (exact.length > 0) return exact;
  const command = SYNONYMS.get(word)?.[0] ?? suggest(word, Object.keys(COMMANDS));
  if (command !== undefined) return [command];
  const verb = suggest(word, new Set([...verbs.values()].flat()));
  return verb === undefined ? [] : commandsWithVerb(verb, verbs);
}

/** The synonym or the most similar verb in a group; otherwise the commands of other groups with this verb. */
function meaningIn(group: string, word: string, verbs: Verbs): readonly string[] {
  const synonym = SYNONYMS.get(word)?.find((command) => command.startsWith(`${group} `));
  if (synonym !== undefined) return [synonym];
  const verb = suggest(word, verbs.get(group) ?? []);
  return verb === undefined ? commandsWithVerb(word, verbs) : [`${group} ${verb}`];
}

function commandsWithVerb(verb: string, verbs: Verbs): string[] {
  return [...verbs].filter(([, words]) => words.includes(verb)).map(([group]) => `${group} ${verb}`);
}

function didYouMean(commands: readonly string[]): string | undefined {
  const quotedCommands = commands.map((command) => `"petstore ${command}"`);
  const last = quotedCommands.pop();
  if (last === undefined) return undefined;
  return `Did you mean ${quotedCommands.length === 0 ? last : `${quotedCommands.join(', ')} or ${last}`}?`;
}
