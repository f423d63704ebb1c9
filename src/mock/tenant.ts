import { toInt64 } from '../schema/int64.js';
import { MockDataError } from './mock-data-error.js';
import { readSnapshot, type MockSnapshot } from './pets/snapshot.js';
import { createStore, readPetSeeds, type MockPet, type MockPetSeed } from './pets/store.js';
import { durationMs, type OwnedClock, type VirtualClock } from './service/clock.js';
import type { MockEvent, StateEvent } from './service/events.js';
import type { Fault } from './service/fault.js';
import { createFaults, type ActiveFaultState, type FaultChange } from './service/faults.js';
import type { Journal, JournalEntry } from './service/journal.js';
import { budgetOf, type MockPlan } from './service/limits.js';
import { resetTenant, tenantState, type Tenant, type TenantState } from './service/tenants.js';
import { createVerify, type Verify } from './service/verify.js';

/** The pets of one key. */
export interface MockPets {
  /** Returns all pets with a status, or all pets, in order of creation. */
  list(status?: string): readonly Readonly<MockPet>[];
  /** @throws TypeError if the id is not an int64. */
  find(id: bigint | number | string): Readonly<MockPet> | undefined;
  /**
   * Adds a pet, or replaces the one with its id.
   *
   * @returns the stored pet. Without an id, it gets the next free one.
   * @throws TypeError if the name is missing or an identifier is not an int64.
   */
  put(pet: MockPetSeed): Readonly<MockPet>;
  /**
   * Removes a pet.
   *
   * @returns whether it existed.
   * @throws TypeError if the id is not an int64.
   */
  delete(id: bigint | number | string): boolean;
  /**
   * Replaces all pets.
   *
   * @throws TypeError if a pet is invalid, or two ids are equal. The pets are then unchanged.
   */
  load(pets: readonly MockPetSeed[]): void;
}

/** A key of the mock with its own pets, limits, faults and clock: see `Mock.forKey`. */
export interface MockTenant {
  readonly key: string;
  /** Number of the key, 1 for the first. */
  readonly number: number;
  readonly plan: MockPlan;
  readonly pets: MockPets;
  /** Follows the clock of the mock, and can be moved further. For the option `clock` of a client with this key. */
  readonly clock: VirtualClock;
  /** Requests with this key since its last reset. */
  readonly journal: readonly JournalEntry[];
  /** Assertions about `journal`. */
  readonly verify: Verify;
  /** The faults of this key, without those of the mock. */
  readonly faults: readonly ActiveFaultState[];
  /** Moves the clock of this key, like `Mock.advance`. */
  advance(by: string | number): Date;
  /**
   * Replaces the faults of this key. Those of the mock also apply, after them.
   *
   * @throws TypeError if a fault is invalid. The faults are then unchanged.
   */
  setFaults(faults: readonly (Fault | string)[]): void;
  /** Removes and adds faults of this key, like `Mock.updateFaults`. */
  updateFaults(change: FaultChange): void;
  /** Restores pets, limits, ban and clock, removes the faults of this key, and clears `journal`. */
  reset(): void;
  state(): TenantState;
  /** Returns the pets of this key as plain data, for `restore` or the option `snapshot`. */
  snapshot(): MockSnapshot;
  /**
   * Replaces the pets with the first store of a snapshot.
   *
   * @throws TypeError if it is not a snapshot. The pets are then unchanged.
   */
  restore(snapshot: unknown): void;
}

/** What the tenants of a mock share. */
export interface TenantContext {
  clock: OwnedClock;
  journal: Journal;
  seed: number;
  /** Whether the routes are those of a recording. */
  isReplay: boolean;
  emit(event: MockEvent): void;
}

