import { join } from 'node:path';
import { importPets, type ImportPetsOptions, type PetSource } from '../../src/bulk/index.js';
import { createPetStore, type PetStore } from '../../src/client/internal.js';
import { createMock, type Fault, type MockOptions } from '../../src/mock/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVirtualClock } from '../support/virtual-clock.js';

export const TABLE = 'name,categoryId\nRex,7\nMia,8\nZoe,9\n';
export const PETS = [
  { name: 'Rex', categoryId: 7 },
  { name: 'Mia', categoryId: 8n },
  { name: 'Zoe', categoryId: '9' },
];
export const NOTHING = { created: 0, alreadyDone: 0, rejected: 0, unknown: 0 };

/** A service in memory, a client with a clock of its own, and a folder with `pets.csv`. */
export function setUp(options: MockOptions = {}, table = TABLE) {
  const clock = createVirtualClock();
  const mock = createMock({ pets: 0, plan: 'unlimited', clock, ...options });
  const folder = temporaryFolder({ 'pets.csv': table });
  const openStore = (more: { apiKey?: string; baseUrl?: string } = {}): PetStore =>
    createPetStore({
      apiKey: mock.keys[0]!,
      baseUrl: 'https://pets.test/v1',
      fetch: mock.fetch,
      clock,
      ...more,
    });
  const store = openStore();
  const path = join(folder, 'pets.csv');
  const run = (more: ImportPetsOptions = {}, input: PetSource = path) =>
    importPets(store, input, { concurrency: 1, ...more });
  return { mock, folder, clock, store, openStore, path, journal: `${path}.journal`, run };
}

/** The fault of one create request. */
export const nth = (request: number, action: Fault['action']): Fault => ({
  route: 'POST /pets',
  skip: request - 1,
  times: 1,
  action,
});
