import { toInt64 } from '../../schema/int64.js';
import { parseJson } from '../../schema/json.js';
import { listJson, petJson } from '../pets/pet-json.js';
import type { NewMockPet, Store } from '../pets/store.js';
import { BODY_BYTES_MAX, byteLength, errorJson } from '../service/message.js';
import {
  type FieldSchema,
  type ObjectSchema,
  OPEN_API,
  openApiJson,
  type OperationId,
  pathPattern,
} from '../service/openapi.js';

export interface RouteInput {
  store: Store;
  /** The decoded path parameter, empty for a route without one. */
  parameter: string;
  /** Encoded. */
  query: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Whether the bytes of the body are not UTF-8. */
  isBodyMalformed: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The response of a route, before the handler adds the headers of every response. */
export interface RouteResponse {
  status: number;
  body: string;
  headers?: Readonly<Record<string, string>>;
}

/** A path below `/v1` with its methods. */
export interface Route {
  path: string;
  pattern: RegExp;
  methods: Readonly<Partial<Record<string, Run>>>;
}

export function errorResponse(
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): RouteResponse {
  return { status, body: errorJson(status, code, message), ...(headers === undefined ? {} : { headers }) };
}

type Run = (call: RouteInput) => RouteResponse;

const OPERATIONS: Readonly<Record<OperationId, Run>> = { listPets, createPet, getPet };

const PATHS: Readonly<Record<string, Readonly<Record<string, { operationId: OperationId }>>>> =
  OPEN_API.paths;

/** The operations of the service, and the OpenAPI description itself. */
export const ROUTES: readonly Route[] = [
  ...Object.entries(PATHS).map(([path, operations]) => ({
    path,
    pattern: pathPattern(path, '([^/]+)'),
    methods: Object.fromEntries(
      Object.entries(operations).map(([method, { operationId }]) => [
        method.toUpperCase(),
        OPERATIONS[operationId],
      ]),
    ),
  })),
  {
    path: '/openapi.json',
    pattern: /^\/openapi\.json$/,
    methods: { GET: () => ({ status: 200, body: openApiJson() }) },
  },
];

/** Removal date of `GET /pets/{petId}` (interface specification, "Versioning"). */
const SUNSET_AT = Date.UTC(2030, 11, 5);

/** RFC 9745 requires a date. The mock's own: the specification shows none. */
const DEPRECATED_AT = Date.UTC(2025, 11, 5);

const DEPRECATION_HEADERS = {
  // RFC 9745: a structured date. RFC 8594: an HTTP date.
  deprecation: `@${String(DEPRECATED_AT / 1_000)}`,
  sunset: new Date(SUNSET_AT).toUTCString(),
  link: '</v1/pets>; rel="successor-version"',
};

const LIMIT_DEFAULT = 20;
const LIMIT = /^(?:[1-9]\d?|100)$/;
const STATUSES: readonly unknown[] = OPEN_API.components.schemas.PetStatus.enum;

/**
 * From the interface specification: `limit` (1 to 100, default 20) and `status`.
 *
 * The mock's own rules: 400 for an invalid or repeated parameter. Unknown parameters are ignored.
 */
function listPets({ store, query }: RouteInput): RouteResponse {
  if (!isWellFormed(query)) return errorResponse(400, 'bad_request', 'The query is not well-formed');
  const parameters = new URLSearchParams(query);
  const repeated = ['limit', 'status'].find((name) => parameters.getAll(name).length > 1);
  if (repeated !== undefined) return errorResponse(400, 'invalid_query', `${repeated} occurs more than once`);
  const limit = parameters.get('limit') ?? String(LIMIT_DEFAULT);
  const status = parameters.get('status') ?? undefined;
  if (!LIMIT.test(limit))
    return errorResponse(400, 'invalid_query', 'limit must be a whole number from 1 to 100');
  if (status !== undefined && !STATUSES.includes(status)) {
    return errorResponse(400, 'invalid_query', `status must be one of ${STATUSES.join(', ')}`);
  }
  return { status: 200, body: listJson(store, Number(limit), status) };
}

/**
 * From the interface specification: 201 with an id, and 400 for missing or invalid fields.
 *
 * The mock's own rules: an empty name is invalid, any other is valid. Unknown fields are ignored. A pet without a status
 * stays without one. A large body gets 413; another content type or a compressed body gets 415.
 */
function createPet(call: RouteInput): RouteResponse {
  const { pet, error } = readPet(call, OPEN_API.components.schemas.NewPet);
  return error ?? { status: 201, body: petJson(call.store.create(pet as NewMockPet)) };
}

/** The fields of a body that the schema has, or the response to an invalid body. */
type ReadPet = { pet: object; error?: never } | { pet?: never; error: RouteResponse };

function readPet({ headers, body, isBodyMalformed }: RouteInput, schema: ObjectSchema): ReadPet {
  const error = (...parts: Parameters<typeof errorResponse>): ReadPet => ({ error: errorResponse(...parts) });
  if (byteLength(body) > BODY_BYTES_MAX)
    return error(413, 'body_too_large', `The body is larger than ${String(BODY_BYTES_MAX)} bytes`);
  if (body === '') return error(400, 'invalid_body', 'The body is missing');
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    const accept = 'application/json';
    return error(415, 'unsupported_media_type', 'The body must be application/json', { accept });
  }
  if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? '')) {
    return error(415, 'unsupported_content_encoding', 'The body must not be compressed', {
      'accept-encoding': 'identity',
    });
  }
  // RFC 8259, section 8.1: JSON is UTF-8.
  if (isBodyMalformed) return error(400, 'invalid_body', 'The body is not UTF-8');
  let parsed: unknown;
  try {
    parsed = parseJson(body);
  } catch {
    return error(400, 'invalid_json', 'The body is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return error(400, 'invalid_body', 'The body must be an object');
  const pet: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, field] of Object.entries(schema.properties)) {
    const value = (parsed as Record<string, unknown>)[name];
    const isMissing =
      value === undefined ? schema.required?.includes(name) : value === '' && field.minLength === 1;
    if (isMissing === true) problems.push(`${name} is missing`);
    if (value === undefined || isMissing === true) continue;
    const { read, expected } = readerOf(field);
    pet[name] = read(value);
    if (pet[name] === undefined) problems.push(`${name} must be ${expected}`);
  }
  return problems.length > 0 ? error(400, 'invalid_body', problems.join('; ')) : { pet };
}

