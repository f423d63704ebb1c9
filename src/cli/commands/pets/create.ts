import type { Command } from 'commander';
import { type NewPet, PET_STATUSES } from '../../../schema/pet-reader.js';
import { addExamples } from '../../examples.js';
import { int64 } from '../../flag-values.js';
import type { Bind, Session } from '../../action.js';
import { UsageError } from '../../usage-error.js';
import { askForPet } from './ask-for-pet.js';
import { readNewPetFile } from './new-pet-file.js';
import { checkName, checkStatus, type PetDraft } from './pet-draft.js';
import { petView } from './pet-view.js';

/** What `pets create` is asked for. Flags win over the file. */
export interface CreateOptions {
  draft: PetDraft;
  /** A JSON file, or `-` for stdin. */
  file?: string;
}

export function registerCreate(pets: Command, bind: Bind): void {
  const create = pets
    .command('create')
    .description('Add an animal. On a terminal, what is missing is asked for.')
    .option('--name <name>', "the animal's name")
    .option('--category-id <id>', 'identifier of its category (int64)')
    .option('--status <status>', PET_STATUSES.join(', '))
    .option('-f, --file <file>', 'read a JSON object with name, categoryId and status; - reads stdin')
    .action((flags: Record<string, unknown>) => bind(createPet, readCreateOptions(flags)));
  addExamples(create, [
    'petstore pets create --name Rex --category-id 7',
    'petstore pets create --name Rex --category-id 7 --status pending -o ids',
    'petstore pets create -f rex.json --dry-run',
    'petstore pets create -f - --name Rex',
  ]);
}

function readCreateOptions(flags: Readonly<Record<string, unknown>>): CreateOptions {
  const { name, categoryId, status, file } = flags;
  return {
    draft: {
      ...(typeof name === 'string' ? { name: checkName('--name', name) } : {}),
      ...(typeof categoryId === 'string' ? { categoryId: int64('--category-id', categoryId) } : {}),
      ...(typeof status === 'string' ? { status: checkStatus('--status', status) } : {}),
    },
    ...(typeof file === 'string' ? { file } : {}),
  };
}

async function createPet(options: CreateOptions, session: Session): Promise<undefined> {
  const { signal } = session.context;
  const fromFile = options.file === undefined ? {} : await readNewPetFile(options.file, session.context);
  const draft = { ...fromFile, ...options.draft };
  const pet = isComplete(draft) ? draft : await complete(draft, session);
  await checkOutput(session);
  const store = await session.client();
  await session.print(petView(await store.pets.create(pet, { signal })));
}

async function complete(draft: PetDraft, session: Session): Promise<NewPet> {
  if (session.canAsk) {
    // No base URL or no key: better said before the questions than after.
    await session.client();
    return askForPet(draft, await session.context.prompter());
  }
  const missing = [draft.name === undefined && '--name', draft.categoryId === undefined && '--category-id'];
  const flags = missing.filter((flag) => flag !== false);
  throw new UsageError(
    `${flags.join(' and ')} ${flags.length === 1 ? 'is' : 'are'} missing`,
    'such as petstore pets create --name Rex --category-id 7, or give both in a file with -f',
  );
}

/** A mistake in --query, --fields or -o must show before the animal is created, not after. */
async function checkOutput(session: Session): Promise<void> {
  const { query, fields, sort } = session.global;
  if (query === undefined && fields === undefined && sort === undefined) return;
  await session.render(petView({ id: 1n, name: 'Rex', categoryId: 1n, status: 'available' }));
}

type CompleteDraft = PetDraft & Required<Pick<PetDraft, 'name' | 'categoryId'>>;

function isComplete(draft: PetDraft): draft is CompleteDraft {
  return draft.name !== undefined && draft.categoryId !== undefined;
}
