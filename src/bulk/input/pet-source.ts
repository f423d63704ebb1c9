import { InvalidInputError } from '../../errors.js';
import { foreignMessage } from '../../foreign-error.js';
import { isObject, mustBe } from '../../options/check-options.js';
import { stringifyJson } from '../../schema/json.js';
import type { NewPet } from '../../schema/pet-reader.js';
import { BulkError } from '../job/bulk-error.js';
import type { RowInput } from '../job/import-job.js';
import type { RowFormat } from '../rows/row.js';

/**
 * The pets to create: the path of a file, a Readable (or another stream) of its text, or an iterable or async iterable of
 * pets.
 */
export type PetSource = string | Iterable<NewPet> | AsyncIterable<NewPet | Uint8Array | string>;

const CHUNK_LENGTH = 64 * 1024;

/** A Buffer is an iterable of numbers, so it needs a check of its own. */
export const mustBePetSource = mustBe(
  'a path, a stream, or an iterable of pets',
  (value) =>
    (typeof value === 'string' && value !== '') ||
    // Not by instanceof: it can be of another realm.
    (typeof value === 'object' &&
      value !== null &&
      !ArrayBuffer.isView(value) &&
      (Symbol.asyncIterator in value || Symbol.iterator in value)),
);

/** Returns the input of an import. Pets become lines of NDJSON, so errors have the number of the pet as line. */
export function inputOf(source: PetSource, format: RowFormat | undefined): RowInput {
  if (typeof source === 'string') return { kind: 'file', path: source };
  return { kind: 'stream', bytes: encode(source, format) };
}

async function* encode(
  source: Exclude<PetSource, string>,
  format: RowFormat | undefined,
): AsyncGenerator<Uint8Array> {
  // No chunk of an empty stream of bytes: it is an empty file. Otherwise it is an empty list of pets.
  const isText = 'readableObjectMode' in source && source.readableObjectMode === false;
  let isEmpty = true;
  let text = '';
  try {
    for await (const item of source) {
      isEmpty = false;
      if (ArrayBuffer.isView(item)) {
        yield item;
        continue;
      }
      text += typeof item === 'string' ? item : petLine(item, format);
      if (text.length < CHUNK_LENGTH) continue;
      // Not half of a character.
      const end = /[\ud800-\udbff]$/.test(text) ? -1 : text.length;
      yield Buffer.from(text.slice(0, end));
      text = end === -1 ? text.slice(end) : '';
    }
  } catch (cause) {
    if (cause instanceof InvalidInputError) throw cause;
    const message = `Can't read the input (${foreignMessage(cause)})`;
    throw new BulkError('unreadable', message, { cause, remedy: 'Check the source of the pets.' });
  }
  if (isEmpty && !isText) text = '[]';
  if (text !== '') yield Buffer.from(text);
}

/** A number that has lost digits is written in a form that is no category. */
function petLine(pet: NewPet, format: RowFormat | undefined): string {
  if (format !== undefined && format !== 'ndjson')
    throw new InvalidInputError(`format ${format} describes text, and the input has pets`, {
      field: 'format',
      hint: 'Omit format.',
    });
  const { categoryId } = isObject(pet) ? pet : {};
  const isInexact =
    typeof categoryId === 'number' && Number.isInteger(categoryId) && !Number.isSafeInteger(categoryId);
  return `${stringifyJson(isInexact ? { ...pet, categoryId: categoryId.toExponential() } : pet)}\n`;
}
