import { InvalidInputError } from '../../errors.js';
import { toInt64 } from '../../schema/int64.js';
import { isPetStatus, type NewPet, PET_STATUSES, type PetStatus } from '../../schema/pet-reader.js';
import type { ListQuery } from '../contract/pet-store.js';

/** Checks on what a caller hands in. Each throws an InvalidInputError; nothing is sent then. */

/** Bounds of `limit` on `GET /pets` (interface specification, "Page size"). */
const LIMIT_MIN = 1;
/** The most animals that one answer can hold. */
export const LIMIT_MAX = 100;

/** The query string of a list, with its `?`; empty where nothing is asked for. */
export function listQueryString(query: ListQuery): string {
  rejectUnknownFields(query, ['limit', 'status']);
  const { limit, status } = query;
  const parameters: string[] = [];
  if (limit !== undefined) parameters.push(`limit=${String(checkLimit(limit))}`);
  if (status !== undefined) parameters.push(`status=${checkStatus(status)}`);
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}

/** The identifier of an animal as a bigint. */
export function checkId(id: unknown, field = 'id'): bigint {
  const value = toInt64(id);
  if (value !== undefined) return value;
  const unsafe = typeof id === 'number' && Number.isInteger(id);
  throw new InvalidInputError(`${field} must be an int64: a bigint, a safe integer or a decimal string`, {
    field,
    ...(unsafe ? { hint: 'a number this large has lost its last digits; pass a bigint or a string' } : {}),
  });
}

/** An animal to create. Only what the specification names: a field that was dropped in silence would be lost. */
export function checkNewPet(pet: NewPet): { name: string; categoryId: bigint; status?: PetStatus } {
  // Callers without TypeScript hand in anything.
  const given: unknown = pet;
  const fields = (given ?? {}) as Partial<Record<keyof NewPet, unknown>>;
  rejectUnknownFields(fields, ['name', 'categoryId', 'status']);
  const { name, categoryId, status } = fields;
  if (typeof name !== 'string' || name === '') {
    throw new InvalidInputError('name is missing', { field: 'name', hint: 'give the animal a name' });
  }
  if (categoryId === undefined || categoryId === null || categoryId === '') {
    throw new InvalidInputError('categoryId is missing', { field: 'categoryId' });
  }
  return {
    name,
    categoryId: checkId(categoryId, 'categoryId'),
    ...(status === undefined ? {} : { status: checkStatus(status) }),
  };
}

function rejectUnknownFields(given: object, known: readonly string[]): void {
  const other = Object.keys(given).find((field) => !known.includes(field));
  if (other === undefined) return;
  throw new InvalidInputError(`there is no ${JSON.stringify(other)} to give`, {
    field: other,
    hint: `known are ${known.join(', ')}`,
  });
}

function checkLimit(limit: unknown): number {
  const whole = typeof limit === 'number' && Number.isInteger(limit);
  if (whole && limit >= LIMIT_MIN && limit <= LIMIT_MAX) return limit;
  throw new InvalidInputError(
    `limit must be a whole number from ${String(LIMIT_MIN)} to ${String(LIMIT_MAX)}`,
    {
      field: 'limit',
      hint: 'there is no further page; listAll() widens what can be had',
    },
  );
}

function checkStatus(status: unknown): PetStatus {
  if (isPetStatus(status)) return status;
  throw new InvalidInputError(`status must be one of ${PET_STATUSES.join(', ')}`, { field: 'status' });
}
