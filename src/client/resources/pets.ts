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
import { performCall, reportGroup, runGroup, startCall, startMethod } from '../call/call.js';
import type { CallGroup } from '../call/plan.js';
import type { ClientContext } from '../call/client-context.js';
import { checkCallOptions } from '../call/settings.js';
import type { Call, CallOptions, RequestOptions, WithResponse } from '../contract/options.js';
import type {
  FindCall,
  FindResult,
  ListAllResult,
  ListCall,
  ListQuery,
  Pets,
} from '../contract/pet-store.js';
import type { Operation } from '../response/classify-response.js';
import { respondedAt } from '../response/response-headers.js';
import { checkFilter, checkId, checkNewPet, LIMIT_DEFAULT, LIMIT_MAX, listQueryString } from './pet-input.js';
import { describeIssues, REQUEST_CHECKS, validateWith } from './raw-request.js';

/** The announced removal of `GET /pets/{petId}` (interface specification, "Versioning"), by UTC. */
const GET_REMOVED_AT = Date.UTC(2030, 11, 5);

type Id = bigint | number | string;
type Options = CallOptions | null | undefined;
type Filter = Pick<ListQuery, 'status'>;

/**
 * Creates the methods for pets. For invalid arguments they reject; they never throw synchronously. They can be called
 * without the object.
 */
export function createPets(client: ClientContext): Pets {
  const requests = new PetRequests(client);
  const list = (query?: ListQuery | null, options?: Options): ListCall => {
    const call = startCall(client, list, () => requests.list(query ?? {}, checkCallOptions(options)));
    const withComplete = async (): Promise<ListAllResult> => {
      const pets = await call;
      return { pets, complete: pets.length < (query?.limit ?? LIMIT_DEFAULT) };
    };
    return Object.assign(call, { withComplete });
  };
  const listAll = (query?: Filter | null, options?: Options): Promise<ListAllResult> =>
    startMethod(client, listAll, () => requests.listAll(query ?? {}, checkCallOptions(options)));
  const create = (pet: NewPet, options?: RequestOptions<Pet> | null): Call<Pet> =>
    startCall(client, create, () => requests.create(pet, checkCallOptions(options, REQUEST_CHECKS)));
  const getById = (id: Id, options?: Options): Call<Pet> =>
    startCall(client, getById, () => requests.get(id, checkCallOptions(options)));
  const find = (id: Id, options?: Options): FindCall => {
    const search = startMethod(client, find, () => requests.find(id, checkCallOptions(options)));
    const found = search.then(({ pet }) => pet);
    // A rejection is unhandled only if neither promise is awaited.
    const withComplete = (): Promise<FindResult> => found.then(() => search);
    return Object.assign(found, { withComplete });
  };
  const pets = { list, listAll, create, get: getById, find };
  return pets;
}

class PetRequests {
  readonly #client: ClientContext;
  readonly #path: string;
  /** The same for every list, except the path. */
  readonly #listPets: Omit<Operation<Pet[]>, 'path'>;

