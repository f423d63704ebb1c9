import { ApiError, NotFoundError } from '../../errors.js';
import { stringifyJson } from '../../schema/json.js';
import {
  type NewPet,
  type Pet,
  PET_STATUSES,
  readPet,
  readPets,
  unknownStatusWarning,
} from '../../schema/pet-reader.js';
import { performCall } from '../call/call.js';
import type { ClientContext } from '../call/client-context.js';
import { PendingCall } from '../call/pending-call.js';
import { resolveSettings } from '../call/settings.js';
import type { Call, CallOptions, WithResponse } from '../contract/options.js';
import type { ListAllResult, ListQuery, Pets } from '../contract/pet-store.js';
import type { Operation } from '../response/classify-response.js';
import { respondedAt } from '../response/response-headers.js';
import { type Deadline, startDeadline } from '../time/deadline.js';
import { checkId, checkNewPet, LIMIT_MAX, listQueryString } from './pet-input.js';

/** The announced removal of `GET /pets/{petId}` (interface specification, "Versioning"), by UTC. */
const GET_REMOVED_AT = Date.UTC(2030, 11, 5);

/** Creates the methods for pets. For invalid arguments they reject; they never throw synchronously. */
export function createPets(client: ClientContext): Pets {
  return new PetsResource(client);
}

type Id = bigint | number | string;

class PetsResource implements Pets {
  readonly #client: ClientContext;
  readonly #path: string;

  constructor(client: ClientContext) {
    this.#client = client;
    this.#path = `${client.base.prefix}/pets`;
  }

  list(query?: ListQuery | null, options?: CallOptions): Call<Pet[]> {
    return new PendingCall(this.#list(query ?? {}, options));
  }

  async listAll(query?: Pick<ListQuery, 'status'> | null, options?: CallOptions): Promise<ListAllResult> {
    const { found, complete } = await this.#withDeadline(options, (deadline) =>
      this.#listUntilFound(query ?? {}, options, deadline),
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
    return (await this.#withDeadline(options, (deadline) => this.#find(wanted, options, deadline)))?.data;
  }

  /** Runs several calls of one method under one deadline. */
  async #withDeadline<T>(
    options: CallOptions | undefined,
    work: (deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const { deadlineMs } = resolveSettings(this.#client.settings, options);
    const deadline = startDeadline(this.#client.clock, deadlineMs, options?.signal);
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
    const result = await performCall(this.#client, operation, options, deadline);
    for (const pet of result.data) this.#warnOfUnknownStatus(pet);
    return result;
  }

  async #create(pet: NewPet, options: CallOptions | undefined): Promise<WithResponse<Pet>> {
    const body = stringifyJson(checkNewPet(pet));
    return this.#performForPet({ ...petOperation(this.#path), method: 'POST', body }, options);
  }

  async #get(id: Id, options: CallOptions | undefined): Promise<WithResponse<Pet>> {
    const wanted = checkId(id);
    this.#client.warn({
      code: 'deprecated-operation',
      message:
        'GET /pets/{petId} is deprecated and will be removed on 5 December 2030. Use find(), which searches the lists.',
    });
    return this.#withDeadline(options, async (deadline) => {
      try {
        return await this.#performForPet(petOperation(`${this.#path}/${String(wanted)}`), options, deadline);
      } catch (error) {
        if (!isRouteRemoved(error)) throw error;
        return this.#findAfterRemoval(wanted, error, options, deadline);
      }
    });
  }

  async #findAfterRemoval(
    id: bigint,
    removed: ApiError,
    options: CallOptions | undefined,
    deadline: Deadline,
  ): Promise<WithResponse<Pet>> {
    const found = await this.#find(id, options, deadline);
    if (found !== undefined) return found;
    throw new NotFoundError(`Pet ${String(id)} was not found among the pets that can be listed`, {
      status: 404,
      cause: removed,
      request: removed.request,
      attempts: removed.attempts,
    });
  }

  async #find(
    id: bigint,
    options: CallOptions | undefined,
    deadline: Deadline,
  ): Promise<WithResponse<Pet> | undefined> {
    const { found } = await this.#listUntilFound({}, options, deadline, id);
    return found.get(id);
  }

  async #performForPet(
    operation: Operation<Pet>,
    options: CallOptions | undefined,
    deadline?: Deadline,
  ): Promise<WithResponse<Pet>> {
    const result = await performCall(this.#client, operation, options, deadline);
    this.#warnOfUnknownStatus(result.data);
    return result;
  }

  /** Lists 100 pets and, if that response is full, 100 of each status. Stops as soon as `wanted` is found. */
  async #listUntilFound(
    { status }: Pick<ListQuery, 'status'>,
    options: CallOptions | undefined,
    deadline: Deadline,
    wanted?: bigint,
  ): Promise<{ found: Map<bigint, WithResponse<Pet>>; complete: boolean }> {
    const found = new Map<bigint, WithResponse<Pet>>();
    const listInto = async (query: ListQuery): Promise<boolean> => {
      const { data, response } = await this.#list({ ...query, limit: LIMIT_MAX }, options, deadline);
      for (const pet of data) if (!found.has(pet.id)) found.set(pet.id, { data: pet, response });
      return data.length >= LIMIT_MAX;
    };
    if (!(await listInto({ status }))) return { found, complete: true };
    if (status === undefined) {
      for (const each of PET_STATUSES) {
        if (wanted !== undefined && found.has(wanted)) break;
        await listInto({ status: each });
      }
    }
    return { found, complete: false };
  }

  #warnOfUnknownStatus(pet: Pet): void {
    const message = unknownStatusWarning(pet);
    if (message !== undefined) this.#client.warn({ code: 'unknown-status', message });
  }
}

function petOperation(path: string): Operation<Pet> {
  return {
    method: 'GET',
    path,
    validate: (body) => wrap(readPet(body)),
    explain: async (body) => (await import('./invalid-pet.js')).explainInvalidPet(body),
  };
}

function petsOperation(path: string): Operation<Pet[]> {
  return {
    method: 'GET',
    path,
    validate: (body) => wrap(readPets(body)),
    explain: async (body) => (await import('./invalid-pet.js')).explainInvalidPets(body),
  };
}

function wrap<T>(data: T | undefined): { data: T } | undefined {
  return data === undefined ? undefined : { data };
}

/**
 * Checks whether the service has removed the operation: 410, a 404 without the specified Error body, or any 404 after
 * the announced removal.
 */
function isRouteRemoved(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (error.status === 410) return true;
  return (
    error.status === 404 && (error.code === undefined || respondedAt(error.headers, 0) >= GET_REMOVED_AT)
  );
}
