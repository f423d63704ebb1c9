import { toInt64 } from '../../schema/int64.js';
import { parseJson } from '../../schema/json.js';
import { petJson, type Store } from '../service/store.js';
import { errorJson } from '../service/message.js';
import { openApiJson } from './openapi.js';

/** What a route is handed. */
export interface RouteInput {
  store: Store;
  /** What the path's parameter stands for, decoded; empty on a path without one. */
  parameter: string;
  /** Undecoded. */
  query: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** What a route answers; the handler adds the headers that every answer has. */
export interface RouteResponse {
  status: number;
  body: string;
  headers?: Readonly<Record<string, string>>;
}

/** One path below `/v1`, with what may be done there. */
export interface Route {
  path: string;
  pattern: RegExp;
  methods: Readonly<Partial<Record<string, (call: RouteInput) => RouteResponse>>>;
}

/** Makes the answer to a request that can't be carried out. */
export function errorResponse(
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): RouteResponse {
  return { status, body: errorJson(status, code, message), ...(headers === undefined ? {} : { headers }) };
}

/** The operations of the interface specification ("Endpoints"), and the mock's description of itself. */
export const ROUTES: readonly Route[] = [
  { path: '/pets', pattern: /^\/pets$/, methods: { GET: listPets, POST: createPet } },
  { path: '/pets/{petId}', pattern: /^\/pets\/([^/]+)$/, methods: { GET: getPet } },
  { path: '/openapi.json', pattern: /^\/openapi\.json$/, methods: { GET: describe } },
];

/** Largest body that is taken, in bytes; the mock's own rule, since the specification gives none. */
export const BODY_BYTES_MAX = 1_048_576;

/** Removal of `GET /pets/{petId}` (interface specification, "Versioning"). */
const SUNSET_AT = Date.UTC(2030, 11, 5);

/** RFC 9745 wants the day since when; the specification does not say, so this one is the mock's own. */
const DEPRECATED_AT = Date.UTC(2025, 11, 5);

const DEPRECATION_HEADERS = {
  // RFC 9745: a structured date. RFC 8594: an HTTP date.
  deprecation: `@${String(DEPRECATED_AT / 1_000)}`,
  sunset: new Date(SUNSET_AT).toUTCString(),
  link: '</v1/pets>; rel="successor-version"',
};

const LIMIT_DEFAULT = 20;
const LIMIT = /^(?:[1-9]\d?|100)$/;
const STATUSES: readonly unknown[] = ['available', 'pending', 'sold'];

function listPets({ store, query }: RouteInput): RouteResponse {
  const parameters = parseQuery(query);
  if (parameters === undefined) return errorResponse(400, 'bad_request', 'the query is not well-formed');
  const limits = parameters.get('limit') ?? [];
  const statuses = parameters.get('status') ?? [];
  if (limits.length > 1 || statuses.length > 1) {
    return errorResponse(
      400,
      'invalid_query',
      `${limits.length > 1 ? 'limit' : 'status'} is given more than once`,
    );
  }
  const [limit = String(LIMIT_DEFAULT)] = limits;
  const [status] = statuses;
  if (!LIMIT.test(limit))
    return errorResponse(400, 'invalid_query', 'limit must be a whole number from 1 to 100');
  if (status !== undefined && !STATUSES.includes(status)) {
    return errorResponse(400, 'invalid_query', `status must be one of ${STATUSES.join(', ')}`);
  }
  const pets = store.list(Number(limit), status);
  return { status: 200, body: `[${pets.map(petJson).join(',')}]` };
}

/**
 * The specification leaves open what a good name is. The mock takes any text but the empty one, which it treats as
 * missing. Fields that NewPet does not have are ignored, and an animal without a status stays without.
 */
function createPet({ store, headers, body }: RouteInput): RouteResponse {
  if (Buffer.byteLength(body) > BODY_BYTES_MAX) {
    return errorResponse(413, 'body_too_large', `the body is larger than ${String(BODY_BYTES_MAX)} bytes`);
  }
  if (body === '') return errorResponse(400, 'invalid_body', 'the body is missing');
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    return errorResponse(415, 'unsupported_media_type', 'the body must be application/json', {
      accept: 'application/json',
    });
  }
  let parsed: unknown;
  try {
    parsed = parseJson(body);
  } catch {
    return errorResponse(400, 'invalid_json', 'the body is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return errorResponse(400, 'invalid_body', 'the body must be an object');
  }
  const { name, categoryId: rawCategoryId, status } = parsed as Record<string, unknown>;
  const categoryId = typeof rawCategoryId === 'string' ? undefined : toInt64(rawCategoryId);
  const problems: string[] = [];
  if (name === undefined || name === '') problems.push('name is missing');
  else if (typeof name !== 'string') problems.push('name must be a string');
  if (rawCategoryId === undefined) problems.push('categoryId is missing');
  else if (categoryId === undefined) problems.push('categoryId must be an int64');
  if (status !== undefined && !STATUSES.includes(status))
    problems.push(`status must be one of ${STATUSES.join(', ')}`);
  if (problems.length > 0 || typeof name !== 'string' || categoryId === undefined) {
    return errorResponse(400, 'invalid_body', problems.join('; '));
  }
  const pet = store.create({ name, categoryId, ...(typeof status === 'string' ? { status } : {}) });
  return { status: 201, body: petJson(pet) };
}

/** From the announced removal on, by the mock's clock, the route is gone: what a client does then can be tried today. */
function getPet({ store, parameter, now }: RouteInput): RouteResponse {
  if (now >= SUNSET_AT) {
    return errorResponse(410, 'gone', 'this operation has been removed; use GET /pets', DEPRECATION_HEADERS);
  }
  const id = toInt64(parameter);
  if (id === undefined)
    return errorResponse(400, 'invalid_id', 'petId must be an int64', DEPRECATION_HEADERS);
  const pet = store.find(id);
  if (pet === undefined)
    return errorResponse(404, 'not_found', `no pet has the id ${String(id)}`, DEPRECATION_HEADERS);
  return { status: 200, body: petJson(pet), headers: DEPRECATION_HEADERS };
}

function describe(): RouteResponse {
  return { status: 200, body: openApiJson() };
}

/** Every value of each parameter, or `undefined` where an escape is malformed. */
function parseQuery(query: string): Map<string, string[]> | undefined {
  const parameters = new Map<string, string[]>();
  for (const pair of query === '' ? [] : query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
  }
  return parameters;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
