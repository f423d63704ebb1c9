import type { MockSnapshot } from '../pets/snapshot.js';
import { createStore, type MockPet, type Store } from '../pets/store.js';
import type { OwnedClock, VirtualClock } from './clock.js';
import type { Faults } from './faults.js';
import {
  budgetOf,
  createLedger,
  limitState,
  type Budget,
  type Ledger,
  type LimitState,
  type MockPlan,
} from './limits.js';

/** An API key with its own store and limits. */
export interface Tenant {
  /** 1 for the first key. */
  number: number;
  plan: MockPlan;
  store: Store;
  ledger: Ledger;
  /** The pets after a reset. */
  seeds: readonly MockPet[];
  /** Its own clock, which follows the clock of the mock. Absent until it is first used. */
  clock?: OwnedClock;
  /** Its own faults, in addition to those of the mock. */
  faults?: Faults;
  /** Number of journal entries before its last reset. */
  journalStart: number;
  /** Computed on first use, because node:crypto takes 3 ms to load. */
  fingerprint?: string;
}

/** The state of one key. */
export interface TenantState {
  /** Number of the key, 1 for the first. */
  tenant: number;
  /** 8 hexadecimal digits that identify the key, as `petstore auth status` shows them. */
  fingerprint: string;
  plan: MockPlan;
  /** Number of pets in the store. */
  pets: number;
  rateLimit: TenantRateLimit;
  banned: boolean;
  /** Time of the clock of the key. */
  now: Date;
  /** Whether its clock is frozen. */
  clockFrozen: boolean;
  /** Both windows, and the end of a block or ban. */
  limits: LimitState;
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

/** All tenants of a mock. */
export interface Tenants {
  readonly byKey: ReadonlyMap<string, Tenant>;
  /** @throws TypeError if the key is unknown. */
  get(key: string): Tenant;
  /** Adds a tenant and returns its key. Its pets are those of the mock unless given. */
  add(plan: MockPlan, pets?: readonly MockPet[]): string;
  /** @throws TypeError if the key is unknown, or is a key of the option `keys`. */
  remove(key: string): void;
  /** Restores the initial pets, without those of a snapshot, and the limits of every tenant. */
  reset(): void;
  state(clock: VirtualClock): readonly TenantState[];
  snapshot(): MockSnapshot;
  /** Replaces the pets, in the order of `keys`. */
  restore(pets: readonly (readonly MockPet[])[]): void;
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
  let added = 0;
  const add = (key: string, keyPlan: MockPlan, ownPets: readonly MockPet[]): void => {
    added += 1;
    const store = createStore(ownPets);
    const ledger = createLedger();
    byKey.set(key, { number: added, plan: keyPlan, store, ledger, seeds: pets, journalStart: 0 });
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
    add(keyPlan, ownPets = pets) {
      const key = unusedKey(keys[0] ?? '', added + 1, byKey);
      add(key, keyPlan, ownPets);
      get(key).seeds = ownPets;
      return key;
    },
    remove(key) {
      const tenant = get(key);
      if (keys.includes(key)) throw new TypeError('An initial key of the mock cannot be removed');
      tenant.clock?.close();
      byKey.delete(key);
    },
    reset() {
      for (const tenant of byKey.values()) {
        resetTenant(tenant);
        tenant.journalStart = 0;
      }
    },
    state: (clock) => [...byKey].map(([key, tenant]) => tenantState(key, tenant, clock)),
    restore(saved) {
      keys.forEach((key, index) => {
        const own = saved[index];
        if (own !== undefined) get(key).store = createStore(own);
      });
    },
    snapshot: () => ({ format: 'petstore-mock/1', worlds: keys.map((key) => get(key).store.snapshot()) }),
  };
}

/** Restores pets and limits, and removes the own faults. */
export function resetTenant(tenant: Tenant): void {
  tenant.store = createStore(tenant.seeds);
  tenant.ledger = createLedger();
  delete tenant.faults;
}

/** @param mockClock for a tenant without its own clock. */
export function tenantState(key: string, tenant: Tenant, mockClock: VirtualClock): TenantState {
  const { number, plan, store, ledger, clock } = tenant;
  const ownClock = clock ?? mockClock;
  const at = ownClock.now();
  const limits = limitState(ledger, plan, at);
  return {
    tenant: number,
    fingerprint: (tenant.fingerprint ??= fingerprintOf(key)),
    plan,
    pets: store.size,
    rateLimit: rateLimitOf(budgetOf(ledger, plan, at)),
    banned: limits.banned,
    now: new Date(at),
    clockFrozen: ownClock.isFrozen,
    limits,
  };
}

/** As in the command (`masked-key.ts`), so that people can compare both. */
function fingerprintOf(key: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(`petstore key fingerprint\n${key}`).digest('hex').slice(0, 8);
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

function unusedKey(base: string, first: number, taken: ReadonlyMap<string, unknown>): string {
  for (let number = first; ; number += 1) {
    const key = `${base}-${String(number)}`;
    if (!taken.has(key)) return key;
  }
}