/** Reads a value as its schema describes it. Returns `undefined` for another value. */
function readerOf({ $ref, type, format }: FieldSchema): { expected: string; read(value: unknown): unknown } {
  const only = (isValid: (value: unknown) => boolean) => (value: unknown) =>
    isValid(value) ? value : undefined;
  // The only schema that a field refers to.
  if ($ref !== undefined)
    return { expected: `one of ${STATUSES.join(', ')}`, read: only((value) => STATUSES.includes(value)) };
  if (format === 'int64')
    return {
      expected: 'an int64',
      read: (value) => (typeof value === 'string' ? undefined : toInt64(value)),
    };
  if (type === 'integer') return { expected: 'a whole number', read: only(Number.isSafeInteger) };
  return { expected: 'a string', read: only((value) => typeof value === 'string') };
}

/**
 * From the interface specification: 404, and the announced removal.
 *
 * The mock's own rules: 400 for an id that is not an int64, and 410 from the removal date, by the mock's clock.
 */
function getPet({ store, parameter, now }: RouteInput): RouteResponse {
  if (now >= SUNSET_AT) {
    return errorResponse(410, 'gone', 'This operation is removed; use GET /pets', DEPRECATION_HEADERS);
  }
  const id = toInt64(parameter);
  if (id === undefined)
    return errorResponse(400, 'invalid_id', 'petId must be an int64', DEPRECATION_HEADERS);
  const pet = store.find(id);
  if (pet === undefined)
    return errorResponse(404, 'not_found', `No pet has the id ${String(id)}`, DEPRECATION_HEADERS);
  return { status: 200, body: petJson(pet), headers: DEPRECATION_HEADERS };
}

/** Whether the percent-encoding is valid, and that of UTF-8. URLSearchParams accepts every text. */
function isWellFormed(query: string): boolean {
  try {
    return decodeURIComponent(query) !== undefined;
  } catch {
    return false;
  }
}
