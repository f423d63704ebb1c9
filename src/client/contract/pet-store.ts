import type { NewPet, Pet, PetStatus } from '../../schema/pet-reader.js';
import type { RateLimit } from '../../schema/rate-limit.js';
import type { KnownBudget } from '../gate/budget/known-budget.js';
import type { Call, CallOptions } from './options.js';

/** A client of one pet store service with one key. */
export interface PetStore {
  readonly pets: Pets;
  /**
   * Sends any request with the same key, pacing and retry rules as the methods, and resolves with the parsed JSON body
   * (`undefined` for an empty one). Whole numbers beyond ±(2^53 − 1) are bigints.
   *
   * @param path relative to the base URL, such as `/pets`.
   */
  request(method: string, path: string, input?: RequestInput, options?: CallOptions): Call<unknown>;
  /** The rate limit last seen on this key at this origin; `undefined` before the first answer. */
  readonly rateLimit: RateLimit | undefined;
  /**
   * What is known of the rate budget of the key: every window that has not ended, less what is under way. Sends nothing;
   * looks where the budget is kept, so that what other processes have learned is in it.
   */
  budget(): Promise<KnownBudget>;
  /** Lets idle connections go at once. Without it they end by themselves and never keep the process alive. */
  close(): Promise<void>;
}

/** What a raw request carries. */
export interface RequestInput {
  /** Query parameters; one that is `undefined` is left out. */
  query?: Readonly<Record<string, string | number | bigint | boolean | undefined>> | undefined;
  /** Sent as JSON. A bigint becomes a plain integer. */
  body?: unknown;
}

/** Which animals to list. */
export interface ListQuery {
  /** Only animals in this state. */
  status?: PetStatus | undefined;
  /** Most animals to return, 1 to 100. The service assumes 20 without it. */
  limit?: number | undefined;
}

/** What can be listed of the store. */
export interface ListAllResult {
  /** Ascending by id, each once. */
  pets: Pet[];
  /** `false` where an answer came back full, so that there may be more than can be listed. */
  complete: boolean;
}

/** The animals of a store. */
export interface Pets {
  /**
   * `GET /pets`. The service has no cursor: an answer with exactly `limit` animals may be cut short, and no further
   * page can be asked for. See `listAll`.
   */
  list(query?: ListQuery, options?: CallOptions): Call<Pet[]>;
  /** Widens what can be had without a cursor: 100 animals without a filter and, where that is cut, 100 for each status. */
  listAll(query?: { status?: PetStatus | undefined }, options?: CallOptions): Promise<ListAllResult>;
  /**
   * `POST /pets`. Sent again only where it is known not to have been carried out.
   *
   * @throws UnknownOutcomeError where it may or may not have been created.
   */
  create(pet: NewPet, options?: CallOptions): Call<Pet>;
  /**
   * `GET /pets/{petId}`. The service removes this operation on 5 December 2030; where it is gone already, the animal is
   * looked for in the lists.
   *
   * @deprecated by the service, in favour of the list with a status filter: use `find`.
   */
  get(id: bigint | number | string, options?: CallOptions): Call<Pet>;
  /** Looks for an animal in what can be listed. `undefined` means not found there, not that it does not exist. */
  find(id: bigint | number | string, options?: CallOptions): Promise<Pet | undefined>;
}
