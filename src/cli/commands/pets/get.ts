import { NotFoundError } from '../../../errors.js';
import { type Pet, unknownStatusWarning } from '../../../schema/pet-reader.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { EXIT } from '../../errors/exit-codes.js';
import { anInt64, argument, offering, oneOf, option, type ValuesOf } from '../../command-line/flag.js';
import { UsageError } from '../../errors/usage-error.js';
import { quoted } from '../../command-line/flag-values.js';
import type { Session } from '../../session/session.js';
import { defineCommand } from '../../session/command.js';
import { noteFirstOfAll, PET_COLUMNS, PET_OUTPUT, petView } from './pet-view.js';
import { join } from 'node:path';
import { stateDirectory } from '../../system/files/paths.js';
import { readPrivateFile, writePrivateFile } from '../../system/files/safe-file.js';

const ROUTES = ['auto', 'get', 'list'] as const;

const ARGUMENTS = { id: argument('<id>', 'Identifier of the pet (int64)', offering('pet-id', anId)) };

/** Reads an id. A text without digits is probably a name. */
function anId(word: string, name: string): bigint {
  if (/\d/.test(word)) return anInt64(word, name);
  throw new UsageError(
    `${name}: ${quoted(word)} is not an int64`,
    'To search by name, use "petstore pets find TEXT".',
  );
}
const FLAGS = {
  /** `auto` requests the pet by id, and searches the lists if the service no longer has that route. */
  via: option(
    '--via <route>',
    'Route: auto, get (by id; removed on 5 December 2030) or list',
    oneOf(ROUTES),
    'auto',
  ),
};

type GetOptions = ValuesOf<typeof ARGUMENTS> & ValuesOf<typeof FLAGS>;

export const get = defineCommand({
  word: 'get',
  summary: 'Show one pet',
  description: 'Show one pet.',
  arguments: ARGUMENTS,
  flags: FLAGS,
  fields: PET_OUTPUT,
  examples: [
    'petstore pets get 7',
    'petstore pets get 7 --via list',
    'petstore pets get 9223372036854775807 -o yaml',
  ],
  async run(options, session) {
    await session.print(petView(await findPet(options, session)));
    return undefined;
  },
});

async function findPet({ id, via }: GetOptions, session: Session): Promise<Pet> {
  const { signal } = session.context;
  const store = await session.client({ fields: PET_COLUMNS });
  if (via === 'auto') return withDeprecationNotice(store.pets.get(id, { signal }), session);
  if (via === 'get') {
    // Not `pets.get`, which searches the lists if the service no longer has this route.
    const { petSchema } = await import('../../../schema/pet.js');
    const schema = petSchema.refine((pet) => pet.id === id, `the pet does not have id ${String(id)}`);
    const request = store.request('GET', `/pets/${String(id)}`, {}, { schema, signal });
    const found = await withDeprecationNotice(request, session);
    const warning = unknownStatusWarning(found);
    if (warning !== undefined) session.warn(warning);
    return found;
  }
  return findListed(id, ['Try --via get.'], session);
}

/** @throws CommandFailure with these hints, if no list has the pet. */
export async function findListed(id: bigint, advice: readonly string[], session: Session): Promise<Pet> {
  const store = await session.client({ fields: PET_COLUMNS });
  noteFirstOfAll(session);
  const { pet, complete } = await store.pets.find(id, { signal: session.context.signal }).withComplete();
  if (pet !== undefined) return pet;
  throw new CommandFailure(`Pet ${String(id)} was not found among the pets that can be listed`, {
    type: 'not-found',
    exitCode: EXIT.notFound,
    hint: complete ? advice : ['It may still exist: a list has at most 100 pets.', ...advice],
  });
}

/** Prints the deprecation of the route after a response of the service. */
async function withDeprecationNotice<Found>(request: Promise<Found>, session: Session): Promise<Found> {
  try {
    const found = await request;
    noticeDeprecation(session);
    return found;
  } catch (error) {
    if (error instanceof NotFoundError) noticeDeprecation(session);
    throw error;
  }
}

const DEPRECATION =
  'GET /pets/{petId} is deprecated, and the service removes it on 5 December 2030. Use --via list instead.';
const DAY_MS = 86_400_000;

/**
 * Prints the deprecation of the route, at most once a day. Not an annotation, because a workflow can't change it.
 * Never throws: a state directory that can't be read or written only repeats the notice.
 */
function noticeDeprecation({ context, global, warn }: Session): void {
  if (global.quiet) return;
  const path = join(stateDirectory(context), 'deprecation-notice');
  const now = context.clock.now();
  const age = now - lastNotice(path, context.userId);
  if (age >= 0 && age < DAY_MS) return;
  warn(DEPRECATION, { annotate: false });
  try {
    writePrivateFile(path, `${new Date(now).toISOString()}\n`, context.userId);
  } catch {
    // The next call prints the notice again.
  }
}

/** @returns milliseconds since the epoch; NaN if unknown. */
function lastNotice(path: string, userId: number | undefined): number {
  try {
    return Date.parse(readPrivateFile(path, 100, userId).trim());
  } catch {
    return Number.NaN;
  }
}
