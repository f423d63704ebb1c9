import * as z from 'zod';
import { INT64_MAX, INT64_MIN, toInt64 } from './int64.js';
import { PET_STATUSES } from './pet-reader.js';

/** An int64 in a response: a safe integer, or a bigint from `parseJson`. Becomes a bigint. */
const int64Schema = z
  .union([z.int(), z.bigint().gte(INT64_MIN).lte(INT64_MAX)], 'expected an int64')
  .transform(BigInt);

/** The statuses that a request can have (interface specification, "PetStatus"). */
export const petStatusSchema = z.enum(PET_STATUSES);

/**
 * A pet in a response. Unknown fields and an unknown status are kept, so responses of a newer service stay readable.
 */
export const petSchema = z.looseObject({
  id: int64Schema,
  name: z.string(),
  categoryId: int64Schema,
  status: z.string().optional(),
});

/** The response body of `GET /pets`. */
export const petsSchema = z.array(petSchema);

/** An int64 of a caller: a bigint, a safe integer or a decimal string. Becomes a bigint. */
const inputInt64Schema = z
  .union([z.bigint(), z.number(), z.string()], 'expected an int64')
  .transform((value, context) => {
    const id = toInt64(value);
    if (id !== undefined) return id;
    context.addIssue('expected an int64: a bigint, a safe integer or a decimal string');
    return z.NEVER;
  });

/**
 * A pet to create. Accepts what `pets.create` accepts, and rejects fields that the interface specification does not
 * have.
 */
export const newPetSchema = z.strictObject({
  name: z.string().min(1),
  categoryId: inputInt64Schema,
  status: petStatusSchema.optional(),
});
