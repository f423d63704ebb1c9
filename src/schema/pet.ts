import * as z from 'zod';
import { INT64_MAX, INT64_MIN } from './int64.js';
import { PET_STATUSES } from './pet-reader.js';

/** An int64 on the wire: a safe integer, or a bigint where `parseJson` met a larger one. Always a bigint afterwards. */
const int64Schema = z
  .union([z.int(), z.bigint().gte(INT64_MIN).lte(INT64_MAX)], 'expected an int64')
  .transform(BigInt);

/** The three states that a request may name (interface specification, "PetStatus"). */
export const petStatusSchema = z.enum(PET_STATUSES);

/**
 * An animal as the service answers it. Unknown fields are kept, and so is a status that this version does not know:
 * an answer of a newer service must stay readable.
 */
export const petSchema = z.looseObject({
  id: int64Schema,
  name: z.string(),
  categoryId: int64Schema,
  status: z.string().optional(),
});

/** The answer of `GET /pets`. */
export const petsSchema = z.array(petSchema);

/** The request body of `POST /pets`. Closed: what the specification does not name is not sent. */
export const newPetSchema = z.strictObject({
  name: z.string().min(1),
  categoryId: int64Schema,
  status: petStatusSchema.optional(),
});
