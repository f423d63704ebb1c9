import type { Command } from 'commander';
import { isPetStatus, type Pet, readPet } from '../../../schema/pet-reader.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { addExamples } from '../../help/examples.js';
import { EXIT } from '../../errors/exit-codes.js';
import { choice, int64 } from '../../command-line/flag-values.js';
import type { Bind, Session } from '../../session/action.js';
import { DEPRECATION } from '../../session/open-client.js';
import { describeFields } from '../../help/describe-fields.js';
import { UsageError } from '../../errors/usage-error.js';
import { PET_FIELDS, petView } from './pet-view.js';

const ROUTES = ['auto', 'get', 'list'] as const;

/** How an animal is looked up. `auto` asks for it by id, and looks through the lists where the service no longer can. */
export type GetRoute = (typeof ROUTES)[number];

/** What `pets get` is asked for. */
export interface GetOptions {
  id: bigint;
  via: GetRoute;
}

export function registerGet(pets: Command, bind: Bind): void {
  const get = pets
    .command('get')
    .description('Show one animal.')
    .argument('<id>', 'identifier of the animal (int64)')
    .option(
      '--via <route>',
      'auto, get (by id, which the service removes on 5 December 2030) or list',
      'auto',
    )
    .action((id: string, flags: Record<string, unknown>) => bind(getPet, readGetOptions(id, flags)));
  describeFields(get, PET_FIELDS);
  addExamples(get, [
    'petstore pets get 7',
    'petstore pets get 7 --via list',
    'petstore pets get 9223372036854775807 -o yaml',
  ]);
}

function readGetOptions(id: string, flags: Readonly<Record<string, unknown>>): GetOptions {
  // The format int64 has negative values, but a line that begins with a dash is far more often a mistyped flag.
  if (/^-\d/.test(id)) {
    throw new UsageError(
      `${id} is no identifier of an animal: it is negative`,
      'pass the id as petstore pets list shows it, such as petstore pets get 7',
    );
  }
  return { id: int64('ID', id), via: choice('--via', ROUTES, String(flags.via)) };
}

async function getPet(options: GetOptions, session: Session): Promise<undefined> {
  await session.print(petView(await lookUp(options, session)));
}

async function lookUp({ id, via }: GetOptions, session: Session): Promise<Pet> {
  const { signal } = session.context;
  const store = await session.client({ fields: PET_FIELDS });
  if (via === 'auto') return store.pets.get(id, { signal });
  if (via === 'get') {
    // Straight to the route, so that a service without it says so: the client's own `get` would go on to the lists,
    // and has no option against it. So what it does with an answer is done here.
    const found = readPet(await store.request('GET', `/pets/${String(id)}`, {}, { signal }));
    session.warn(DEPRECATION);
    if (found !== undefined) return warnedOf(found, session);
    throw new CommandFailure('the answer is not an animal', {
      type: 'invalid-response',
      exitCode: EXIT.unavailable,
      hint: 'check that the base URL is that of the service, /v1 included; -v shows the answer',
    });
  }
  const found = await store.pets.find(id, { signal });
  if (found !== undefined) return found;
  throw new CommandFailure(`animal ${String(id)} was not found in what can be listed`, {
    type: 'not-found',
    exitCode: EXIT.notFound,
    hint: 'it may exist all the same, since lists are cut at 100: try --via get',
  });
}

function warnedOf(pet: Pet, session: Session): Pet {
  const { status } = pet;
  if (status !== undefined && !isPetStatus(status)) {
    session.warn(`The service returned the unknown pet status ${JSON.stringify(status)}.`);
  }
  return pet;
}
