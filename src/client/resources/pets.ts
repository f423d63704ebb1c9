import { ApiError, NotFoundError } from '../../errors.js';
import { stringifyJson } from '../../schema/json.js';
import {
  isPetStatus,
  type NewPet,
  type Pet,
  PET_STATUSES,
  readPet,
  readPets,
} from '../../schema/pet-reader.js';
import type { Operation } from '../response/classify-response.js';
import { PendingCall } from '../call/pending-call.js';
import { type Deadline, startDeadline } from '../time/deadline.js';
import type { ClientContext } from '../call/client-context.js';
import type { Call, CallOptions, WithResponse } from '../contract/options.js';
import type { ListAllResult, ListQuery, Pets } from '../contract/pet-store.js';
import { respondedAt } from '../response/response-headers.js';
import { performCall } from '../call/call.js';
import { resolveSettings } from '../call/settings.js';
import { checkId, checkNewPet, LIMIT_MAX, listQueryString } from './pet-input.js';

/** When `GET /pets/{petId}` is removed (interface specification, "GET /pets/{petId}"). */
const GET_REMOVED_AT = Date.UTC(2030, 11, 5);

/** The animals of a store, over one engine. A wrong argument is a rejection like every other failure, never a throw. */
export function createPets(engine: ClientContext): Pets {
  return new PetsResource(engine);
}

type Id = bigint | number | string;

class PetsResource implements Pets {
  readonly #engine: ClientContext;
  readonly #path: string;

  constructor(engine: ClientContext) {
    this.#engine = engine;
    this.#path = `${engine.base.prefix}/pets`;
  }

  list(query?: ListQuery | null, options?: CallOptions): Call<Pet[]> {
    return new PendingCall(this.#list(query ?? {}, options));
  }

  async listAll(query?: Pick<ListQuery, 'status'> | null, options?: CallOptions): Promise<ListAllResult> {
    const { found, complete } = await this.#together(options, (deadline) =>
      this.#listWidely(query ?? {}, options, deadline),
    );
    const pets = [...found.values()].map(({ data }) => data).sort((a, b) => (a.id < b.id ? -1 : 1));
    return { pets, complete };
  }

  create(pet: NewPet, options?: CallOptions): Call<Pet> {
    return new PendingCall(this.#create(pet, options));
  }

  get(id: Id, options?: CallOptions): Call<Pet> {
    return new PendingCall(this.#get(id, options));
  }

  async find(id: Id, options?: CallOptions): Promise<Pet | undefined> {
    const wanted = checkId(id);
    return (await this.#together(options, (deadline) => this.#find(wanted, options, deadline)))?.data;
  }

  /** Gives the requests of one call its one deadline. */
  async #together<T>(options: CallOptions | undefined, work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const { deadlineMs } = resolveSettings(this.#engine.settings, options);
    const deadline = startDeadline(this.#engine.clock, deadlineMs, options?.signal);
    try {
      return await work(deadline);
    } finally {
      deadline.dispose();
    }
  }

  async #list(
    query: ListQuery,
    options: CallOptions | undefined,
    deadline?: Deadline,
  ): Promise<WithResponse<Pet[]>> {
    const operation = petsOperation(this.#path + listQueryString(query));
    const result = await performCall(this.#engine, operation, options, deadline);
    for (const { status } of result.data) this.#warnOfStatus(status);
    return result;
  }

  async #create(pet: NewPet, options: CallOptions | undefined): Promise<WithResponse<Pet>> {
    const body = stringifyJson(checkNewPet(pet));
    return this.#one({ ...petOperation(this.#path), method: 'POST', body }, options);
  }

  async #get(id: Id, options: CallOptions | undefined): Promise<WithResponse<Pet>> {
    const wanted = checkId(id);
    this.#engine.warn({
      code: 'deprecated-operation',
      message:
        'GET /pets/{petId} is deprecated and is removed on 5 December 2030; find() looks through the lists instead',
    });
    return this.#together(options, async (deadline) => {
      try {
        return await this.#one(petOperation(`${this.#path}/${String(wanted)}`), options, deadline);
      } catch (error) {
        if (!isRouteRemoved(error)) throw error;
        return this.#findAfterRemoval(wanted, error, options, deadline);
      }
    });
  }

  async #findAfterRemoval(
    id: bigint,
    gone: ApiError,
    options: CallOptions | undefined,
    deadline: Deadline,
  ): Promise<WithResponse<Pet>> {
    const found = await this.#find(id, options, deadline);
    if (found !== undefined) return found;
    throw new NotFoundError(`pet ${String(id)} was not found in what can be listed`, {
      status: 404,
      cause: gone,
      request: gone.request,
      attempts: gone.attempts,
    });
  }

  async #find(
    id: bigint,
    options: CallOptions | undefined,
    deadline: Deadline,
  ): Promise<WithResponse<Pet> | undefined> {
    const { found } = await this.#listWidely({}, options, deadline, id);
    return found.get(id);
  }

  async #one(
    operation: Operation<Pet>,
    options: CallOptions | undefined,
    deadline?: Deadline,
  ): Promise<WithResponse<Pet>> {
    const result = await performCall(this.#engine, operation, options, deadline);
    this.#warnOfStatus(result.data.status);
    return result;
  }

  /** Asks for 100 animals and, where that came back full, for 100 of each status; stops early once `wanted` is found. */
  async #listWidely(
    { status }: Pick<ListQuery, 'status'>,
    options: CallOptions | undefined,
    deadline: Deadline,
    wanted?: bigint,
  ): Promise<{ found: Map<bigint, WithResponse<Pet>>; complete: boolean }> {
    const found = new Map<bigint, WithResponse<Pet>>();
    const ask = async (query: ListQuery): Promise<boolean> => {
      const { data, response } = await this.#list({ ...query, limit: LIMIT_MAX }, options, deadline);
      for (const pet of data) if (!found.has(pet.id)) found.set(pet.id, { data: pet, response });
      return data.length >= LIMIT_MAX;
    };
    if (!(await ask({ status }))) return { found, complete: true };
    if (status === undefined) {
      for (const each of PET_STATUSES) {
        if (wanted !== undefined && found.has(wanted)) break;
        await ask({ status: each });
      }
    }
    return { found, complete: false };
  }

  #warnOfStatus(status: string | undefined): void {
    if (status === undefined || isPetStatus(status)) return;
    this.#engine.warn({
      code: 'unknown-status',
      message: `the service answered with the status ${JSON.stringify(status)}, which this version does not know`,
    });
  }
}

function petOperation(path: string): Operation<Pet> {
  return {
    method: 'GET',
    path,
    read: (body) => wrap(readPet(body)),
    explain: async (body) => (await import('./invalid-pet.js')).explainPet(body),
  };
}

function petsOperation(path: string): Operation<Pet[]> {
  return {
    method: 'GET',
    path,
    read: (body) => wrap(readPets(body)),
    explain: async (body) => (await import('./invalid-pet.js')).explainPets(body),
  };
}

function wrap<T>(data: T | undefined): { data: T } | undefined {
  return data === undefined ? undefined : { data };
}

/**
 * Whether an error says that the operation itself is gone: 410, a 404 without the body that the specification gives for
 * an animal that was not found, or any 404 after the announced removal.
 */
function isRouteRemoved(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (error.status === 410) return true;
  return (
    error.status === 404 && (error.code === undefined || respondedAt(error.headers, 0) >= GET_REMOVED_AT)
  );
}
