import type { PetStore } from '../../../client/index.js';
import { type NewPet, PET_STATUSES } from '../../../schema/pet-reader.js';
import { carriedOutHint } from '../../session/after-response.js';
import { anInt64, offering, option, type ValuesOf } from '../../command-line/flag.js';
import type { Session } from '../../session/action.js';
import { defineCommand, outputFields } from '../../session/command.js';
import { UsageError } from '../../errors/usage-error.js';
import type { Prompter } from '../../system/context.js';
import { toInt64 } from '../../../schema/int64.js';
import { checkName, checkStatus, type PetDraft, readNewPetFile } from './new-pet-file.js';
import { PET_FIELDS, petView, storeShownPets } from './pet-view.js';

const FLAGS = {
  name: option('--name <name>', 'Name of the pet', (word, name) => checkName(name, word)),
  categoryId: option('--category-id <id>', 'Identifier of the category (int64)', anInt64),
  status: option(
    '--status <status>',
    `Status: ${PET_STATUSES.join(', ')}`,
    offering(PET_STATUSES, (word, name) => checkStatus(name, word)),
  ),
  file: option(
    '-f, --file <file>',
    'JSON object with name, categoryId and status; - reads stdin (at most 16 MiB)',
  ),
};

export const create = defineCommand({
  word: 'create',
  summary: 'Create a pet',
  description: 'Create a pet.',
  flags: FLAGS,
  fields: outputFields(PET_FIELDS),
  examples: [
    'petstore pets create --name Rex --category-id 7',
    'petstore pets create --name Rex --category-id 7 --status pending -o ids',
    'petstore pets create -f rex.json --dry-run',
    'petstore pets create -f - --name Rex',
  ],
  notes: `On a terminal, the command prompts for a missing name or category, and then for the
status.

Without a response:
- The pet may or may not have been created. The exit code is 10.
- The command never sends the request again. It lists the pets that match.`,
  run: createPet,
});

async function createPet(options: ValuesOf<typeof FLAGS>, session: Session): Promise<undefined> {
  const { signal } = session.context;
  const fromFile: PetDraft =
    options.file === undefined ? {} : await readNewPetFile(options.file, session.context);
  // Flags override the file.
  const draft: PetDraft = {
    name: options.name ?? fromFile.name,
    categoryId: options.categoryId ?? fromFile.categoryId,
    status: options.status ?? fromFile.status,
  };
  const pet = isComplete(draft) ? draft : await complete(draft, session);
  const store = await openClient(session);
  const created = await store.pets.create(pet, { signal });
  session.confirm(`Created pet ${String(created.id)}`);
  await session.print(petView(created), carriedOutHint(created.id));
  await storeShownPets([created], session);
}

async function complete(draft: PetDraft, session: Session): Promise<NewPet> {
  if (session.canPrompt) {
    // A missing base URL or key is an error before the first prompt.
    await openClient(session);
    return promptForPet(draft, await session.prompter());
  }
  const missing = [draft.name === undefined && '--name', draft.categoryId === undefined && '--category-id'];
  const flags = missing.filter((flag) => flag !== false);
  throw new UsageError(
    `${flags.join(' and ')} ${flags.length === 1 ? 'is' : 'are'} missing`,
    'Pass a file with -f, or run: petstore pets create --name Rex --category-id 7',
  );
}

/** Prompts for missing fields. Prompts for the optional status only together with other fields. */
export async function promptForPet(draft: PetDraft, prompter: Prompter): Promise<NewPet> {
  const name =
    draft.name ?? (await prompter.text('Name', (answer) => answer !== '' || 'A pet needs a name.'));
  const categoryId =
    draft.categoryId ??
    (await prompter.text(
      'Category id',
      (answer) => toInt64(answer) !== undefined || 'Enter decimal digits, at most 9223372036854775807.',
    ));
  const status = draft.status ?? (await promptForStatus(prompter));
  return { name, categoryId, ...(status === undefined ? {} : { status }) };
}

async function promptForStatus(prompter: Prompter): Promise<PetDraft['status']> {
  const choices = [
    { name: 'none (the service decides)', value: '' },
    ...PET_STATUSES.map((status) => ({ name: status, value: status })),
  ];
  const answer = await prompter.choose('Status', choices);
  return answer === '' ? undefined : checkStatus('status', answer);
}

function openClient(session: Session): Promise<PetStore> {
  return session.client({ fields: PET_FIELDS });
}

type CompleteDraft = PetDraft & { name: string; categoryId: bigint };

function isComplete(draft: PetDraft): draft is CompleteDraft {
  return draft.name !== undefined && draft.categoryId !== undefined;
}