export function createMockTenant(key: string, tenant: Tenant, context: TenantContext): MockTenant {
  const { clock, journal, seed, isReplay, emit } = context;
  const changed = (change: StateEvent['changed']): void => {
    emit({ type: 'state', changed: change, tenant: tenant.number });
  };
  const entries = (): JournalEntry[] =>
    journal
      .entries()
      .filter((entry) => entry.tenant === tenant.number && entry.sequence > tenant.journalStart);
  const ownClock = (): OwnedClock =>
    (tenant.clock ??= clock.createChild(() => {
      changed('clock');
    }));

  return {
    key,
    number: tenant.number,
    plan: tenant.plan,
    pets: createPets(tenant, () => {
      changed('pets');
    }),
    get clock() {
      return ownClock();
    },
    get journal() {
      return entries();
    },
    verify: createVerify(
      {
        entries,
        get dropped() {
          return Math.max(0, journal.dropped - tenant.journalStart);
        },
      },
      { isReplay },
    ),
    get faults() {
      return tenant.faults?.list() ?? [];
    },
    advance(by) {
      const at = advanceClock(ownClock(), tenant, by);
      changed('clock');
      return at;
    },
    setFaults(faults) {
      tenant.faults = createFaults(faults, seed);
      changed('faults');
    },
    updateFaults(change) {
      const own = tenant.faults ?? createFaults([], seed);
      own.update(change);
      tenant.faults = own;
      changed('faults');
    },
    reset() {
      resetTenant(tenant);
      tenant.journalStart = journal.recorded;
      // A client may have the clock: its waits end, and it starts fresh.
      tenant.clock?.reset();
      changed('reset');
    },
    state: () => tenantState(key, tenant, clock),
    snapshot: () => ({ format: 'petstore-mock/1', worlds: [tenant.store.snapshot()] }),
    restore(snapshot) {
      const [world] = readSnapshot(snapshot).worlds;
      if (world === undefined) throw new MockDataError('snapshot', 'worlds is empty');
      tenant.store = createStore(world.pets);
      changed('pets');
    },
  };
}

/** Clients add up to a second of jitter, and `Date` and `X-RateLimit-Reset` are in whole seconds. */
const JITTER_MAX_MS = 2_000;

/** Moves a clock by a duration, or to the reset or the end of the ban of a tenant. */
export function advanceClock(clock: OwnedClock, tenant: Tenant, by: string | number): Date {
  const { ledger, plan } = tenant;
  const now = (tenant.clock ?? clock).now();
  if (by === 'until-reset') clock.advance(budgetOf(ledger, plan, now).resetAt - now, JITTER_MAX_MS);
  else if (by === 'until-unbanned')
    clock.advance(ledger.banned ? Math.max(0, ledger.blockedUntil - now) : 0, JITTER_MAX_MS);
  else clock.advance(durationMs(by));
  return new Date(clock.now());
}

function createPets(tenant: Tenant, changed: () => void): MockPets {
  return {
    list: (status) => tenant.store.list(Number.POSITIVE_INFINITY, status),
    find: (id) => tenant.store.find(int64(id)),
    put(seed) {
      checkPet(seed);
      const { store } = tenant;
      const { name } = seed;
      // readPetSeeds() checks the identifiers; `create` finds the free id.
      const [pet] = readPetSeeds([seed]) as [MockPet];
      const id = seed.id === undefined ? store.create({ name, categoryId: pet.categoryId }).id : pet.id;
      const stored = { ...pet, id };
      store.put(stored);
      changed();
      return stored;
    },
    delete(id) {
      const removed = tenant.store.delete(int64(id)) !== undefined;
      if (removed) changed();
      return removed;
    },
    load(pets) {
      pets.forEach(checkPet);
      tenant.store = createStore(readPetSeeds(pets));
      changed();
    },
  };
}

/** The control API passes unchecked JSON. */
function checkPet(pet: unknown): void {
  if (typeof pet !== 'object' || pet === null) throw new TypeError('A pet must be an object');
  const { name } = pet as Partial<MockPetSeed>;
  if (typeof name !== 'string') throw new TypeError('The name of a pet must be a string');
}

function int64(value: unknown): bigint {
  const id = toInt64(value);
  if (id === undefined) throw new TypeError(`The id of a pet is not an int64: ${String(value)}`);
  return id;
}