  constructor(client: ClientContext) {
    this.#client = client;
    this.#path = `${client.base.prefix}/pets`;
    this.#listPets = {
      name: 'listPets',
      method: 'GET',
      validate: (body) => this.#validatePets(body),
      explain: (body) => explain('petsSchema', body),
    };
  }

  list(query: ListQuery, options: Options, group?: CallGroup): Promise<WithResponse<Pet[]>> {
    const operation = { ...this.#listPets, path: this.#path + listQueryString(query) };
    return performCall(this.#client, operation, options, group);
  }

  async listAll(query: Filter, options: Options): Promise<ListAllResult> {
    checkFilter(query);
    const { found, complete } = await runGroup(this.#client, options, (group) =>
      this.#search('listAll', query, options, group),
    );
    const pets = [...found.values()].map(({ data }) => data).sort((a, b) => (a.id < b.id ? -1 : 1));
    return { pets, complete };
  }

  async create(pet: NewPet, options: RequestOptions<Pet> | undefined): Promise<WithResponse<Pet>> {
    const input = checkNewPet(pet);
    const schema = options?.schema;
    const operation: Operation<Pet> = {
      ...petOperation('createPet', this.#path, 'categoryId', input.categoryId),
      method: 'POST',
      body: stringifyJson(input),
      unknownOutcome: 'the pet may or may not have been created',
    };
    if (schema !== undefined) operation.refine = (created) => validateWith(schema, created);
    return this.#performForPet(operation, options);
  }

  async get(id: Id, options: Options): Promise<WithResponse<Pet>> {
    const wanted = checkId(id);
    this.#client.warn({
      code: 'deprecated-operation',
      message:
        'GET /pets/{petId} is deprecated and will be removed on 5 December 2030. Use find(), which searches the lists.',
    });
    const operation = petOperation('getPet', `${this.#path}/${String(wanted)}`, 'id', wanted);
    return runGroup(this.#client, options, async (group) => {
      try {
        return await this.#performForPet(operation, options, group);
      } catch (error) {
        if (!isRouteRemoved(error)) throw error;
        return this.#findAfterRemoval(wanted, error, options, group);
      }
    });
  }

  async find(id: Id, options: Options): Promise<FindResult> {
    const wanted = checkId(id);
    const { found, complete } = await runGroup(this.#client, options, (group) =>
      this.#search('find', {}, options, group, wanted),
    );
    return { pet: found.get(wanted)?.data, complete };
  }

  async #findAfterRemoval(
    id: bigint,
    removed: ApiError,
    options: Options,
    group: CallGroup,
  ): Promise<WithResponse<Pet>> {
    const listed = await this.#search('find', {}, options, group, id);
    const found = listed.found.get(id);
    if (found !== undefined) return found;
    throw new NotFoundError(`Pet ${String(id)} was not found among the pets that can be listed`, {
      status: 404,
      cause: removed,
      request: removed.request,
      attempts: removed.attempts,
    });
  }

  async #performForPet(
    operation: Operation<Pet>,
    options: Options,
    group?: CallGroup,
  ): Promise<WithResponse<Pet>> {
    const result = await performCall(this.#client, operation, options, group);
    this.#warnOfUnknownStatus(result.data);
    return result;
  }

  /** Lists 100 pets and, if that response is full, 100 of each status. Stops as soon as `wanted` is found. */
  #search(
    name: 'listAll' | 'find',
    { status }: Filter,
    options: Options,
    group: CallGroup,
    wanted?: bigint,
  ): Promise<{ found: Map<bigint, WithResponse<Pet>>; complete: boolean }> {
    return reportGroup(this.#client, name, group, async (own) => {
      const found = new Map<bigint, WithResponse<Pet>>();
      const listInto = async (query: ListQuery): Promise<boolean> => {
        const { data, response } = await this.list({ ...query, limit: LIMIT_MAX }, options, own);
        for (const pet of data) if (!found.has(pet.id)) found.set(pet.id, { data: pet, response });
        return data.length >= LIMIT_MAX;
      };
      if (!(await listInto({ status }))) return { found, complete: true };
      for (const each of status === undefined ? PET_STATUSES : []) {
        if (wanted !== undefined && found.has(wanted)) break;
        await listInto({ status: each });
      }
      return { found, complete: false };
    });
  }

  #validatePets(body: unknown): { data: Pet[] } | undefined {
    const pets = readPets(body);
    if (pets === undefined) return undefined;
    for (const pet of pets) this.#warnOfUnknownStatus(pet);
    return { data: pets };
  }

  #warnOfUnknownStatus(pet: Pet): void {
    const message = unknownStatusWarning(pet);
    if (message !== undefined) this.#client.warn({ code: 'unknown-status', message });
  }
}

/**
 * @param field of the pet in the response, which must be `wanted`. Otherwise it is the response to another request. A
 * service can change the spelling of a name, but not these identifiers.
 */
function petOperation(
  name: string,
  path: string,
  field: 'id' | 'categoryId',
  wanted: bigint,
): Operation<Pet> {
  return {
    name,
    method: 'GET',
    path,
    validate(body) {
      const pet = readPet(body);
      return pet?.[field] === wanted ? { data: pet } : undefined;
    },
    async explain(body) {
      const pet = readPet(body);
      if (pet === undefined) return explain('petSchema', body);
      const noun = field === 'id' ? 'id' : 'category';
      return `the pet has ${noun} ${String(pet[field])} instead of ${String(wanted)}`;
    },
  };
}

/**
 * Checks whether the service has removed the operation: 410, a 404 without the specified Error body, or any 404 after
 * the announced removal.
 */
function isRouteRemoved(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (error.status === 410) return true;
  return (
    error.status === 404 &&
    (error.code === undefined || respondedAt(error.response?.headers ?? {}, 0) >= GET_REMOVED_AT)
  );
}

/** Describes the problems of a body. The schema is loaded only for an invalid response, because it loads zod. */
async function explain(name: 'petSchema' | 'petsSchema', body: unknown): Promise<string> {
  if (body === undefined) return 'the body is empty';
  const { [name]: schema } = await import('../../schema/pet.js');
  return describeIssues(schema.safeParse(body).error?.issues);
}
