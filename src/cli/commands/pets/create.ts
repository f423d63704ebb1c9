import type { Command } from 'commander';
import type { PetStore } from '../../../client/index.js';
import { type NewPet, PET_STATUSES } from '../../../schema/pet-reader.js';
import { carriedOutHint } from '../../session/after-response.js';
import { addExamples } from '../../help/examples.js';
import { int64 } from '../../command-line/flag-values.js';
import type { Bind, Session } from '../../session/action.js';
import { describeFields } from '../../help/describe-fields.js';
import { UsageError } from '../../errors/usage-error.js';
import { askForPet } from './ask-for-pet.js';
import { readNewPetFile } from './new-pet-file.js';
import { checkName, checkStatus, type PetDraft } from './pet-draft.js';
import { PET_FIELDS, petView } from './pet-view.js';
import { rememberShown } from './shown-pets.js';

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
  describeFields(create, PET_FIELDS);
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
  const store = await openClient(session);
  const created = await store.pets.create(pet, { signal });
  await session.print(petView(created), carriedOutHint(created.id));
  await rememberShown([created], session);
}

async function complete(draft: PetDraft, session: Session): Promise<NewPet> {
  if (session.canPrompt) {
    // No base URL or no key: better said before the questions than after.
    await openClient(session);
    return askForPet(draft, await session.prompter());
  }
  const missing = [draft.name === undefined && '--name', draft.categoryId === undefined && '--category-id'];
  const flags = missing.filter((flag) => flag !== false);
  throw new UsageError(
    `${flags.join(' and ')} ${flags.length === 1 ? 'is' : 'are'} missing`,
    'such as petstore pets create --name Rex --category-id 7, or give both in a file with -f',
  );
}

function openClient(session: Session): Promise<PetStore> {
  return session.client({ fields: PET_FIELDS });
}

type CompleteDraft = PetDraft & Required<Pick<PetDraft, 'name' | 'categoryId'>>;

function isComplete(draft: PetDraft): draft is CompleteDraft {
  return draft.name !== undefined && draft.categoryId !== undefined;
}
