import { isPetStatus, PET_STATUSES, type PetStatus } from '../../../schema/pet-reader.js';
import { choice } from '../../command-line/flag-values.js';
import { UsageError } from '../../errors/usage-error.js';

/** What of an animal is known so far. */
export interface PetDraft {
  name?: string;
  categoryId?: bigint;
  status?: PetStatus;
}

/** A name may be anything but empty: the specification gives no other rule. */
export function checkName(what: string, name: string): string {
  if (name !== '') return name;
  throw new UsageError(`${what} is empty`, 'an animal needs a name');
}

/** Takes a state from a file or a person. */
export function checkStatus(what: string, status: unknown): PetStatus {
  return isPetStatus(status) ? status : choice(what, PET_STATUSES, String(status));
}
