import { type Pet, PET_STATUSES } from '../../../schema/pet-reader.js';
import { option, toggle, type ValuesOf } from '../../command-line/flag.js';
import { durationMs, quoted, wholeNumber } from '../../command-line/flag-values.js';
import type { PetStore } from '../../../client/internal.js';
import type { Session } from '../../session/session.js';
import { defineCommand } from '../../session/command.js';
import { followUp, SERVICE_FLAGS } from '../../session/follow-up.js';
import { counted } from '../../errors/counted.js';
import { UsageError } from '../../errors/usage-error.js';
import {
  categoryFlag,
  noteFirstOfAll,
  PET_COLUMNS,
  PET_OUTPUT,
  petListView,
  storeShownPets,
} from './pet-view.js';
import { listByStatus, statusesFlag } from './statuses.js';
import type { ListPoll } from './watch.js';

const INTERVAL_MIN_MS = 1_000;
const INTERVAL_MAX_MS = 86_400_000;

const NOTES = `Filtering:
- The service filters by one status. Several statuses are one request each.
- --name and --category filter the pets that it returned, so add --all to search
  all pets that can be listed.

Watching:
- --watch prints the list, then one line per change.
- With -o ndjson, each change is an event: {"event":"added","pet":{...}}, changed
  (with "previous") or removed. The pets of the first list are added, with
  "initial":true.
- Without --interval, the command polls every 10 s, or less often to leave half of
  the remaining requests to other uses.
- A truncated list has no removed events. After one, an added pet has
  "certain":false, because it may not be new.
- If stdout is a pipe, the command ends when its reader ends. On systems other than
  Linux, it ends at the next change.`;

const FLAGS = {
  statuses: statusesFlag,
  limit: option('-L, --limit <n>', 'Maximum per request, 1 to 100 (default 20)', (word, name) =>
    wholeNumber(
      name,
      1,
      100,
      word,
      'For example: --limit 100. For all pets that can be listed, use --all instead.',
    ),
  ),
  all: toggle('--all', 'List all pets that can be listed'),
  name: option('--name <text>', 'Only listed pets whose name contains this text, in any letter case'),
  categoryId: categoryFlag('Only listed pets of this category (int64)'),
  watch: toggle('-w, --watch', 'Print the list, then its changes, until ^C'),
  intervalMs: option('--interval <duration>', 'With --watch: time between polls, 1s to 24h', (word, name) => {
    const interval = durationMs(name, word);
    if (interval >= INTERVAL_MIN_MS && interval <= INTERVAL_MAX_MS) return interval;
    throw new UsageError(
      `${name}: ${quoted(word)} is not from 1s to 24h`,
      'Use, for example, --interval 30s.',
    );
  }),
};

type ListOptions = Partial<ValuesOf<typeof FLAGS>>;

export const list = defineCommand({
  word: 'list',
  aliases: ['ls'],
  summary: 'List pets',
  description: 'List pets, or watch the list for changes.',
  flags: FLAGS,
  fields: PET_OUTPUT,
  examples: [
    'petstore pets list --status available,sold',
    'petstore pets list --limit 100 --sort name',
    'petstore pets list --all --json id,name',
    'petstore pets list --all --name rex --category 7',
    'petstore pets list --query \'[?status==`"sold"`].name\'',
    'petstore pets list --status available --watch',
    'petstore pets list --all --watch --interval 1m -o ndjson',
  ],
  notes: NOTES,
  check({ all, limit, watch, intervalMs }) {
    if (all && limit !== undefined)
      throw new UsageError('--all and --limit contradict each other', 'Use one of the two.');
    if (!watch && intervalMs !== undefined) throw new UsageError('--interval needs --watch', 'Add --watch.');
  },
  run: listPets,
});

/** Lists the pets that match, and says on a terminal if none does. */
export async function listPets(options: ListOptions, session: Session): Promise<undefined> {
  if (options.watch) {
    const { watchPets } = await import('./watch.js');
    return watchPets(
      {
        poll: (store) => poll(options, store, session),
        intervalMs: options.intervalMs,
        ...(hasFilter(options) ? { filteredBy: filteredFields(options) } : {}),
      },
      session,
    );
  }
  const store = await session.client({ fields: PET_COLUMNS });
  const found = await poll(options, store, session);
  const text = await session.render(petListView(found.pets));
  session.context.stdout.write(text);
  await storeShownPets(found.pets, session);
  // The list has no rows, or --query leaves none.
  const isEmpty = found.pets.length === 0 || /^(?:\[\])?\s*$/.test(text);
  const isShown = isEmpty && session.terminal.stdout.isTTY;
  const note = isShown ? nothingMatches(found, options, session) : noteOf(found, options, session);
  if (note !== undefined) session.note(note);
}

