import { createReplay, type Replay } from './har/replay.js';
import { createHandler, type Handler } from './http/handler.js';
import type { MockOptions } from './mock-options.js';
import { readSnapshot } from './pets/snapshot.js';
import { readPetSeeds, type MockPet } from './pets/store.js';
import { createVirtualClock, durationMs, type OwnedClock } from './service/clock.js';
import { createListeners, type Listeners, type StateEvent } from './service/events.js';
import { createFaults, type Faults } from './service/faults.js';
import { createJournal, type Journal } from './service/journal.js';
import type { MockPlan } from './service/limits.js';
import type { MockOutcome } from './service/message.js';
import { generatePets, SEED_PETS_DEFAULT } from './service/seed-pets.js';
import { createTenants, type Tenants } from './service/tenants.js';

/** The key of a mock without the option `keys`. */
export const DEFAULT_KEY = 'mock-key';

/** The parts of a mock, which its public methods use. */
export interface Service {
  keys: readonly string[];
  plan: MockPlan;
  seed: number;
  instance: string;
  /** The initial pets of each key. */
  pets: readonly MockPet[];
  clock: OwnedClock;
  tenants: Tenants;
  faults: Faults;
  journal: Journal;
  replay: Replay | undefined;
  handler: Handler;
  listeners: Listeners;
  /** Reports a change to the listeners. */
  changed(change: StateEvent['changed']): void;
  /** Waits for the delay of an outcome, by the clock of its key. */
  wait(outcome: MockOutcome, signal?: AbortSignal): Promise<void>;
}

/** @throws TypeError if a value is invalid. */
export function createService(options: MockOptions): Service {
  const { keys = [DEFAULT_KEY], plan = 'free', seed = 1, latencyMs = 0, journalMax = 1_000 } = options;
  const { instance = uniqueInstance() } = options;
  const pets = initialPets(options.pets ?? SEED_PETS_DEFAULT, seed);
  const savedPets = options.snapshot === undefined ? [] : petsOfSnapshot(options.snapshot);
  const listeners = createListeners();
  const clock = createVirtualClock(options.clock ?? { now: () => Date.now() }, () => {
    listeners.emit({ type: 'state', changed: 'clock' });
  });
  const tenants = createTenants({ keys, plan, pets, savedPets });
  const faults = createFaults(options.faults ?? [], seed);
  const journal = createJournal(journalMax);
  const replay = options.replay === undefined ? undefined : createReplay(options.replay);
  /** Of outcomes with a delay for a key with its own clock. */
  const ownClocks = new WeakMap<MockOutcome, OwnedClock>();
  const handler = createHandler({
    ...{ clock, faults, journal, plan, instance, replay },
    tenants: tenants.byKey,
    latencyMs: durationMs(latencyMs),
    onOwnDelay: (outcome, own) => ownClocks.set(outcome, own),
  });
  return {
    ...{ keys, plan, seed, instance, pets, clock, tenants, faults, journal, replay, handler, listeners },
    changed(change) {
      listeners.emit({ type: 'state', changed: change });
    },
    wait: (outcome, signal) => (ownClocks.get(outcome) ?? clock).wait(outcome.delayMs, signal),
  };
}

/** @throws TypeError if it is not a snapshot. */
export function petsOfSnapshot(snapshot: unknown): readonly (readonly MockPet[])[] {
  return readSnapshot(snapshot).worlds.map(({ pets }) => pets);
}

/** @throws TypeError if a pet is invalid. */
export function initialPets(pets: NonNullable<MockOptions['pets']>, seed: number): readonly MockPet[] {
  return typeof pets === 'number' ? generatePets(pets, seed) : readPetSeeds(pets);
}

/** Not derived from the seed: two mocks with the same seed must differ. */
function uniqueInstance(): string {
  return [process.pid, Math.random() * 2 ** 53].map((part) => Math.floor(part).toString(36)).join('-');
}
