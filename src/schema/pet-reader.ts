import { toInt64 } from './int64.js';

/** The states of an animal, in the order of the interface specification ("PetStatus"). */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const;

/** A state that a request may name. */
export type PetStatus = (typeof PET_STATUSES)[number];

/**
 * An animal as the service returns it.
 *
 * `id` and `categoryId` are always `bigint`, so that `===` holds whatever their size. `JSON.stringify` throws on a
 * bigint: write a pet with `stringifyJson`. Fields that this version does not know are kept as they came.
 */
export interface Pet {
  /** Unique identifier, assigned on creation (int64). */
  id: bigint;
  /** The animal's name. */
  name: string;
  /** Identifier of the category the animal belongs to (int64). */
  categoryId: bigint;
  /** Availability. Usually one of `PetStatus`; a value of a newer service is passed on. */
  status?: PetStatus | (string & {});
  [field: string]: unknown;
}

/** An animal to create. `categoryId` also takes a safe integer or a decimal string. */
export interface NewPet {
  /** The animal's name; must not be empty. */
  name: string;
  /** Identifier of the category (int64). */
  categoryId: bigint | number | string;
  /** Availability; what the service assumes without one is not specified. */
  status?: PetStatus | undefined;
}

/**
 * Reads one animal of a parsed answer, in place: the two identifiers become bigints.
 *
 * This is the quick way for answers that are right. It accepts exactly what `petSchema` accepts (a property test holds
 * them together) and says nothing of the reason when it does not; the schema, loaded only then, names the fault.
 * Checking by schema alone would cost a one-shot command 8 to 19 ms and a busy client a tenth of its throughput.
 *
 * @returns the animal, or `undefined` where the value is not one.
 */
export function readPet(value: unknown): Pet | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const pet = value as Record<string, unknown>;
  if (typeof pet.name !== 'string') return undefined;
  if (pet.status !== undefined && typeof pet.status !== 'string') return undefined;
  const id = wireInt64(pet.id);
  const categoryId = wireInt64(pet.categoryId);
  if (id === undefined || categoryId === undefined) return undefined;
  pet.id = id;
  pet.categoryId = categoryId;
  return pet as Pet;
}

/** Reads a list of animals, in place. See `readPet`. */
export function readPets(value: unknown): Pet[] | undefined {
  if (!Array.isArray(value)) return undefined;
  for (const element of value) if (readPet(element) === undefined) return undefined;
  return value as Pet[];
}

/** Whether the value is a state that this version knows. */
export function isPetStatus(value: unknown): value is PetStatus {
  return (PET_STATUSES as readonly unknown[]).includes(value);
}

/** On the wire an int64 is a JSON integer; a decimal string, fine as an argument, is a wrong shape here. */
function wireInt64(value: unknown): bigint | undefined {
  return typeof value === 'string' ? undefined : toInt64(value);
}
