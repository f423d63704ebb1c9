import type { NewPet, Pet, PetStatus } from '../../schema/pet-reader.js';
import type { RateLimit } from '../../schema/rate-limit.js';
import type { KnownBudget } from '../gate/budget/known-budget.js';
import type { Call, CallOptions, CallSettings, RequestOptions, ResponseSchema } from './options.js';

/** A client for one pet store service with one API key. Made by `createPetStore`. */
export interface PetStore {
  readonly pets: Pets;
  /**
   * Sends any request, with the same authentication, pacing and retry rules as the other methods.
   *
   * @param method HTTP method, such as `GET`. `CONNECT` and `TRACE` are rejected.
   * @param path relative to the base URL. Starts with `/`.
   * @param options `schema` validates the body, and types the result.
   * @returns the parsed JSON body; `undefined` if the body is empty. Integers beyond ±(2^53 − 1) are bigints.
   * @throws InvalidInputError for an invalid method, path or body. Nothing is sent.
   * @example
   * ```ts
   * const { data } = await store.request('GET', '/pets', {}, { schema: petsSchema }).withResponse();
   * ```
   */
  request<T>(
    method: string,
    path: string,
    input: RequestInput | null | undefined,
    options: RequestOptions<T> & { schema: ResponseSchema<T> },
  ): Call<T>;
  /**
   * Sends any request. Without a schema, the result is `unknown`.
   *
   * @example
   * ```ts
   * const body = await store.request('GET', '/pets', { query: { limit: 5 } });
   * ```
   */
  request(method: string, path: string, input?: RequestInput | null, options?: RequestOptions): Call<unknown>;
  /**
   * Returns the same client with other defaults for its calls. Both share the connections, the rate budget and the events.
   * `headers` are added to those of this client. Closing one closes both.
   *
   * @throws ConfigurationError for an option that only `createPetStore` accepts, such as `apiKey`.
   * @example
   * ```ts
   * const traced = store.with({ timeoutMs: 5_000, headers: { traceparent } });
   * ```
   */
  with(options: CallSettings): PetStore;
  /**
   * The last rate limit received for the key and origin, also by other clients of this process that share the gate.
   * `undefined` before the first call of this client, because only a call reads the key.
   */
  readonly rateLimit: RateLimit | undefined;
  /**
   * Returns the rate budget of the key: the requests left in every current window, minus the requests in flight. Sends
   * no request. With a shared gate, requests of other processes count as well.
   *
   * @throws ConfigurationError if a key function fails.
   * @throws TimeoutError if a key function takes longer than `deadlineMs`.
   * @example
   * ```ts
   * const { windows, heldForMs } = await store.budget();
   * ```
   */
  budget(): Promise<KnownBudget>;
  /**
   * Forgets the rate budget of the key: its limits, and its wait after a 429 response. For a wait that is certainly wrong:
   * requests that the service does not allow yet can lead to a ban of the key. With a shared gate, it applies to all
   * processes; those that already wait notice it at their next check. Sends no request.
   *
   * @returns whether a limit or a wait was known.
   * @throws ConfigurationError if a key function fails.
   * @throws TimeoutError if a key function takes longer than `deadlineMs`.
   * @example
   * ```ts
   * await store.resetBudget();
   * ```
   */
  resetBudget(): Promise<boolean>;
  /**
   * Waits for the calls in progress with their retries and their waits for the rate limit. Then stores the rate budget, and
   * closes the gate (for at most 10 seconds) and the connections. New calls reject with a `ConfigurationError` at once.
   * To end waiting calls earlier, abort their `signal` or `waitSignal`. Calling it is optional: idle connections do not
   * keep the process alive.
   *
   * @example
   * ```ts
   * await store.close();
   * ```
   */
  close(): Promise<void>;
  /**
   * Calls `close`.
   *
   * @example
   * ```ts
   * await using store = createPetStore({ apiKey, baseUrl });
   * ```
   */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The query and the body of `PetStore.request`. */
export interface RequestInput {
  /** Query parameters. Those that are `undefined` are omitted. */
  query?: Readonly<Record<string, string | number | bigint | boolean | undefined>> | undefined;
  /** Sent as JSON. Bigints become plain integers. Not allowed for `GET` and `HEAD`. */
  body?: unknown;
}

/** Filters of `pets.list` (interface specification, "GET /pets"). */
export interface ListQuery {
  /** Only pets with this status. */
  status?: PetStatus | undefined;
  /**
   * Maximum number of pets, 1 to 100.
   *
   * @default 20 (set by the service)
   */
  limit?: number | undefined;
}

/** The result of `pets.listAll`. */
export interface ListAllResult {
  /** Each pet once, in ascending order of `id`. */
  pets: Pet[];
  /** `false` if a response had the maximum number of pets, so that there may be more. */
  complete: boolean;
}

/** A list request in progress. */
export interface ListCall extends Call<Pet[]> {
  /**
   * Resolves with the pets, in the order of the service, and whether there may be more. The service sets a limit of 20 if
   * the query has none.
   */
  withComplete(): Promise<ListAllResult>;
}

/** The result of `pets.find`. */
export interface FindResult {
  /** `undefined` if the pet is not among the pets that can be listed. */
  pet: Pet | undefined;
  /** `false` if a list had the maximum number of pets, so that a pet that was not found may still exist. */
  complete: boolean;
}

/** A search in progress. */
export interface FindCall extends Promise<Pet | undefined> {
  /** Resolves with the pet, and whether all pets were listed. */
  withComplete(): Promise<FindResult>;
}

/**
 * The pets of a store. All methods may reject with `InvalidInputError` (nothing is sent), `AuthenticationError`,
 * `RateLimitError`, `ServerError`, `ConnectionError`, `TimeoutError`, `AbortedError` or `InvalidResponseError`.
 */
export interface Pets {
  /**
   * Lists pets (`GET /pets`). The API has no further pages, so a response with exactly `limit` pets may be truncated.
   * See `listAll`.
   *
   * @example
   * ```ts
   * const pets = await store.pets.list({ status: 'available', limit: 50 });
   * const { data, response } = await store.pets.list({ limit: 5 }).withResponse();
   * const { pets, complete } = await store.pets.list({ status: 'sold', limit: 100 }).withComplete();
   * ```
   */
  list(query?: ListQuery, options?: CallOptions): ListCall;
  /**
   * Lists as many pets as the API allows: 100 without a filter, and if that response is full, 100 for each status.
   * Sends up to 4 requests.
   *
   * @example
   * ```ts
   * const { pets, complete } = await store.pets.listAll();
   * ```
   */
  listAll(query?: { status?: PetStatus | undefined }, options?: CallOptions): Promise<ListAllResult>;
  /**
   * Creates a pet (`POST /pets`). Retried only if the service is known not to have created it.
   *
   * @param options `schema` checks the created pet. It can reject a pet that belongs to another request.
   * @throws UnknownOutcomeError if the pet may or may not have been created.
   * @throws BadRequestError if the service rejects a field.
   * @example
   * ```ts
   * const rex = await store.pets.create({ name: 'Rex', categoryId: 2, status: 'available' });
   * ```
   */
  create(pet: NewPet, options?: RequestOptions<Pet>): Call<Pet>;
  /**
   * Gets a pet by its id (`GET /pets/{petId}`). The service removes this operation on 5 December 2030 (interface
   * specification, "Versioning"). After the removal, this method searches the lists as `find` does.
   *
   * @deprecated by the service, in favour of the list with a status filter: use `find`.
   * @throws NotFoundError if the pet does not exist. After the removal, also if it is not among the pets that can be listed.
   * @example
   * ```ts
   * const rex = await store.pets.get(7n);
   * ```
   */
  get(id: bigint | number | string, options?: CallOptions): Call<Pet>;
  /**
   * Searches for a pet among the pets that can be listed. Sends up to 4 requests.
   *
   * @returns the pet. `undefined` if it is not among them; it may still exist.
   * @example
   * ```ts
   * const rex = await store.pets.find('7');
   * const { pet, complete } = await store.pets.find('7').withComplete();
   * ```
   */
  find(id: bigint | number | string, options?: CallOptions): FindCall;
}
