import type { Pet } from '../../../schema/pet-reader.js';
import type { Session } from '../../session/action.js';

/** Keeps the ids that a person has just seen, for completion: none of the mock's, and none that went into a pipe. */
export async function rememberShown(
  pets: readonly Pet[],
  { context, global, terminal }: Session,
): Promise<void> {
  if (!terminal.stdout.isTTY || global.mock) return;
  const { storeSeenPets: rememberPets } = await import('../../completion/seen-pets.js');
  rememberPets(pets, context);
}
