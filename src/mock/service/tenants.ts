import { budgetOf, createLedger, type Budget, type Ledger, type MockPlan } from './limits.js';
import {
  createStore,
  readPetSeeds,
  type MockPet,
  type MockPetSeed,
  type Store,
  type StoreSnapshot,
} from './store.js';

/** An API key with its own store and limits. */
export interface Tenant {
  /** 1 for the first key. */
  number: number;
  plan: MockPlan;
  store: Store;
  ledger: Ledger;
}

/** The state of one key. */
export interface TenantState {
  /** Number of the key, 1 for the first. */
  tenant: number;
  plan: MockPlan;
  /** Number of pets in the store. */
  pets: number;
  rateLimit: TenantRateLimit;
  banned: boolean;
}

/** The rate limit of one key, as its headers show it. */
export interface TenantRateLimit {
  /** Requests in the window. */
  limit: number;
  /** Requests left in the window. */
  remaining: number;
  /** End of the window. */
  resetAt: Date;
}

/** The pets of the initial keys, as plain data. Contains no keys and no limits. */
export interface MockSnapshot {
  format: 'petstore-mock/1';
  /** One store for each key, in the order of the option `keys`. */
  worlds: readonly StoreSnapshot[];
}

/** All tenants of a mock. */
export interface Tenants {
  readonly byKey: ReadonlyMap<string, Tenant>;
  /** @throws TypeError if the key is unknown. */
  get(key: string): Tenant;
  /** Adds a tenant and returns its key. */
  add(plan: MockPlan): string;
  /** Restores the initial pets, without those of a snapshot, and the limits of every tenant. */
  reset(): void;
  state(now: number): readonly TenantState[];
  snapshot(): MockSnapshot;
}

export interface TenantsOptions {
  keys: readonly string[];
  plan: MockPlan;
  pets: readonly MockPet[];
  /** Pets from a snapshot, in the order of `keys`. A key without an entry starts with `pets`. */
  savedPets: readonly (readonly MockPet[])[];
}

/** @throws TypeError if a key is invalid. */
export function createTenants({ keys, plan, pets, savedPets }: TenantsOptions): Tenants {
  checkKeys(keys);
  const byKey = new Map<string, Tenant>();
  const add = (key: string, keyPlan: MockPlan, ownPets: readonly MockPet[]): void => {
    const number = byKey.size + 1;
    byKey.set(key, { number, plan: keyPlan, store: createStore(ownPets), ledger: createLedger() });
  };
  keys.forEach((key, index) => {
    add(key, plan, savedPets[index] ?? pets);
  });
  const get = (key: string): Tenant => {
    const tenant = byKey.get(key);
    if (tenant === undefined) throw new TypeError('Unknown key of the mock');
    return tenant;
  };

  return {
    byKey,
    get,
    add(keyPlan) {
      const key = unusedKey(keys[0] ?? '', byKey);
      add(key, keyPlan, pets);
      return key;
    },
    reset() {
      for (const tenant of byKey.values()) {
        tenant.store = createStore(pets);
        tenant.ledger = createLedger();
      }
    },
    state: (now) =>
      [...byKey.values()].map(({ number, plan: keyPlan, store, ledger }) => ({
        tenant: number,
        plan: keyPlan,
        pets: store.size,
        rateLimit: rateLimitOf(budgetOf(ledger, keyPlan, now)),
        banned: ledger.banned && ledger.blockedUntil > now,
      })),
    snapshot: () => ({ format: 'petstore-mock/1', worlds: keys.map((key) => get(key).store.snapshot()) }),
  };
}

function rateLimitOf({ limit, remaining, resetAt }: Budget): TenantRateLimit {
  return { limit, remaining, resetAt: new Date(resetAt) };
}

function checkKeys(keys: readonly string[]): void {
  if (keys.length === 0) throw new TypeError('A mock needs at least one key');
  if (new Set(keys).size < keys.length) throw new TypeError('Two keys of the mock are equal');
  // Visible ASCII fits in a header after "Bearer ". A comma joins repeated headers.
  if (!keys.every((key) => /^[!-+\--~]+$/.test(key))) {
    throw new TypeError('A key of the mock must be visible ASCII without spaces and commas');
  }
}

function unusedKey(base: string, taken: ReadonlyMap<string, unknown>): string {
  for (let number = taken.size + 1; ; number += 1) {
    const key = `${base}-${String(number)}`;
    if (!taken.has(key)) return key;
  }
}

/**
 * Reads a result of `mock.snapshot()`, also one that `stringifyJson` wrote and `parseJson` read. `createMock` does the
 * same with its option `snapshot`; call this to validate the data earlier.
 *
 * @throws TypeError if the value is not a snapshot.
 * @example
 * ```ts
 * const snapshot = readSnapshot(parseJson(await readFile('pets.json', 'utf8')));
 * const mock = createMock({ snapshot });
 * ```
 */
export function readSnapshot(value: unknown): MockSnapshot {
  if (!isRecord(value) || value.format !== 'petstore-mock/1' || !Array.isArray(value.worlds)) {
    throw new TypeError('Not a snapshot of the mock (format petstore-mock/1)');
  }
  const worlds = value.worlds.map((world: unknown) => {
    const pets: unknown = isRecord(world) ? world.pets : undefined;
    if (!Array.isArray(pets) || !pets.every(isPetSeed)) {
      throw new TypeError('The snapshot of the mock contains an invalid pet');
    }
    return { pets: readPetSeeds(pets) };
  });
  return { format: 'petstore-mock/1', worlds };
}

function isPetSeed(value: unknown): value is MockPetSeed {
  return isRecord(value) && typeof value.name === 'string' && 'id' in value && 'categoryId' in value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
