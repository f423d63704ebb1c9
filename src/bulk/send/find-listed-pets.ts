import type { PetStore } from '../../client/internal.js';
import type { Pet } from '../../schema/pet-reader.js';
import type { UnknownReport, UnknownRow } from '../job/import-job.js';
import type { Journal } from '../journal/journal.js';
import type { Row } from '../rows/row.js';

/** Rows of unknown outcome, compared with the listed pets. */
export interface ListedMatches {
  report: UnknownReport;
  matches: Matches;
  /**
   * The ids of pets that certainly belong to a row. Then the number of equal listed pets is that of equal rows with an
   * unknown outcome.
   */
  exact: ReadonlyMap<number, bigint>;
}

/** The ids of listed pets by row. */
interface Matches {
  /** Equal pets. Each belongs to one row only. */
  listed: ReadonlyMap<number, readonly bigint[]>;
  /** Pets that the row may have created: of any status, and with another spelling of the name. */
  similar: ReadonlyMap<number, readonly bigint[]>;
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
  const unclaimed = new Map<string, Pet[]>();
  const similarIds = new Map<string, bigint[]>();
  const rowsByKey = new Map<string, number[]>();
  for (const pet of pets.filter(({ id }) => !journal.createdIds.has(id))) {
    const key = matchKey(pet);
    similarIds.set(looseKey(pet), [...(similarIds.get(looseKey(pet)) ?? []), pet.id]);
    unclaimed.set(key, [...(unclaimed.get(key) ?? []), pet]);
    rowsByKey.set(key, []);
  }
  const listed = new Map<number, bigint[]>();
  const lastByKey = new Map<string, Row>();
  const similar = new Map<number, readonly bigint[]>();
  const first: Row[] = [];
  for await (const row of rows) {
    if (first.length < ROWS_MAX) first.push(row);
    const key = matchKey(row.pet);
    const ids = similarIds.get(looseKey(row.pet));
    if (ids !== undefined) similar.set(row.row, ids);
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
  const matches = { listed, similar };
  const unknownRows = first.map((row) => describeRow(row, journal, matches));
  return { report: { rows: unknownRows, coverage: complete ? 'all' : 'part' }, matches, exact };
}

/**
 * Returns the report of rows of unknown outcome with known matches. By default pets could not be listed, and no row has
 * matches.
 */
export async function reportUnknown(
  rows: AsyncIterable<Row>,
  journal: Pick<Journal, 'states'>,
  coverage: UnknownReport['coverage'] = 'failed',
  matches?: Matches,
): Promise<UnknownReport> {
  const first: UnknownRow[] = [];
  for await (const row of rows) {
    first.push(describeRow(row, journal, matches));
    if (first.length === ROWS_MAX) break;
  }
  return { rows: first, coverage };
}

function describeRow(
  row: Row,
  { states }: Pick<Journal, 'states'>,
  matches: Matches | undefined,
): UnknownRow {
  const listed = matches?.listed.get(row.row) ?? [];
  const similar = matches?.similar.get(row.row)?.filter((id) => !listed.includes(id)) ?? [];
  return { ...row, reason: states.reason(row.row), listed, similar };
}

/**
 * Returns the same text for pets that a service may have stored in a slightly different form. Their names differ in
 * case, in the form of characters, or in blanks around them.
 */
export function looseKey({ name, categoryId }: Pick<Pet, 'name' | 'categoryId'>): string {
  return `${String(categoryId)} ${name.normalize('NFKC').trim().toLowerCase().toUpperCase()}`;
}

function matchKey({ name, categoryId }: Pick<Pet, 'name' | 'categoryId'>): string {
  return `${String(categoryId)} ${name}`;
}

/** Removes and returns the first pet with the row's status. A row without a status matches any status. */
function removeMatch(pets: Pet[] | undefined, { pet: { status } }: Row): Pet | undefined {
  const index = pets?.findIndex((pet) => status === undefined || pet.status === status) ?? -1;
  return index === -1 ? undefined : pets?.splice(index, 1)[0];
}