/** Requests the list, or a list for each status, merged by id. A full response may be truncated. */
async function poll(
  { statuses = [], limit, all, ...filter }: ListOptions,
  { pets }: PetStore,
  session: Session,
): Promise<ListPoll> {
  const { signal } = session.context;
  if (all || statuses.length > 1) noteFirstOfAll(session, statuses);
  const { pets: listed, complete } = await listByStatus(statuses, (status) =>
    all ? pets.listAll({ status }, { signal }) : pets.list({ status, limit }, { signal }).withComplete(),
  );
  return {
    pets: hasFilter(filter) ? filterPets(listed, filter) : listed,
    listed: listed.length,
    complete,
    // After a full response of --all, one request per status followed.
    requests:
      all && statuses.length === 0 && !complete ? 1 + PET_STATUSES.length : Math.max(1, statuses.length),
  };
}

/** The note about what the list does not show; `undefined` if it shows all pets, or as many as the user requested. */
function noteOf(found: ListPoll, options: ListOptions, session: Session): string | undefined {
  const { all, limit } = options;
  const { complete, listed } = found;
  const isSorted = session.global.sort !== undefined;
  const remedy = all ? '' : ` Use --all${limit === 100 ? '' : ' or a higher --limit'}.`;
  const more = complete ? '' : ` There may be more pets.${remedy}`;
  if (hasFilter(options))
    return `Filtered from ${counted(listed, 'listed pet')}; the service can't filter by ${filteredFields(options)}.${more}`;
  if (complete) return undefined;
  if (isSorted) return `Sorted only the ${counted(listed, 'listed pet')}.${more}`;
  if (limit !== undefined) return undefined;
  return `Showing ${counted(listed, 'pet')}; there may be more.${remedy}`;
}

/** Says what was searched, and which command searches more, or shows what there is. */
function nothingMatches({ listed, complete }: ListPoll, options: ListOptions, session: Session): string {
  const { statuses = [], all = false } = options;
  const { given } = session;
  const list = ['pets', 'list', ...(all ? ['--all'] : [])];
  const filters = ['--name', '--category', '--query', ...SERVICE_FLAGS];
  if (listed === 0 && statuses.length === 0)
    return `The service lists no pets. To create one, run: ${followUp(['pets', 'create'], given)}`;
  const status = statuses.length === 0 ? '' : ` with status ${statuses.join(' or ')}`;
  const searched = `Nothing matches. Searched the ${counted(listed, 'listed pet')}${status}.`;
  if (!complete && !all)
    return `${searched} To search all pets that can be listed, run: ${followUp([...list, '--all'], given, ['--status', ...filters])}`;
  if (statuses.length > 0)
    return `${searched} To search every status, run: ${followUp(list, given, filters)}`;
  return complete
    ? `${searched} To list them, run: ${followUp(list, given)}`
    : `${searched} There may be more, which the service does not list. To show one by its id, run: ${followUp(['pets', 'get', 'ID'], given)}`;
}

/** What the service can't filter by. Both conditions must hold. */
type PetFilter = Pick<ListOptions, 'name' | 'categoryId'>;

function hasFilter({ name, categoryId }: PetFilter): boolean {
  return name !== undefined || categoryId !== undefined;
}

/** The pets that match a filter, in the same order. */
function filterPets(pets: readonly Pet[], { name, categoryId }: PetFilter): Pet[] {
  const part = name === undefined ? '' : folded(name);
  return pets.filter(
    (pet) => folded(pet.name).includes(part) && (categoryId === undefined || pet.categoryId === categoryId),
  );
}

/** What the filter compares, for a note: `name`, `category` or `name or category`. */
function filteredFields({ name, categoryId }: PetFilter): string {
  return [name !== undefined && 'name', categoryId !== undefined && 'category']
    .filter((field) => field !== false)
    .join(' or ');
}

/**
 * Removes differences of letter case and of composed characters. The result is the same in every locale: `I` and `i` match
 * in a Turkish one, too. Upper case comes last, because a small sigma depends on its place in a word and `ß` becomes `SS`.
 */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC');
}
