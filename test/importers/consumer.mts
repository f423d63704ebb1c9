// Compiled against the packed package by every supported release of TypeScript; not run.
import {
  createPetStore,
  isPetStoreError,
  type NewPet,
  type Pet,
  type PetStoreOptions,
  RateLimitError,
} from 'petstore';
import { exportPets, importPets } from 'petstore/bulk';
import { checkDomain, type Report } from 'petstore/domain';
import { createMock, type Mock } from 'petstore/mock';

const mock: Mock = createMock({ plan: 'free' });
const options: PetStoreOptions = {
  apiKey: async () => 'key',
  baseUrl: new URL('https://mock.test/v1'),
  fetch: mock.fetch,
  clock: mock.clock,
};

export async function createRex(): Promise<bigint | Date | undefined> {
  await using store = createPetStore(options);
  try {
    const rex: Pet = await store.pets.create({ name: 'Rex', categoryId: '7' });
    const { data, response } = await store.pets.list({ status: 'sold' }).withResponse();
    return data[response.status]?.id ?? rex.id;
  } catch (error) {
    if (error instanceof RateLimitError) return error.retryAt;
    if (isPetStoreError(error) && error.type === 'timeout') throw new Error(error.limit);
    throw error;
  }
}

export async function copy(from: Iterable<NewPet>): Promise<boolean> {
  await using store = createPetStore(options);
  const { complete, errors } = await importPets(store, from, { journal: 'pets.journal', onUnknown: 'skip' });
  for (const { line, column, message } of errors) console.error(line, column ?? 0, message);
  return complete && (await exportPets(store, process.stdout, { format: 'ndjson' })).complete;
}

export async function check(): Promise<Report['state']> {
  return (await checkDomain({ domain: 'shop.example.com', target: 'cname.example.net' })).state;
}
