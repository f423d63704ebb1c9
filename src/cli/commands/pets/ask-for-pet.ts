import type { NewPet } from '../../../schema/pet-reader.js';
import { PET_STATUSES } from '../../../schema/pet-reader.js';
import { toInt64 } from '../../../schema/int64.js';
import type { Prompter } from '../../system/context.js';
import { checkStatus, type PetDraft } from './pet-draft.js';

/** Asks for what is missing of an animal. The state is optional, and asked for only along with the rest. */
export async function askForPet(draft: PetDraft, prompter: Prompter): Promise<NewPet> {
  const name =
    draft.name ?? (await prompter.text('Name', (answer) => answer !== '' || 'an animal needs a name'));
  const categoryId =
    draft.categoryId ??
    (await prompter.text(
      'Category id',
      (answer) => toInt64(answer) !== undefined || 'plain decimal digits, at most 9223372036854775807',
    ));
  const status = draft.status ?? (await askForStatus(prompter));
  return { name, categoryId, ...(status === undefined ? {} : { status }) };
}

async function askForStatus(prompter: Prompter): Promise<PetDraft['status']> {
  const choices = [
    { name: '(leave it to the service)', value: '' },
    ...PET_STATUSES.map((status) => ({ name: status, value: status })),
  ];
  const answer = await prompter.choose('Status', choices);
  return answer === '' ? undefined : checkStatus('status', answer);
}
