import type { PetStore } from '../../client/index.js';
import type { Pet } from '../../schema/pet-reader.js';
import type { UnknownReport, UnknownRow } from '../import-job.js';
import type { Journal } from '../journal/journal.js';
import type { Row } from '../rows/row.js';

/** Rows of unknown outcome, compared with the listed pets. */
export interface ListedMatches {
  report: UnknownReport;
  /** The ids of the listed pets that match a row, by row. */
  matches: ReadonlyMap<number, readonly bigint[]>;
  /**
   * The ids of pets that belong to a row without doubt about which one: as many equal pets are listed as equal rows have
   * an unknown outcome.
   */
  exact: ReadonlyMap<number, bigint>;
}

/** Maximum number of rows in a report. */
const ROWS_MAX = 100;

/**
 * Compares rows of unknown outcome with the listed pets that no row of the journal created. Each pet matches one row.
 * If equal rows match more pets than there are rows, the last of these rows gets the remaining pets.
 *
 * @throws the client's error.
 */
export async function findListedPets(
  store: Pick<PetStore, 'pets'>,
  journal: Journal,
  rows: AsyncIterable<Row>,
  signal: AbortSignal | undefined,
): Promise<ListedMatches> {
  const { pets, complete } = await store.pets.listAll(undefined, { signal });
  const created = await journal.findCreated(new Set(pets.map(({ id }) => id)));
  const unclaimed = new Map<string, Pet[]>();
  const rowsByKey = new Map<string, number[]>();
  for (const pet of pets.filter(({ id }) => !created.has(id))) {
    const key = matchKey(pet);
    unclaimed.set(key, [...(unclaimed.get(key) ?? []), pet]);
    rowsByKey.set(key, []);
  }
  const listed = new Map<number, bigint[]>();
  const lastByKey = new Map<string, Row>();
  const first: Row[] = [];
  for await (const row of rows) {
    if (first.length < ROWS_MAX) first.push(row);
    const key = matchKey(row.pet);
    rowsByKey.get(key)?.push(row.row);
    const pet = removeMatch(unclaimed.get(key), row);
    if (pet === undefined) continue;
    listed.set(row.row, [pet.id]);
    lastByKey.set(key, row);
  }
  for (const [key, row] of lastByKey) {
    const next = (): Pet | undefined => removeMatch(unclaimed.get(key), row);
    for (let pet = next(); pet !== undefined; pet = next()) listed.get(row.row)?.push(pet.id);
  }
  const exact = new Map<number, bigint>();
  for (const [key, rows] of rowsByKey) {
    const matched = rows.map((row) => ({ row, ids: listed.get(row) ?? [] }));
    if (unclaimed.get(key)?.length !== 0 || !matched.every(({ ids }) => ids.length === 1)) continue;
    for (const { row, ids } of matched) for (const id of ids) exact.set(row, id);
  }
  const unknownRows = first.map((row): UnknownRow => ({ ...row, listed: listed.get(row.row) ?? [] }));
  return { report: { rows: unknownRows, coverage: complete ? 'all' : 'part' }, matches: listed, exact };
}

/**
 * Returns the report of rows of unknown outcome with known matches. By default pets could not be listed, and no row has
 * matches.
 */
export async function reportUnknown(
  rows: AsyncIterable<Row>,
  coverage: UnknownReport['coverage'] = 'failed',
  matches?: ListedMatches['matches'],
): Promise<UnknownReport> {
  const first: UnknownRow[] = [];
  for await (const row of rows) {
    first.push({ ...row, listed: matches?.get(row.row) ?? [] });
    if (first.length === ROWS_MAX) break;
  }
  return { rows: first, coverage };
}

function matchKey({ name, categoryId }: Pick<Pet, 'name' | 'categoryId'>): string {
  return `${String(categoryId)} ${name}`;
}

/** Removes and returns the first pet with the row's status. A row without a status matches any status. */
function removeMatch(pets: Pet[] | undefined, { pet: { status } }: Row): Pet | undefined {
  const index = pets?.findIndex((pet) => status === undefined || pet.status === status) ?? -1;
  return index === -1 ? undefined : pets?.splice(index, 1)[0];
}
