import { ApiError, InvalidInputError, NotFoundError } from '../../errors.js';
import { toInt64 } from '../../schema/int64.js';
import { stringifyJson } from '../../schema/json.js';
import {
  isPetStatus,
  type NewPet,
  type Pet,
  PET_STATUSES,
  type PetStatus,
  readPet,
  readPets,
} from '../../schema/pet-reader.js';
import type { Operation } from '../answer.js';
import { PendingCall } from '../call.js';
import { type Deadline, startDeadline } from '../deadline.js';
import type { Engine } from '../engine.js';
import type { CallOptions, WithResponse } from '../options.js';
import type { ListQuery, Pets } from '../pet-store.js';
import { answeredAt } from '../response-headers.js';
import { performCall } from '../retry.js';
import { resolveSettings } from '../settings.js';

/** Bounds of `limit` on `GET /pets` (interface specification, "Page size"). */
const LIMIT_MIN = 1;
const LIMIT_MAX = 100;
/** When `GET /pets/{petId}` is removed (interface specification, "GET /pets/{petId}"). */
const GET_REMOVED_AT = Date.UTC(2030, 11, 5);

/** The animals of a store, over one engine. */
export function createPets(engine: Engine): Pets {
  const path = `${engine.base.prefix}/pets`;

  const pets: Pets = {
    list: (query, options) => call(() => list(query ?? {}, options)),
    async listAll(query, options) {
      const { status } = query ?? {};
      const seen = await together(options, (deadline) => listWidely(status, options, deadline));
      const all = [...seen.pets.values()].map(({ data }) => data).sort((a, b) => (a.id < b.id ? -1 : 1));
      return { pets: all, complete: seen.complete };
    },
    create: (pet, options) => call(() => create(pet, options)),
    get: (id, options) => call(() => get(checkId(id), options)),
    async find(id, options) {
      const wanted = checkId(id);
      return (await together(options, (deadline) => find(wanted, options, deadline)))?.data;
    },
  };
  return pets;

  /** Gives the requests of one call its one deadline. */
  async function together<T>(
    options: CallOptions | undefined,
    work: (deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const { deadlineMs } = resolveSettings(engine.settings, options);
    const deadline = startDeadline(engine.clock, deadlineMs, options?.signal);
    try {
      return await work(deadline);
    } finally {
      deadline.dispose();
    }
  }

  async function find(
    id: bigint,
    options: CallOptions | undefined,
    deadline: Deadline,
  ): Promise<WithResponse<Pet> | undefined> {
    const seen = await listWidely(undefined, options, deadline, (found) => found.has(id));
    return seen.pets.get(id);
  }

  async function list(
    query: ListQuery,
    options: CallOptions | undefined,
    deadline?: Deadline,
  ): Promise<WithResponse<Pet[]>> {
    const search = listSearch(query);
    const result = await performCall(engine, petsOperation(path + search), options, deadline);
    for (const { status } of result.data)
      if (status !== undefined && !isPetStatus(status)) warnOfStatus(status);
    return result;
  }

  async function create(pet: NewPet, options: CallOptions | undefined): Promise<WithResponse<Pet>> {
    const body = stringifyJson(checkNewPet(pet));
    return one({ ...petOperation(path), method: 'POST', body }, options);
  }

  async function get(id: bigint, options: CallOptions | undefined): Promise<WithResponse<Pet>> {
    engine.warn({
      code: 'deprecated-operation',
      message:
        'GET /pets/{petId} is deprecated and is removed on 5 December 2030; find() looks through the lists instead',
    });
    return together(options, async (deadline) => {
      try {
        return await one(petOperation(`${path}/${String(id)}`), options, deadline);
      } catch (error) {
        if (!isRouteGone(error)) throw error;
        return findAfterRemoval(id, error, options, deadline);
      }
    });
  }

  async function findAfterRemoval(
    id: bigint,
    gone: ApiError,
    options: CallOptions | undefined,
    deadline: Deadline,
  ): Promise<WithResponse<Pet>> {
    const found = await find(id, options, deadline);
    if (found !== undefined) return found;
    throw new NotFoundError(`pet ${String(id)} was not found in what can be listed`, {
      status: 404,
      cause: gone,
      request: gone.request,
      attempts: gone.attempts,
    });
  }

  async function one(
    operation: Operation<Pet>,
    options: CallOptions | undefined,
    deadline?: Deadline,
  ): Promise<WithResponse<Pet>> {
    const result = await performCall(engine, operation, options, deadline);
    const { status } = result.data;
    if (status !== undefined && !isPetStatus(status)) warnOfStatus(status);
    return result;
  }

  /** Asks for 100 animals and, where that came back full, for 100 of each status; stops early once `enough` says so. */
  async function listWidely(
    status: PetStatus | undefined,
    options: CallOptions | undefined,
    deadline: Deadline,
    enough: (found: ReadonlyMap<bigint, unknown>) => boolean = () => false,
  ): Promise<{ pets: Map<bigint, WithResponse<Pet>>; complete: boolean }> {
    const found = new Map<bigint, WithResponse<Pet>>();
    const ask = async (query: ListQuery): Promise<boolean> => {
      const { data, response } = await list({ ...query, limit: LIMIT_MAX }, options, deadline);
      for (const pet of data) if (!found.has(pet.id)) found.set(pet.id, { data: pet, response });
      return data.length >= LIMIT_MAX;
    };
    if (!(await ask({ status }))) return { pets: found, complete: true };
    if (status === undefined) {
      for (const each of PET_STATUSES) {
        if (enough(found)) break;
        await ask({ status: each });
      }
    }
    return { pets: found, complete: false };
  }

  function warnOfStatus(status: string): void {
    engine.warn({
      code: 'unknown-status',
      message: `the service answered with the status ${JSON.stringify(status)}, which this version does not know`,
    });
  }
}

function call<T>(start: () => Promise<WithResponse<T>>): PendingCall<T> {
  return new PendingCall(
    // An input error is a rejection as well, never a synchronous throw.
    (async () => start())(),
  );
}

function listSearch(query: ListQuery): string {
  const { limit, status } = query;
  const parameters: string[] = [];
  if (limit !== undefined) parameters.push(`limit=${String(checkLimit(limit))}`);
  if (status !== undefined) parameters.push(`status=${checkStatus(status)}`);
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}

function checkLimit(limit: unknown): number {
  const whole = typeof limit === 'number' && Number.isInteger(limit);
  if (whole && limit >= LIMIT_MIN && limit <= LIMIT_MAX) return limit;
  throw new InvalidInputError(
    `limit must be a whole number from ${String(LIMIT_MIN)} to ${String(LIMIT_MAX)}`,
    {
      field: 'limit',
      hint: 'there is no further page; listAll() widens what can be had',
    },
  );
}

function checkStatus(status: unknown): PetStatus {
  if (isPetStatus(status)) return status;
  throw new InvalidInputError(`status must be one of ${PET_STATUSES.join(', ')}`, { field: 'status' });
}

function checkId(id: unknown, field = 'id'): bigint {
  const value = toInt64(id);
  if (value !== undefined) return value;
  const unsafe = typeof id === 'number' && Number.isInteger(id);
  throw new InvalidInputError(`${field} must be an int64: a bigint, a safe integer or a decimal string`, {
    field,
    ...(unsafe ? { hint: 'a number this large has lost its last digits; pass a bigint or a string' } : {}),
  });
}

/** Takes what the specification names and nothing else. */
function checkNewPet(pet: NewPet): { name: string; categoryId: bigint; status?: PetStatus } {
  const { name, categoryId, status } = (pet ?? {}) as Partial<Record<keyof NewPet, unknown>>;
  if (typeof name !== 'string' || name === '') {
    throw new InvalidInputError('name is missing', { field: 'name', hint: 'give the animal a name' });
  }
  if (categoryId === undefined || categoryId === null || categoryId === '') {
    throw new InvalidInputError('categoryId is missing', { field: 'categoryId' });
  }
  return {
    name,
    categoryId: checkId(categoryId, 'categoryId'),
    ...(status === undefined ? {} : { status: checkStatus(status) }),
  };
}

function petOperation(path: string): Operation<Pet> {
  return {
    method: 'GET',
    path,
    read: (body) => wrap(readPet(body)),
    explain: async (body) => (await import('../explain.js')).explainPet(body),
  };
}

function petsOperation(path: string): Operation<Pet[]> {
  return {
    method: 'GET',
    path,
    read: (body) => wrap(readPets(body)),
    explain: async (body) => (await import('../explain.js')).explainPets(body),
  };
}

function wrap<T>(data: T | undefined): { data: T } | undefined {
  return data === undefined ? undefined : { data };
}

/**
 * Whether an error says that the operation itself is gone: 410, a 404 without the body that the specification gives for
 * an animal that was not found, or any 404 after the announced removal.
 */
function isRouteGone(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (error.status === 410) return true;
  return error.status === 404 && (error.code === undefined || answeredAt(error.headers, 0) >= GET_REMOVED_AT);
}
