import type { RowPet } from '../../../bulk/internal.js';
import type { PetStore } from '../../../client/internal.js';
import { type NewPet, PET_STATUSES, type PetStatus } from '../../../schema/pet-reader.js';
import { carriedOutHint } from '../../session/after-response.js';
import { followUp, SERVICE_FLAGS } from '../../session/follow-up.js';
import { option, type ValuesOf } from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { defineCommand } from '../../session/command.js';
import { MultilineError, UsageError } from '../../errors/usage-error.js';
import { readInput } from '../../system/files/input-file.js';
import type { Prompter } from '../../system/context.js';
import { toInt64 } from '../../../schema/int64.js';
import {
  categoryFlag,
  OPTIONAL_FLAGS,
  PET_COLUMNS,
  PET_OUTPUT,
  petView,
  storeShownPets,
} from './pet-view.js';

const FLAGS = {
  name: option('--name <name>', 'Name of the pet'),
  categoryId: categoryFlag('Identifier of the category (int64)'),
  ...OPTIONAL_FLAGS,
  file: option(
    '-f, --file <file>',
    'JSON object with name, category and status; - reads stdin (at most 16 MiB)',
  ),
};

export const create = defineCommand({
  word: 'create',
  summary: 'Create a pet',
  description: 'Create a pet.',
  flags: FLAGS,
  fields: PET_OUTPUT,
  examples: [
    'petstore pets create --name Rex --category 7',
    'petstore pets create --name Rex --category 7 --status pending -o ids',
    'petstore pets create -f rex.json --dry-run',
    'petstore pets create -f - --name Rex',
  ],
  notes: `On a terminal, the command prompts for a missing name or category, and then for
the status.

Without a response:
- The pet may or may not have been created. The exit code is 10.
- The command never sends the request again. It lists the pets that match.`,
  run: createPet,
});

async function createPet({ file, ...given }: ValuesOf<typeof FLAGS>, session: Session): Promise<undefined> {
  const { signal } = session.context;
  const fromFile = file === undefined ? {} : await readDraft(file, session);
  // Flags override the file.
  const draft: PetDraft = {
    ...fromFile,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
  const pet = isComplete(draft) ? draft : await complete(draft, session);
  const store = await openClient(session);
  const created = await store.pets.create(pet, { signal });
  session.confirm(`Created pet ${String(created.id)}.`);
  await session.print(petView(created), carriedOutHint(created.id));
  await storeShownPets([created], session);
}

/** The known fields of a new pet. */
type PetDraft = Partial<RowPet>;

/** Reads a new pet from a JSON file, or from stdin for `-`. Fields may be missing, because flags can add them. */
async function readDraft(file: string, session: Session): Promise<PetDraft> {
  const { context } = session;
  const { text } = await readInput(file, context);
  const { checkRow, InputNotes, parseRecord } = await import('../../../bulk/internal.js');
  const parsed = parseRecord(text, 1);
  const fields = parsed.kind === 'record' ? parsed.fields : {};
  const hasCategory = 'categoryId' in fields;
  const checked =
    parsed.kind === 'record'
      ? checkRow(
          { ...parsed, fields: { name: '-', ...(hasCategory ? {} : { categoryId: 0 }), ...fields } },
          1,
        )
      : { errors: parsed.kind === 'error' ? [parsed.error] : [] };
  if ('pet' in checked) {
    const notes = new InputNotes();
    notes.add({ row: 1, line: 1, pet: checked.pet });
    for (const { message } of notes.list()) session.note(message);
    const { name, categoryId, ...rest } = checked.pet;
    return {
      ...rest,
      ...('name' in fields ? { name } : {}),
      ...(hasCategory ? { categoryId } : {}),
    };
  }
  const [{ listErrors, placesOf }, { operand }] = await Promise.all([
    import('./import/import-errors.js'),
    import('./import/import-location.js'),
  ]);
  const { errors } = checked;
  const report = { format: 'ndjson' as const, errors, errorCount: errors.length };
  const known = [...new Set(errors.map(({ hint }) => hint))].filter((hint) => hint !== undefined);
  const words = ['pets', 'import', file === '-' ? file : operand(file)];
  const isList = /^\s*(?:\[|\{[^\n]*\}\s*\n\s*\{)/.test(text) || /\.(?:csv|tsv)$/i.test(file);
  const list = isList ? [`To create all pets of a list, run: ${followUp(words, session.given)}`] : [];
  const fix = `Fix the ${file === '-' ? 'input' : 'file'}, then run the command again. Nothing was sent.`;
  const hints = [[...known, fix].join(' '), ...list];
  throw new MultilineError(listErrors(report, file), hints, undefined, placesOf(report, file));
}

async function complete(draft: PetDraft, session: Session): Promise<NewPet> {
  if (session.canPrompt) {
    // A missing base URL or key is an error before the first prompt.
    await openClient(session);
    return promptForPet(draft, await session.prompter());
  }
  const missing = [
    ...(draft.name === undefined ? ['--name NAME'] : []),
    ...(draft.categoryId === undefined ? ['--category ID'] : []),
  ];
  const flags = missing.map((flag) => flag.split(' ')[0]);
  // Repeats what was typed: sample values would create another pet.
  const typed = followUp(['pets', 'create'], session.given, CREATE_FLAGS);
  throw new UsageError(
    `${flags.join(' and ')} ${flags.length === 1 ? 'is' : 'are'} missing`,
    `Run: ${[typed, ...missing].join(' ')}`,
  );
}

/** The flags of this command, and those that select the service and what is printed. */
const CREATE_FLAGS = [
  '--name',
  '--category',
  '--status',
  '--file',
  ...SERVICE_FLAGS,
  '--dry-run',
  '--curl',
  '--output',
  '--json',
  '--yes',
  '--no-input',
];

/** Prompts for missing fields. */
async function promptForPet(draft: PetDraft, prompter: Prompter): Promise<NewPet> {
  const name =
    draft.name ?? (await prompter.text('Name', (answer) => answer !== '' || 'A pet needs a name.'));
  const categoryId =
    draft.categoryId ??
    (await prompter.text(
      'Category',
      (answer) => toInt64(answer) !== undefined || 'Enter decimal digits, at most 9223372036854775807.',
    ));
  const status = draft.status ?? (await promptForStatus(prompter));
  return { ...draft, name, categoryId, ...(status === undefined ? {} : { status }) };
}

/** No endpoint edits a pet later, so the status is asked for too. */
async function promptForStatus(prompter: Prompter): Promise<PetStatus | undefined> {
  const choices = ['none', ...PET_STATUSES].map((value) => ({ name: value, value }));
  const answer = await prompter.choose('Status', choices);
  return PET_STATUSES.find((status) => status === answer);
}

function openClient(session: Session): Promise<PetStore> {
  return session.client({ fields: PET_COLUMNS });
}

function isComplete(draft: PetDraft): draft is RowPet {
  return draft.name !== undefined && draft.categoryId !== undefined;
}
