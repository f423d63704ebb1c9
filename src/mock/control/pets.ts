import { toInt64 } from '../../schema/int64.js';
import { stringifyJson } from '../../schema/json.js';
import type { MockPetSeed, MockPets } from '../pets/store.js';
import { ControlError, numberParameter, objectOf, type ControlCall, type Operations } from './operation.js';
import { WHOLE_NUMBER, PET_INPUT, STORE, input, listOf, object, ref } from './schemas.js';

export const PET_OPERATIONS: Operations = {
  'GET /pets': {
    id: 'listPets',
    summary: 'List all pets of the key',
    query: {
      status: 'Only pets with this status',
      limit: 'Number of pets (default all)',
      offset: 'Number of pets to skip (default 0)',
    },
    response: object({ pets: listOf(ref('Pet')), total: WHOLE_NUMBER }),
    run: listPets,
  },
  'POST /pets': {
    id: 'addPet',
    summary: 'Add a pet, or replace the one with its id; without an id, it gets the next free one',
    status: 201,
    request: { schema: PET_INPUT, example: { name: 'Rex', categoryId: 1, status: 'available' } },
    response: ref('Pet'),
    run: (call) => petsOf(call).put(objectOf(call.body) as unknown as MockPetSeed),
  },
  'PUT /pets': {
    id: 'loadPets',
    summary: 'Replace all pets of the key',
    request: {
      schema: input({ pets: listOf(PET_INPUT) }),
      example: { pets: [{ id: 7, name: 'Rex', categoryId: 1, status: 'sold' }] },
    },
    response: object(STORE),
    run(call) {
      const { pets } = objectOf(call.body);
      if (!Array.isArray(pets)) throw new TypeError('The body needs a list "pets"');
      petsOf(call).load(pets as MockPetSeed[]);
      return { pets: petsOf(call).list() };
    },
  },
  'PUT /pets/{id}': {
    id: 'putPet',
    summary: 'Add a pet, or replace the one with this id',
    request: { schema: PET_INPUT, example: { name: 'Rex', categoryId: 1, status: 'available' } },
    response: ref('Pet'),
    run: putPet,
  },
  'DELETE /pets/{id}': {
    id: 'deletePet',
    summary: 'Remove a pet',
    response: object({ deleted: { const: true } }),
    run(call) {
      if (!petsOf(call).delete(call.parameter))
        throw new ControlError(404, 'not_found', `No pet has the id ${call.parameter}`);
      return { deleted: true };
    },
  },
};

/** @throws TypeError if the body has another id than the path: which one is meant is unknown. */
function putPet(call: ControlCall): object {
  const { id, ...pet } = objectOf(call.body);
  const isSame = id === undefined || toInt64(id) === toInt64(call.parameter);
  if (!isSame)
    throw new TypeError(`The body has the id ${stringifyJson(id)}, the path has ${call.parameter}`);
  return petsOf(call).put({ ...pet, id: call.parameter } as unknown as MockPetSeed);
}

function listPets(call: ControlCall): object {
  const pets = petsOf(call).list(call.query.get('status') ?? undefined);
  const offset = numberParameter(call, 'offset') ?? 0;
  const limit = numberParameter(call, 'limit') ?? pets.length;
  return { pets: pets.slice(offset, offset + limit), total: pets.length };
}

/** The pets of the selected key, or of the first one. */
function petsOf({ mock, key }: ControlCall): MockPets {
  return mock.forKey(key).pets;
}
