import type { PetStore } from '../client/index.js';
import type { PetStatus } from '../schema/pet-reader.js';
import { writeRows } from './rows/row-writer.js';
import type { RowFormat } from './rows/row.js';

/** Options of `exportPets`. */
export interface ExportOptions {
  format: RowFormat;
  /** Export only pets with this status. */
  status?: PetStatus | undefined;
  /** Whether to write CSV cells without the guard (`'`) against formulas. @default false */
  csvRaw?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** The result of `exportPets`. */
export interface PetExport {
  count: number;
  /** `false` if the service may have more pets than it can list. */
  complete: boolean;
  /** The text of the file, one pet at a time. CSV has the columns id, name, categoryId, status. */
  text: AsyncIterable<string>;
}

/**
 * Lists all pets that can be listed, and formats them.
 *
 * @throws the client's error.
 */
export async function exportPets(
  store: Pick<PetStore, 'pets'>,
  { format, status, csvRaw, signal }: ExportOptions,
): Promise<PetExport> {
  const { pets, complete } = await store.pets.listAll({ status }, { signal });
  const columns = ['id', 'name', 'categoryId', 'status'];
  return { count: pets.length, complete, text: writeRows(pets, { format, columns, csvRaw }) };
}
