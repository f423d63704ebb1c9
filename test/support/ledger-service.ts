import type { CallOptions, PetStore, RequestOptions } from '../../src/client/internal.js';
import { AbortedError, BadRequestError, UnknownOutcomeError } from '../../src/errors.js';
import { toInt64 } from '../../src/schema/int64.js';
import type { NewPet, Pet } from '../../src/schema/pet-reader.js';
import { settle } from './virtual-clock.js';

/** A service in memory that records what it did. */
export interface LedgerService {
  store: Pick<PetStore, 'pets'>;
  /** Names of the created pets, in order. A pet that was created twice is listed twice. */
  ledger: string[];
  /** Number of create requests. */
  requests: number;
  /** Number of list requests. */
  lists: number;
}

/** How the service misbehaves. Requests are counted from 1. */
export interface LedgerOptions {
  /** Every n-th request creates the pet, and the response is lost. */
  losesEvery?: number;
  rejectsEvery?: number;
  /** Called before each request is handled; may throw instead, or wait. */
  onCreate?: (pet: NewPet, request: number, options: CallOptions) => void | Promise<void>;
  /** Called before a request is sent; may wait as for the rate limit, or throw instead. */
  onWait?: (pet: NewPet, options: CallOptions) => void | Promise<void>;
  /** Pets that exist at the start. */
  pets?: readonly Pet[];
  /** Maximum number of listed pets. Default: all. */
  listMax?: number;
}

/** What a client does before it sends a request. */
export async function leave({ beforeSend, waitSignal }: CallOptions): Promise<void> {
  try {
    await beforeSend?.();
    waitSignal?.throwIfAborted();
  } catch (cause) {
    throw new AbortedError('aborted', { outcome: 'not-sent', cause });
  }
}

/** Creates a service that responds after one turn of the event loop, so that requests overtake one another. */
export function createLedgerService(options: LedgerOptions = {}): LedgerService {
  const { losesEvery = Infinity, rejectsEvery = Infinity, onCreate, onWait, listMax = Infinity } = options;
  const pets = [...(options.pets ?? [])];
  const service = { ledger: [] as string[], requests: 0, lists: 0 };
  const create = async (pet: NewPet, { schema, ...call }: RequestOptions = {}): Promise<Pet> => {
    await onWait?.(pet, call);
    await leave(call);
    service.requests += 1;
    const request = service.requests;
    await onCreate?.(pet, request, call);
    await settle();
    if (request % rejectsEvery === 0) throw new BadRequestError('not this one', { status: 400, code: 'no' });
    const { name, status } = pet;
    const created: Pet = { id: BigInt(1_000 + pets.length), name, categoryId: toInt64(pet.categoryId)! };
    if (status !== undefined) created.status = status;
    pets.push(created);
    service.ledger.push(pet.name);
    if (request % losesEvery === 0) throw new UnknownOutcomeError('the answer was lost');
    try {
      if (schema !== undefined && 'parse' in schema) schema.parse({ ...created });
    } catch (cause) {
      throw new UnknownOutcomeError('the body does not match the schema', { cause });
    }
    return created;
  };
  const listAll = async (): Promise<{ pets: Pet[]; complete: boolean }> => {
    service.lists += 1;
    return { pets: pets.slice(0, listMax), complete: pets.length <= listMax };
  };
  const store = { pets: { create, listAll } } as unknown as LedgerService['store'];
  return Object.assign(service, { store });
}
