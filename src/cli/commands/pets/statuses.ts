import { type Pet, PET_STATUSES, type PetStatus } from '../../../schema/pet-reader.js';
import type { ListAllResult } from '../../../client/internal.js';
import { offering, option } from '../../command-line/flag.js';
import { choice } from '../../command-line/flag-values.js';

/** The flag for one or several statuses. */
export const statusesFlag = option(
  '-s, --status <a,b>',
  `Only pets with these statuses: ${PET_STATUSES.join(', ')}`,
  offering(PET_STATUSES, (list, name) => [
    ...new Set(list.split(',').map((word) => choice(name, PET_STATUSES, word))),
  ]),
);

/**
 * Lists pets: once, or once for each status, because the service filters by one. Several lists are merged by id.
 *
 * @param statuses empty for no filter.
 */
export async function listByStatus(
  statuses: readonly PetStatus[],
  listOne: (status: PetStatus | undefined) => Promise<ListAllResult>,
): Promise<ListAllResult> {
  const [status, ...others] = statuses;
  if (others.length === 0) return listOne(status);
  const lists: ListAllResult[] = [];
  for (const one of statuses) lists.push(await listOne(one));
  return { pets: mergeById(lists), complete: lists.every((list) => list.complete) };
}

/** A pet whose status changes between two requests is in both lists: the later one counts. */
function mergeById(lists: readonly ListAllResult[]): Pet[] {
  const byId = new Map(lists.flatMap(({ pets }) => pets.map((pet) => [pet.id, pet])));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
