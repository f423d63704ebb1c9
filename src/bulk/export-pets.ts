import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PetStore } from '../client/internal.js';
import { AbortedError, ConfigurationError, InvalidInputError, isPetStoreError } from '../errors.js';
import { checkArgument, checkOptions } from '../options/check-argument.js';
import {
  type Checks,
  isObject,
  mustBe,
  mustBeOneOf,
  mustBeSignal,
  mustHaveMethods,
} from '../options/check-options.js';
import { type Pet, PET_FIELDS, PET_STATUSES, type PetStatus } from '../schema/pet-reader.js';
import { formatOfName, ROW_FORMATS, type RowFormat } from './rows/row.js';
import { type RowLayout, writeRows } from './rows/row-writer.js';
import { OutputFileError, writeWholeFile } from './whole-file.js';

/** A Writable of Node.js, described by three of its members, so that importers need no types of Node.js. */
export interface WritableLike {
  readonly writable: boolean;
  write(chunk: string): boolean;
  end(): unknown;
}

/** Options of `exportPets`. */
export interface ExportOptions {
  /** @default by the extension of a path (`.csv`, `.tsv`, `.json`, `.ndjson`, `.jsonl`); `csv` for a Writable */
  format?: RowFormat | undefined;
  /** Export only pets with this status. */
  status?: PetStatus | undefined;
  /** Whether to replace an existing file. A link, directory or device is never replaced. @default false */
  force?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** The result of `exportPets`. */
export interface ExportResult {
  /** Exported pets. */
  count: number;
  /** `false` if the service may have more pets than it can list. */
  complete: boolean;
}

const CHECKS: Checks = {
  format: mustBeOneOf(...ROW_FORMATS),
  status: mustBeOneOf(...PET_STATUSES),
  force: mustBe('true or false', (value) => typeof value === 'boolean'),
  signal: mustBeSignal,
};

const mustBeOutput = mustBe(
  'a path or a Writable that has not ended',
  (value) => (typeof value === 'string' && value !== '') || isOpenWritable(value),
);

/** Not by instanceof: it can be of another realm. */
function isOpenWritable(value: unknown): boolean {
  const { writable, write, on } = (isObject(value) ? value : {}) as Partial<Writable>;
  return writable === true && typeof write === 'function' && typeof on === 'function';
}

/**
 * Exports all pets that can be listed: at most 100, and 100 of each status. Cells of CSV that a spreadsheet would run as a
 * formula get a leading `'`.
 *
 * @param output a path, whose file appears completely or not at all; or a Writable, which is ended unless it is
 *   `process.stdout` or `process.stderr`.
 * @throws InvalidInputError for an invalid argument, or if the file exists or can't be written.
 * @throws ConfigurationError if writing the file fails later, such as on a full disk.
 * @throws the client's error; the error of the Writable.
 * @example
 * ```ts
 * const { count, complete } = await exportPets(store, 'sold.csv', { status: 'sold' });
 * ```
 */
export async function exportPets(
  store: PetStore,
  output: string | WritableLike,
  options: ExportOptions = {},
): Promise<ExportResult> {
  checkArgument(store?.pets, 'store.pets', mustHaveMethods('the pets of a client', 'listAll'));
  checkArgument(output, 'output', mustBeOutput);
  const { format, status, force = false, signal } = checkOptions(options, CHECKS);
  const layout = layoutOf(output, format);
  const make = async (): Promise<ExportResult & { text: string }> => {
    const { pets, complete } = await store.pets.listAll({ status }, { signal });
    return { count: pets.length, complete, text: await formatPets(pets, layout) };
  };
  try {
    if (typeof output === 'string') {
      const { count, complete } = await writeWholeFile({ path: output, name: output, force, signal }, make);
      return { count, complete };
    }
    const { count, complete, text } = await make();
    // The program may write more lines to its own output.
    // eslint-disable-next-line no-restricted-syntax -- compared, not used
    const end = output !== process.stdout && output !== process.stderr;
    // A stream of Node.js has the other methods.
    await pipeline(Readable.from([text]), output as Writable, { signal, end });
    return { count, complete };
  } catch (error) {
    throw exportError(error, signal);
  }
}

type Layout = Omit<RowLayout, 'columns'>;

/** Formats pets as an export. CSV has a column for each field of the interface specification. */
export async function formatPets(pets: readonly Pet[], layout: Layout): Promise<string> {
  let text = '';
  for await (const piece of writeRows(pets as readonly (Pet & Record<string, unknown>)[], {
    ...layout,
    columns: PET_FIELDS,
  }))
    text += piece;
  return text;
}

function layoutOf(output: string | WritableLike, format: RowFormat | undefined): Layout {
  const named = typeof output === 'string' ? formatOfName(output) : ({ format: 'csv' } as const);
  if (format !== undefined) return named?.format === format ? named : { format };
  if (named !== undefined) return named;
  throw new InvalidInputError('The format of the output is unknown', {
    field: 'format',
    hint: `Pass format (${ROW_FORMATS.join(', ')}), or a path such as pets.csv.`,
  });
}

const FORCE_HINT = 'Pass another path, or force: true to replace it.';
const HINTS: Readonly<Partial<Record<OutputFileError['kind'], string>>> = {
  special: 'Pass the path of a regular file.',
  exists: FORCE_HINT,
  taken: FORCE_HINT,
};

function exportError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof OutputFileError) {
    const { kind, message } = error;
    const details = { hint: HINTS[kind] ?? 'Check the disk and the path.', cause: error };
    const isLate = kind === 'failed' || kind === 'disk-full';
    return isLate
      ? new ConfigurationError(message, { ...details, option: 'output' })
      : new InvalidInputError(message, { ...details, field: 'output' });
  }
  // By the type, because the client can be one of another copy of this package.
  const isAborted = isPetStoreError(error) && error.type === 'aborted';
  if (signal?.aborted !== true || isAborted) return error;
  return new AbortedError('The export was aborted', { cause: signal.reason });
}
