import type { PetStore } from '../../client/index.js';
import type { Pet } from '../../schema/pet-reader.js';
import type { UnknownReport, UnknownRow } from '../import-job.js';
import type { Journal } from '../journal/journal.js';
import type { Row } from '../rows/row.js';

/** What was found of rows whose outcome is unknown. */
export interface LookUp {
  report: UnknownReport;
  /** The rows that may be one of the listed animals: no more than can be listed. */
  listed: ReadonlyMap<number, readonly bigint[]>;
}

/** Unknown rows that a report names. */
const ROWS_MAX = 100;

/**
 * Compares rows of unknown outcome with the animals that can be listed and that no row is known to have made. Each animal
 * is counted for one row; where there are more animals than rows like them, the last such row is told of the rest.
 *
 * @throws the client's error.
 */
export async function lookUp(
  store: Pick<PetStore, 'pets'>,
  journal: Journal,
  rows: AsyncIterable<Row>,
  signal: AbortSignal | undefined,
): Promise<LookUp> {
  const { pets, complete } = await store.pets.listAll(undefined, { signal });
  const made = await journal.createdAmong(new Set(pets.map(({ id }) => id)));
  const unclaimed = new Map<string, Pet[]>();
  for (const pet of pets.filter(({ id }) => !made.has(id))) {
    const kind = likeness(pet);
    unclaimed.set(kind, [...(unclaimed.get(kind) ?? []), pet]);
  }
  const listed = new Map<number, bigint[]>();
  const lastOfKind = new Map<string, Row>();
  const first: Row[] = [];
  for await (const row of rows) {
    if (first.length < ROWS_MAX) first.push(row);
    const kind = likeness(row.pet);
    const pet = takeLike(unclaimed.get(kind), row);
    if (pet === undefined) continue;
    listed.set(row.row, [pet.id]);
    lastOfKind.set(kind, row);
  }
  for (const [kind, row] of lastOfKind) {
    for (
      let pet = takeLike(unclaimed.get(kind), row);
      pet !== undefined;
      pet = takeLike(unclaimed.get(kind), row)
    )
      listed.get(row.row)?.push(pet.id);
  }
  const unknownRows = first.map((row): UnknownRow => ({ ...row, listed: listed.get(row.row) ?? [] }));
  return { report: { rows: unknownRows, seen: complete ? 'all' : 'part' }, listed };
}

/** The same report where nothing could be looked up. */
export async function withoutLookUp(rows: AsyncIterable<Row>): Promise<UnknownReport> {
  const first: UnknownRow[] = [];
  for await (const row of rows) {
    first.push({ ...row, listed: [] });
    if (first.length === ROWS_MAX) break;
  }
  return { rows: first, seen: 'failed' };
}

function likeness({ name, categoryId }: Pick<Pet, 'name' | 'categoryId'>): string {
  return `${String(categoryId)} ${name}`;
}

/** Takes the first that is in the row's state; the service may have given any where the row gives none. */
function takeLike(pets: Pet[] | undefined, { pet: { status } }: Row): Pet | undefined {
  const index = pets?.findIndex((pet) => status === undefined || pet.status === status) ?? -1;
  return index === -1 ? undefined : pets?.splice(index, 1)[0];
}
