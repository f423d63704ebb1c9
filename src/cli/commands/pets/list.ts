import type { Command } from 'commander';
import { PET_STATUSES, type PetStatus } from '../../../schema/pet-reader.js';
import { addExamples } from '../../examples.js';
import { choice, wholeNumber } from '../../flag-values.js';
import type { Bind, Session } from '../../action.js';
import { UsageError } from '../../usage-error.js';
import { PET_FIELDS, petListView } from './pet-view.js';
import { rememberShown } from './shown-pets.js';

/** What `pets list` is asked for. */
export interface ListOptions {
  status?: PetStatus;
  /** Most animals. Without it the service's own default holds. */
  limit?: number;
  /** Everything that can be had without a cursor. */
  all: boolean;
}

/** What the service assumes without a limit (interface specification, "Page size"). */
const SERVICE_LIMIT_DEFAULT = 20;

export function registerList(pets: Command, bind: Bind): void {
  const list = pets
    .command('list')
    .description('List animals.')
    .option('--status <status>', `only animals in this state: ${PET_STATUSES.join(', ')}`)
    .option('--limit <n>', 'most animals, 1 to 100 (the service assumes 20)')
    .option('--all', 'everything that can be listed, in as few requests as it takes')
    .action((flags: Record<string, unknown>) => bind(listPets, readListOptions(flags)));
  addExamples(list, [
    'petstore pets list --status available',
    'petstore pets list --limit 100 --sort name',
    'petstore pets list --all --json id,name',
    'petstore pets list --query \'[?status==`"sold"`].name\'',
  ]);
}

function readListOptions(flags: Readonly<Record<string, unknown>>): ListOptions {
  const { status, limit } = flags;
  const all = flags.all === true;
  if (all && limit !== undefined) {
    throw new UsageError('--all and --limit contradict each other', 'give one of the two');
  }
  return {
    ...(typeof status === 'string' ? { status: choice('--status', PET_STATUSES, status) } : {}),
    ...(typeof limit === 'string' ? { limit: wholeNumber('--limit', 1, 100, limit) } : {}),
    all,
  };
}

async function listPets(options: ListOptions, session: Session): Promise<undefined> {
  const { status, limit, all } = options;
  const signal = session.context.signal;
  const { pets } = await session.client({ fields: PET_FIELDS });
  if (all) {
    const found = await pets.listAll({ status }, { signal });
    await session.print(petListView(found.pets));
    await rememberShown(found.pets, session);
    if (found.complete) noteEmpty(found.pets.length, session);
    else
      session.note(
        'there may be more animals: the service lists at most 100 at a time, and an answer came back full',
      );
    return;
  }
  const found = await pets.list({ status, limit }, { signal });
  await session.print(petListView(found));
  await rememberShown(found, session);
  noteEmpty(found.length, session);
  if (found.length === (limit ?? SERVICE_LIMIT_DEFAULT)) {
    session.note(
      `this list may be cut short at ${String(found.length)} ${found.length === 1 ? 'animal' : 'animals'}: see more with --all${limit === 100 ? '' : ' or --limit'}`,
    );
  }
}

function noteEmpty(count: number, session: Session): void {
  if (count === 0 && session.terminal.stdout.isTTY) session.note('no animals');
}
