import type { CallOptions, PetStore } from '../../src/client/index.js';
import { AbortedError, BadRequestError, UnknownOutcomeError } from '../../src/errors.js';
import { toInt64 } from '../../src/schema/int64.js';
import type { NewPet, Pet } from '../../src/schema/pet-reader.js';
import { settle } from './virtual-clock.js';

/** A service in memory that keeps a book of what it did. */
export interface LedgerService {
  store: Pick<PetStore, 'pets'>;
  /** Names of the animals made, in order; one made twice stands here twice. */
  ledger: string[];
  /** Requests to create that came. */
  requests: number;
  /** Lists asked for. */
  lists: number;
}

/** How it misbehaves. Requests count from 1, all of them together. */
export interface LedgerOptions {
  /** The animal is made, and the answer is lost. */
  losesEvery?: number;
  refusesEvery?: number;
  /** Called before each request is looked at; may throw in its place, or wait. */
  onCreate?: (pet: NewPet, request: number, options: CallOptions) => void | Promise<void>;
  /** Called before a request leaves; may wait as for the rate limit, or throw in its place. */
  onWait?: (pet: NewPet, options: CallOptions) => void | Promise<void>;
  /** What is there already. */
  pets?: readonly Pet[];
  /** How many animals it lists at most. Default all. */
  listMax?: number;
}

/** What a client does before a request leaves. */
async function leave({ beforeSend, waitSignal }: CallOptions): Promise<void> {
  try {
    await beforeSend?.();
    waitSignal?.throwIfAborted();
  } catch (cause) {
    throw new AbortedError('aborted', { outcome: 'not-sent', cause });
  }
}

/** Makes a service that answers after one turn of the event loop, so that requests overtake each other's records. */
export function createLedgerService(options: LedgerOptions = {}): LedgerService {
  const { losesEvery = Infinity, refusesEvery = Infinity, onCreate, onWait, listMax = Infinity } = options;
  const pets = [...(options.pets ?? [])];
  const service = { ledger: [] as string[], requests: 0, lists: 0 };
  const create = async (pet: NewPet, call: CallOptions = {}): Promise<Pet> => {
    await onWait?.(pet, call);
    await leave(call);
    service.requests += 1;
    const request = service.requests;
    await onCreate?.(pet, request, call);
    await settle();
    if (request % refusesEvery === 0) throw new BadRequestError('not this one', { status: 400, code: 'no' });
    const { name, status } = pet;
    const made: Pet = { id: BigInt(1_000 + pets.length), name, categoryId: toInt64(pet.categoryId)! };
    if (status !== undefined) made.status = status;
    pets.push(made);
    service.ledger.push(pet.name);
    if (request % losesEvery === 0) throw new UnknownOutcomeError('the answer was lost');
    return made;
  };
  const listAll = async (): Promise<{ pets: Pet[]; complete: boolean }> => {
    service.lists += 1;
    return { pets: pets.slice(0, listMax), complete: pets.length <= listMax };
  };
  // Only what an import uses of the client.
  const store = { pets: { create, listAll } } as unknown as Pick<PetStore, 'pets'>;
  return Object.assign(service, { store });
}
