import { MockDataError, readSnapshot, type MockSnapshot } from '../pets/snapshot.js';
import { createPets, type MockPets, createStore, type MockPet, type Store } from '../pets/store.js';
import { durationMs, type OwnedClock, type VirtualClock } from '../service/clock.js';
import type { StateEvent } from '../service/events.js';
import type { Fault } from '../service/fault.js';
import { createFaults, type ActiveFaultState, type FaultChange, type Faults } from '../service/faults.js';
import type { Journal, JournalEntry } from '../service/journal.js';
import {
  budgetOf,
  createLedger,
  limitState,
  type Ledger,
  type LimitState,
  type MockPlan,
} from '../service/limits.js';
import { createTally, type Tally } from '../service/tally.js';
import { createVerify, type VerifiedRequests, type Verify } from '../service/verify.js';

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

/** The state of one key. */
export interface TenantState {
  /** Number of the key, 1 for the first. */
  tenant: number;
  /** 8 hexadecimal digits that identify the key, as `petstore auth status` shows them. Empty in a browser. */
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

/** A key with its pets, limits, faults and clock, as the service sees it. */
export interface Account {
  readonly key: string;
  readonly number: number;
  readonly plan: MockPlan;
  store: Store;
  ledger: Ledger;
  /** Its own faults, in addition to those of the mock. */
  readonly faults: Faults;
  /** Its own clock, which follows the clock of the mock. Absent until it is first used. */
  clock?: OwnedClock;
  /** Number of journal entries before its last reset. */
  journalStart: number;
  /** Counts the requests since its last reset. */
  tally: Tally;
  /** Its methods for tests. */
  readonly tenant: MockTenant;
  /** Restores pets and limits, and removes the own faults. */
  restart(): void;
}

/** What the accounts of a mock share with it. */
export interface AccountContext {
  clock: OwnedClock;
  journal: Journal;
  seed: number;
  /** Forgets the requests of an account; the mock still counts them. */
  forgetRequests(account: Pick<Account, 'journalStart' | 'tally'>): void;
  /** Reports a change, with the number of the key that it concerns. */
  changed(change: StateEvent['changed'], tenant?: number): void;
}

/** @param pets the pets now, and after a reset. */
export function createAccount(
  { key, number, plan }: Pick<Account, 'key' | 'number' | 'plan'>,
  pets: readonly MockPet[],
  { clock, journal, seed, forgetRequests, changed: report }: AccountContext,
): Account {
  const changed = (change: StateEvent['changed']): void => report(change, number);
  const faults = createFaults([], seed);
  const account: Omit<Account, 'tenant'> = {
    key,
    number,
    plan,
    faults,
    store: createStore(pets),
    ledger: createLedger(),
    journalStart: 0,
    tally: createTally(),
    restart() {
      account.store = createStore(pets);
      account.ledger = createLedger();
      faults.set([]);
    },
  };
  const ownClock = (): OwnedClock => (account.clock ??= clock.createChild(() => changed('clock')));
  const requests: VerifiedRequests = {
    entries: () =>
      journal.entries().filter((entry) => entry.tenant === number && entry.sequence > account.journalStart),
    tallies: () => [account.tally],
  };
  /** Computed on first use, because node:crypto takes 3 ms to load. */
  let fingerprint: string | undefined;

  const tenant: MockTenant = {
    ...worldMethods({ clock: ownClock, faults, requests, accountOf: () => account, changed }),
    key,
    number,
    plan,
    pets: createPets(account, () => changed('pets')),
    get clock() {
      return ownClock();
    },
    get journal() {
      return requests.entries();
    },
    get faults() {
      return faults.list();
    },
    reset() {
      account.restart();
      forgetRequests(account);
      // A client may have the clock: its waits end, and it starts fresh.
      account.clock?.reset();
      changed('reset');
    },
    state() {
      const at = (account.clock ?? clock).now();
      const { limit, remaining, resetAt } = budgetOf(account.ledger, plan, at);
      const limits = limitState(account.ledger, plan, at);
      return {
        tenant: number,
        fingerprint: (fingerprint ??= fingerprintOf(key)),
        plan,
        pets: account.store.size,
        rateLimit: { limit, remaining, resetAt: new Date(resetAt) },
        banned: limits.banned,
        now: new Date(at),
        clockFrozen: (account.clock ?? clock).isFrozen,
        limits,
      };
    },
    snapshot: () => ({ format: 'petstore-mock/1', worlds: [account.store.snapshot()] }),
    restore(snapshot) {
      const [world] = readSnapshot(snapshot).worlds;
      if (world === undefined) throw new MockDataError('snapshot', 'worlds is empty');
      account.store = createStore(world.pets);
      changed('pets');
    },
  };
  return Object.assign(account, { tenant });
}

/** What the mock and each of its keys have: the mock is the sum of its keys. */
export type World = Pick<
  MockTenant,
  'clock' | 'journal' | 'verify' | 'advance' | 'setFaults' | 'updateFaults' | 'reset' | 'snapshot' | 'restore'
>;

/** Creates the methods that are the same for the mock and for one key. */
export function worldMethods(world: {
  clock(): OwnedClock;
  faults: Faults;
  requests: VerifiedRequests;
  /** Whose limits `advance` waits for. */
  accountOf(key?: string): LimitedAccount;
  changed(change: StateEvent['changed']): void;
}): Pick<World, 'verify' | 'setFaults' | 'updateFaults'> & {
  advance(by: string | number, key?: string): Date;
} {
  const { faults, changed } = world;
  return {
    verify: createVerify(world.requests),
    advance(by, key) {
      const at = advanceClock(world.clock(), world.accountOf(key), by);
      changed('clock');
      return at;
    },
    setFaults(next) {
      faults.set(next);
      changed('faults');
    },
    updateFaults(change) {
      faults.update(change);
      changed('faults');
    },
  };
}

/** The part of an account that `advance` reads. */
type LimitedAccount = Pick<Account, 'ledger' | 'plan' | 'clock' | 'tally'>;

/** Clients add up to a second of jitter, and `Date` and `X-RateLimit-Reset` are in whole seconds. */
const JITTER_MAX_MS = 2_000;

/** Moves a clock by a duration, or to the reset or the end of the ban of an account. */
function advanceClock(clock: OwnedClock, account: LimitedAccount, by: string | number): Date {
  const { ledger, plan, tally } = account;
  const now = (account.clock ?? clock).now();
  const advanceTo = (end: number): void => {
    // Retry-After is rounded up to a second: a client that respects it does not send earlier.
    const isRounded = end > now && tally.retryAfterUntil > end && tally.retryAfterUntil < end + 1_000;
    clock.advance(Math.max(0, (isRounded ? tally.retryAfterUntil : end) - now), JITTER_MAX_MS);
  };
  if (by === 'until-reset') advanceTo(budgetOf(ledger, plan, now).resetAt);
  else if (by === 'until-unbanned') advanceTo(ledger.banned ? ledger.blockedUntil : now);
  else clock.advance(durationMs(by));
  return new Date(clock.now());
}

/** As in the command (`api-key.ts`), so that people can compare both. A browser has no hash without waiting. */
function fingerprintOf(key: string): string {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> };
  const crypto = process?.getBuiltinModule?.('node:crypto');
  if (crypto === undefined) return '';
  return crypto.createHash('sha256').update(`petstore key fingerprint\n${key}`).digest('hex').slice(0, 8);
}
