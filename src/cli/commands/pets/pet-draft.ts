import { isPetStatus, PET_STATUSES, type PetStatus } from '../../../schema/pet-reader.js';
import { choice } from '../../command-line/flag-values.js';
import { UsageError } from '../../errors/usage-error.js';

/** The known fields of a new pet. */
export interface PetDraft {
  name?: string;
  categoryId?: bigint;
  status?: PetStatus;
}

/** Rejects an empty name. The interface specification has no other rule. */
export function checkName(what: string, name: string): string {
  if (name !== '') return name;
  throw new UsageError(`${what} is empty`, 'A pet needs a name.');
}

/** Validates a status from a file or a prompt. */
export function checkStatus(what: string, status: unknown): PetStatus {
  return isPetStatus(status) ? status : choice(what, PET_STATUSES, String(status));
}
