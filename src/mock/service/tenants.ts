import type { Tenant } from '../http/route-request.js';
import { budgetOf, createLedger, type MockPlan } from './limits.js';
import type { MockSnapshot, MockState } from '../mock.js';
import { createStore, type MockPet } from './store.js';

/** The good keys, each with a world and limits of its own. */
export interface Tenants {
  readonly byKey: ReadonlyMap<string, Tenant>;
  /** @throws TypeError where it is not a key of this mock. */
  get(key: string): Tenant;
  /** @returns a fresh key. */
  add(plan: MockPlan): string;
  /** Every world back to its seed, every limit untouched. */
  reset(): void;
  state(now: number): MockState['tenants'];
  snapshot(): MockSnapshot;
}

/** What the tenants begin with. */
export interface TenantsOptions {
  keys: readonly string[];
  plan: MockPlan;
  pets: readonly MockPet[];
  /** The animals of the first keys, from an earlier run; only until a reset. */
  savedPets: readonly (readonly MockPet[])[];
}

/** @throws TypeError where a key can't be one. */
export function createTenants({ keys, plan, pets, savedPets: kept }: TenantsOptions): Tenants {
  checkKeys(keys);
  const byKey = new Map<string, Tenant>();
  const add = (key: string, keyPlan: MockPlan, own: readonly MockPet[]): void => {
    const number = byKey.size + 1;
    byKey.set(key, { number, plan: keyPlan, store: createStore(own), ledger: createLedger() });
  };
  keys.forEach((key, index) => {
    add(key, plan, kept[index] ?? pets);
  });
  const get = (key: string): Tenant => {
    const tenant = byKey.get(key);
    if (tenant === undefined) throw new TypeError('not a key of this mock');
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
      [...byKey.values()].map(({ number, plan: keyPlan, store: world, ledger }) => ({
        tenant: number,
        plan: keyPlan,
        pets: world.size,
        rateLimit: budgetOf(ledger, keyPlan, now),
        banned: ledger.banned && ledger.blockedUntil > now,
      })),
    snapshot: () => ({ format: 'petstore-mock/1', worlds: keys.map((key) => get(key).store.snapshot()) }),
  };
}

function checkKeys(keys: readonly string[]): void {
  if (keys.length === 0) throw new TypeError('a mock needs at least one key');
  if (new Set(keys).size < keys.length) throw new TypeError('two keys of the mock are the same');
  // What can stand after "Bearer " in a header, and no comma, which joins repeated headers.
  if (!keys.every((key) => /^[!-+\--~]+$/.test(key))) {
    throw new TypeError('a key of the mock is empty, or has a blank, a comma or a non-ASCII character');
  }
}

function unusedKey(base: string, taken: ReadonlyMap<string, unknown>): string {
  for (let number = taken.size + 1; ; number += 1) {
    const key = `${base}-${String(number)}`;
    if (!taken.has(key)) return key;
  }
}
