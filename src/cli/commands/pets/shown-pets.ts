import type { Pet } from '../../../schema/pet-reader.js';
import type { Session } from '../../session/action.js';

/** Stores the ids shown on a terminal for completion, except those of the mock. */
export async function storeShownPets(
  pets: readonly Pet[],
  { context, global, terminal }: Session,
): Promise<void> {
  if (!terminal.stdout.isTTY || global.mock) return;
  const { storeSeenPets } = await import('../../completion/seen-pets.js');
  storeSeenPets(pets, context);
}
