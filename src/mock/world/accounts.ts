import { generatePets } from '../pets/seed-pets.js';
import { MockDataError, readSnapshot, type MockSnapshot } from '../pets/snapshot.js';
import { createStore, readPetSeeds, type MockPet, type MockPetSeed } from '../pets/store.js';
import type { MockPlan } from '../service/limits.js';
import { createTally, type Tally } from '../service/tally.js';
import { createAccount, type Account, type AccountContext } from './account.js';

/** The accounts of a mock: those of the initial keys, and those that `tenant()` added. */
export interface Accounts {
  readonly keys: readonly string[];
  /** In order of creation. */
  readonly list: readonly Account[];
  /** Counts the requests without a key, with a removed key, and with a key before its last reset. */
  readonly otherRequests: Tally;
  /** Returns the account of a key, if the mock knows it. */
  withKey(key: string): Account | undefined;
  /**
   * Returns the account of a key.
   *
   * @param key default: the first key.
   * @throws TypeError if the key is unknown.
   */
  get(key?: string): Account;
  /** @returns the new key. */
  add(options: { plan?: MockPlan | undefined; pets?: InitialPets | undefined }): string;
  /** @throws TypeError if the key is unknown, or an initial key. */
  remove(key: string): void;
  /** Restores the initial state of each account. The keys stay valid. */
  restart(): void;
  /**
   * Forgets the requests of a key; the mock still counts them.
   *
   * @param key default: all requests, also without a key.
   * @throws TypeError if the key is unknown.
   */
  forgetRequests(key?: string): void;
  snapshot(): MockSnapshot;
  /** @throws TypeError if it is not a snapshot, or a number belongs to an initial key. */
  restore(snapshot: unknown): void;
}

/** Pets, or the number of pets to generate. */
type InitialPets = number | readonly MockPetSeed[];

interface AccountsOptions extends Omit<AccountContext, 'forgetRequests'> {
  /** The initial keys. */
  keys: readonly string[];
  plan: MockPlan;
  pets: InitialPets;
}

/** @throws TypeError if a pet or a key is invalid. */
export function createAccounts(options: AccountsOptions): Accounts {
  const { keys, plan, seed, journal } = options;
  const initialPets = petsOf(options.pets, seed);
  checkKeys(keys);
  const accounts = new Map<string, Account>();
  let otherRequests = createTally();
  let lastNumber = 0;

  const forgetRequests: AccountContext['forgetRequests'] = (account) => {
    otherRequests.merge(account.tally);
    account.tally = createTally();
    account.journalStart = journal.recorded;
  };
  const add = (
    account: { key: string; number: number; plan: MockPlan },
    pets: readonly MockPet[],
  ): Account => {
    lastNumber = Math.max(lastNumber, account.number);
    const added = createAccount(account, pets, { ...options, forgetRequests });
    accounts.set(account.key, added);
    return added;
  };
  const unusedKey = (first: number): string => {
    let number = first;
    while (accounts.has(`${String(keys[0])}-${String(number)}`)) number += 1;
    return `${String(keys[0])}-${String(number)}`;
  };
  keys.forEach((key, index) => add({ key, number: index + 1, plan }, initialPets));

  const self: Accounts = {
    get keys() {
      return [...accounts.keys()];
    },
    get list() {
      return [...accounts.values()];
    },
    get otherRequests() {
      return otherRequests;
    },
    withKey: (key) => accounts.get(key),
    get(key = String(keys[0])) {
      const account = accounts.get(key);
      if (account === undefined) throw new TypeError('Unknown key of the mock');
      return account;
    },
    add({ plan: ownPlan = plan, pets }) {
      const ownPets = pets === undefined ? initialPets : petsOf(pets, seed);
      const number = lastNumber + 1;
      return add({ key: unusedKey(number), number, plan: ownPlan }, ownPets).key;
    },
    remove(key) {
      const account = self.get(key);
      if (keys.includes(key)) throw new TypeError('An initial key of the mock cannot be removed');
      account.clock?.close();
      forgetRequests(account);
      accounts.delete(key);
    },
    restart() {
      for (const account of accounts.values()) account.restart();
    },
    forgetRequests(key) {
      if (key !== undefined) {
        forgetRequests(self.get(key));
        return;
      }
      journal.clear();
      for (const account of accounts.values()) forgetRequests(account);
      otherRequests = createTally();
    },
    snapshot() {
      const worlds = self.list.slice(0, keys.length).map(({ store }) => store.snapshot());
      const tenants = self.list
        .slice(keys.length)
        .map(({ number, plan: own, store }) => ({ number, plan: own, ...store.snapshot() }));
      return { format: 'petstore-mock/1', worlds, ...(tenants.length === 0 ? {} : { tenants }) };
    },
    restore(snapshot) {
      const { worlds, tenants = [] } = readSnapshot(snapshot);
      const taken = tenants.findIndex(({ number }) => number <= keys.length);
      if (taken >= 0)
        throw new MockDataError(
          'snapshot',
          `tenants[${String(taken)}].number is the number of an initial key`,
        );
      worlds.slice(0, keys.length).forEach(({ pets }, index) => {
        self.get(keys[index]).store = createStore(pets);
      });
      for (const { number, plan: ownPlan, pets } of tenants) {
        const account =
          self.list.find((each) => each.number === number) ??
          add({ key: unusedKey(number), number, plan: ownPlan }, initialPets);
        account.store = createStore(pets);
      }
    },
  };
  return self;
}

/** @throws TypeError if a pet is invalid. */
function petsOf(pets: InitialPets, seed: number): readonly MockPet[] {
  return typeof pets === 'number' ? generatePets(pets, seed) : readPetSeeds(pets);
}

/** @throws TypeError if a key is invalid. */
function checkKeys(keys: readonly string[]): void {
  if (keys.length === 0) throw new TypeError('A mock needs at least one key');
  if (new Set(keys).size < keys.length) throw new TypeError('Two keys of the mock are equal');
  // Visible ASCII fits in a header after "Bearer ". A comma joins repeated headers.
  if (!keys.every((key) => /^[!-+\--~]+$/.test(key))) {
    throw new TypeError('A key of the mock must be visible ASCII without spaces and commas');
  }
}
