import type { Command } from 'commander';
import { PET_STATUSES, type PetStatus } from '../../../schema/pet-reader.js';
import { addExamples } from '../../help/examples.js';
import { choice, durationMs, quoted, wholeNumber } from '../../command-line/flag-values.js';
import type { PetStore } from '../../../client/index.js';
import type { Bind, Session } from '../../session/action.js';
import { describeFields } from '../../help/describe-fields.js';
import { UsageError } from '../../errors/usage-error.js';
import { PET_FIELDS, petListView } from './pet-view.js';
import { rememberShown } from './shown-pets.js';
import type { ListPoll } from './watch/watch.js';

/** What `pets list` is asked for. */
export interface ListOptions {
  status?: PetStatus;
  /** Most animals. Without it the service's own default holds. */
  limit?: number;
  /** Everything that can be had without a cursor. */
  all: boolean;
  watch: boolean;
  /** How often to look. Without it the quota decides. */
  intervalMs?: number;
}

/** What the service assumes without a limit (interface specification, "Page size"). */
const SERVICE_LIMIT_DEFAULT = 20;
const INTERVAL_MIN_MS = 1_000;
const INTERVAL_MAX_MS = 86_400_000;

export function registerList(pets: Command, bind: Bind): void {
  const list = pets
    .command('list')
    .description('List animals.')
    .option('--status <status>', `only animals in this state: ${PET_STATUSES.join(', ')}`)
    .option('--limit <n>', 'most animals, 1 to 100 (the service assumes 20)')
    .option('--all', 'everything that can be listed, in as few requests as it takes')
    .option('--watch', 'then tell what changes in the list, until ^C')
    .option('--interval <duration>', 'with --watch: how often to look, 1s to 24h')
    .action((flags: Record<string, unknown>) => bind(listPets, readListOptions(flags)));
  describeFields(list, PET_FIELDS);
  addExamples(
    list,
    [
      'petstore pets list --status available',
      'petstore pets list --limit 100 --sort name',
      'petstore pets list --all --json id,name',
      'petstore pets list --query \'[?status==`"sold"`].name\'',
      'petstore pets list --status available --watch',
      'petstore pets list --all --watch --interval 1m -o ndjson',
    ],
    WATCH_HELP,
  );
}

const WATCH_HELP = `--watch prints the list, and from then on a line a change. With -o ndjson each
is an event: {"event":"added","pet":{...}}, changed (with "previous") or
removed; the animals of the beginning are added, with "initial":true. Without
--interval it looks every 10 s or less often, so that half of the quota is left
to others. Of a list that is cut at its limit none is told as removed, and one
that appears has "certain":false, for it may only have come into sight. When
the program that reads it has ended, it ends with the next change.`;

function readListOptions(flags: Readonly<Record<string, unknown>>): ListOptions {
  const { status, limit } = flags;
  const all = flags.all === true;
  if (all && limit !== undefined) {
    throw new UsageError('--all and --limit contradict each other', 'give one of the two');
  }
  const watch = flags.watch === true;
  if (!watch && flags.interval !== undefined) {
    throw new UsageError('--interval says how often to look, and needs --watch', 'add --watch');
  }
  return {
    ...(typeof status === 'string' ? { status: choice('--status', PET_STATUSES, status) } : {}),
    ...(typeof limit === 'string' ? { limit: wholeNumber('--limit', 1, 100, limit) } : {}),
    all,
    watch,
    ...(typeof flags.interval === 'string' ? { intervalMs: intervalMs(flags.interval) } : {}),
  };
}

function intervalMs(word: string): number {
  const interval = durationMs('--interval', word);
  if (interval >= INTERVAL_MIN_MS && interval <= INTERVAL_MAX_MS) return interval;
  throw new UsageError(`--interval: ${quoted(word)} is not from 1s to 24h`, 'such as --interval 30s');
}

async function listPets(options: ListOptions, session: Session): Promise<undefined> {
  if (options.watch) {
    const { watchPets } = await import('./watch/watch.js');
    return watchPets(
      { poll: (store) => look(options, store, session), intervalMs: options.intervalMs },
      session,
    );
  }
  const store = await session.client({ fields: PET_FIELDS });
  const { pets, complete } = await look(options, store, session);
  await session.print(petListView(pets));
  await rememberShown(pets, session);
  if (complete) noteEmpty(pets.length, session);
  else noteCut(pets.length, options, session);
}

/** With --dry-run and --curl no answer comes, on which the rest depends. */
const FIRST_OF_ALL = `this is the first of up to ${String(1 + PET_STATUSES.length)} requests: where its answer comes back full, one for each status follows`;

/** Asks once for the list, and tells whether it may be cut short. */
async function look(
  { status, limit, all }: ListOptions,
  { pets }: PetStore,
  session: Session,
): Promise<ListPoll> {
  const { recorder, context } = session;
  const { signal } = context;
  if (all) {
    if (recorder !== undefined && status === undefined) session.note(FIRST_OF_ALL);
    const found = await pets.listAll({ status }, { signal });
    // Where the first answer came back full, one more request for each state follows.
    const requests = found.complete || status !== undefined ? 1 : 1 + PET_STATUSES.length;
    return { ...found, requests };
  }
  const found = await pets.list({ status, limit }, { signal });
  return { pets: found, complete: found.length !== (limit ?? SERVICE_LIMIT_DEFAULT), requests: 1 };
}

function noteCut(count: number, { all, limit }: ListOptions, session: Session): void {
  session.note(
    all
      ? 'there may be more animals: the service lists at most 100 at a time, and an answer came back full'
      : `this list may be cut short at ${String(count)} ${count === 1 ? 'animal' : 'animals'}: see more with --all${limit === 100 ? '' : ' or --limit'}`,
  );
}

function noteEmpty(count: number, session: Session): void {
  if (count === 0 && session.terminal.stdout.isTTY) session.note('no animals');
}
