import { InvalidInputError } from '../../errors.js';
import { foreignMessage } from '../../foreign-error.js';
import { toInt64 } from '../../schema/int64.js';
import {
  NEW_PET_FIELDS,
  type NewPet,
  OPTIONAL_ENTRIES,
  OPTIONAL_FIELDS,
  type OptionalField,
  type OptionalFields,
  type PetStatus,
} from '../../schema/pet-reader.js';
import { isObject, unknownName } from '../../options/check-options.js';
import { invalidInput } from '../../options/check-argument.js';
import type { ListQuery } from '../contract/pet-store.js';

/** Range of `limit` (interface specification, "Page size"). */
const LIMIT_MIN = 1;
export const LIMIT_MAX = 100;
/** Set by the service if a list request has no limit. */
export const LIMIT_DEFAULT = 20;

const LIST_FIELDS = ['limit', 'status'];

/**
 * Checks the query of `listAll`.
 *
 * @throws InvalidInputError for an unknown field or an invalid status.
 */
export function checkFilter(query: Pick<ListQuery, 'status'>): void {
  checkFields(query, 'query', ['status']);
  if (query.status !== undefined) checkStatus(query.status);
}

/**
 * Returns the query string of a list request, with its `?`. Empty without parameters.
 *
 * @throws InvalidInputError for an unknown field, or an invalid limit or status.
 */
export function listQueryString(query: ListQuery): string {
  checkFields(query, 'query', LIST_FIELDS);
  const { limit, status } = query;
  const limitPart = limit === undefined ? '' : `?limit=${String(checkLimit(limit))}`;
  if (status === undefined) return limitPart;
  return `${limitPart}${limitPart === '' ? '?' : '&'}status=${checkStatus(status)}`;
}

/**
 * Returns an id as a bigint.
 *
 * @throws InvalidInputError if it is not an int64.
 */
export function checkId(id: unknown, field = 'id'): bigint {
  const value = toInt64(id);
  if (value !== undefined) return value;
  const isUnsafe = typeof id === 'number' && Number.isInteger(id);
  throw new InvalidInputError(`${field} must be an int64: a bigint, a safe integer or a decimal string`, {
    field,
    ...(isUnsafe ? { hint: 'A number this large has lost its last digits. Pass a bigint or a string.' } : {}),
  });
}

/**
 * Checks a pet to create. Rejects unknown fields, because dropping them silently would lose data.
 *
 * @throws InvalidInputError for an unknown, missing or invalid field.
 */
export function checkNewPet(pet: NewPet): { name: string; categoryId: bigint } & OptionalFields {
  // Callers without TypeScript can pass anything.
  const input: unknown = pet;
  const fields = (input ?? {}) as Partial<Record<keyof NewPet, unknown>>;
  checkFields(fields, 'pet', NEW_PET_FIELDS);
  const { name, categoryId, ...optional } = readFields(fields);
  if (name !== undefined && name !== null && typeof name !== 'string')
    throw new InvalidInputError('name must be a string', { field: 'name' });
  if (name === undefined || name === null || name === '') {
    throw new InvalidInputError('name is missing', { field: 'name', hint: 'Give the pet a name.' });
  }
  if (categoryId === undefined || categoryId === null || categoryId === '') {
    throw new InvalidInputError('categoryId is missing', { field: 'categoryId' });
  }
  return {
    name,
    categoryId: checkId(categoryId, 'categoryId'),
    ...checkOptional(optional),
  };
}

function checkOptional(fields: Partial<Record<keyof OptionalFields, unknown>>): OptionalFields {
  const given = OPTIONAL_ENTRIES.filter(([name]) => fields[name] !== undefined);
  return Object.fromEntries(given.map(([name, field]) => [name, checkField(name, field, fields[name])]));
}

function checkField<T>(name: string, { read, expected }: OptionalField<T>, value: unknown): T {
  const checked = read(value);
  if (checked === undefined) throw new InvalidInputError(`${name} must be ${expected}`, { field: name });
  return checked;
}

/** Reads the fields once. A getter of the caller may throw. */
function readFields<T extends object>(fields: T): T {
  try {
    return { ...fields };
  } catch (cause) {
    const message = `A field of the pet can't be read (${foreignMessage(cause)})`;
    throw new InvalidInputError(message, { field: 'pet', cause });
  }
}

function checkFields(input: unknown, argument: string, known: readonly string[]): void {
  if (!isObject(input)) throw new InvalidInputError(`${argument} must be an object`, { field: argument });
  const unknown = Object.keys(input).find((field) => !known.includes(field));
  if (unknown !== undefined) throw invalidInput(unknownName(unknown, { known, noun: 'field' }));
}

function checkLimit(limit: unknown): number {
  const isWhole = typeof limit === 'number' && Number.isInteger(limit);
  if (isWhole && limit >= LIMIT_MIN && limit <= LIMIT_MAX) return limit;
  throw new InvalidInputError(
    `limit must be a whole number from ${String(LIMIT_MIN)} to ${String(LIMIT_MAX)}`,
    {
      field: 'limit',
      ...(isWhole &&
        limit > LIMIT_MAX && { hint: 'The API has no further pages. Use listAll() to list more pets.' }),
    },
  );
}

function checkStatus(status: unknown): PetStatus {
  return checkField('status', OPTIONAL_FIELDS.status, status);
}
