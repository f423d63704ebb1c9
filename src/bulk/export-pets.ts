import type { PetStore } from '../client/index.js';
import type { PetStatus } from '../schema/pet-reader.js';
import type { RowFormat } from './rows/row.js';
import { writeRows } from './rows/row-writer.js';

/** What `exportPets` takes. */
export interface ExportOptions {
  format: RowFormat;
  /** Only animals in this state. */
  status?: PetStatus | undefined;
  /** True: CSV cells that a spreadsheet would run are written as they are. Default false: they get a leading `'`. */
  csvRaw?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** What can be exported. */
export interface PetExport {
  count: number;
  /** `false` where there may be more than can be listed: the service has no cursor. */
  complete: boolean;
  /** The file, piece by piece, an animal at a time. CSV has the columns id, name, categoryId, status. */
  text: AsyncIterable<string>;
}

/** Lists all that can be listed, and writes it down. Rejects with the client's error, before there is any text. */
export async function exportPets(
  store: Pick<PetStore, 'pets'>,
  { format, status, csvRaw, signal }: ExportOptions,
): Promise<PetExport> {
  const { pets, complete } = await store.pets.listAll({ status }, { signal });
  const columns = ['id', 'name', 'categoryId', 'status'];
  return { count: pets.length, complete, text: writeRows(pets, { format, columns, csvRaw }) };
}
