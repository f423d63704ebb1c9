import { MOCK_PLANS } from '../service/limits.js';
import { OPEN_API } from '../service/openapi.js';

/** A JSON Schema, as OpenAPI 3.1 uses it. */
type Schema = Readonly<Record<string, unknown>> & { readonly properties?: object };

const TEXT: Schema = { type: 'string' };
const COUNT: Schema = { type: 'integer', minimum: 0 };
const YES_OR_NO: Schema = { type: 'boolean' };
const TIME: Schema = { type: 'string', format: 'date-time' };
const INT64: Schema = { type: 'integer', format: 'int64' };
const PLAN: Schema = { type: 'string', enum: MOCK_PLANS };

function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with all of `properties`, and some of `optional`. */
function object(
  properties: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } };
}

/** An object of a request: a mistyped property is an error. */
function input(
  properties: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  return { ...object(properties, optional), additionalProperties: false };
}

const LINES: Schema = { anyOf: [TEXT, listOf(TEXT)] };
const WAIT: Schema = { anyOf: [TEXT, { type: 'number' }] };
const MATCH = { method: TEXT, path: TEXT, status: { type: 'integer' } };
const COUNTS = { seen: COUNT, applied: COUNT };
const ERROR_FIELDS = { code: TEXT, message: TEXT, status: { type: 'integer' } };

/** The one schema of a fault: for `--fault` as JSON, the library and this API. */
const FAULT = {
  route: { type: 'string', description: 'A method, a path below /v1, or both.' },
  query: { type: 'string', description: 'Parameters that the query must have.' },
  body: { type: 'string', description: 'A text that the body of the request must contain.' },
  skip: COUNT,
  times: COUNT,
  probability: { type: 'number', minimum: 0, maximum: 1 },
};

const ACTION: Schema = {
  anyOf: [
    { type: 'string', enum: ['reset', 'lost-write', 'html-502', 'bad-json', 'truncate'] },
    input(
      { status: { type: 'integer', minimum: 200, maximum: 599 } },
      {
        retryAfter: {
          anyOf: [WAIT, listOf(WAIT)],
          description: 'Sent as it is; date+30s becomes an HTTP-date.',
        },
        headers: { type: 'object', additionalProperties: LINES },
        body: { description: 'A text, or a value that is sent as JSON.' },
      },
    ),
    input({ latencyMs: { type: 'number', exclusiveMinimum: 0 } }),
    input({ bytesPerSecond: { type: 'number', exclusiveMinimum: 0 } }),
    input({ cutAfterBytes: COUNT }),
    input({ rateLimitSeconds: { type: 'number', exclusiveMinimum: 0 } }),
  ],
};

const FAULT_INPUTS = listOf({ anyOf: [TEXT, ref('Fault')] });
const ID_INPUT: Schema = { anyOf: [INT64, TEXT] };
/** Tests may use pets that the service would not accept. */
const PET_FIELDS = { ...OPEN_API.components.schemas.NewPet.properties, name: TEXT, status: TEXT };
const PET_INPUT = object(
  { name: TEXT, categoryId: ID_INPUT },
  { ...PET_FIELDS, categoryId: ID_INPUT, id: ID_INPUT },
);
const STORE = { pets: listOf(ref('Pet')) };
const FAULTS = object({ faults: listOf(ref('ActiveFault')) });
const TENANTS = object({ tenants: listOf(ref('Tenant')) });
const SNAPSHOT = {
  properties: { format: { const: 'petstore-mock/1' }, worlds: listOf(object(STORE)) },
  optional: { tenants: listOf(object({ number: COUNT, plan: PLAN, ...STORE })) },
};
const DNS = {
  endpoint: object({ host: TEXT, port: COUNT }),
  zones: listOf(TEXT),
  addresses: listOf(TEXT),
  faults: listOf({ type: 'object' }),
  journal: object({ entries: COUNT, dropped: COUNT }),
  questions: listOf({ type: 'object' }),
};

/** The schemas that others refer to. */
export const COMPONENTS: Readonly<Record<string, Schema>> = {
  Error: { ...object(ERROR_FIELDS), description: 'An error.' },
  Fault: input({ action: ACTION }, FAULT),
  ActiveFault: object({ id: COUNT, action: ACTION, ...COUNTS }, { ...FAULT, spec: TEXT }),
  Pet: object({ id: INT64, name: TEXT, categoryId: INT64 }, PET_FIELDS),
  Window: object({ limit: COUNT, used: COUNT, resetsAt: TIME }),
  Limits: object(
    { plan: PLAN, minute: ref('Window'), day: ref('Window'), banned: YES_OR_NO, consecutive429Count: COUNT },
    { blockedUntil: TIME },
  ),
  Tenant: object(
    {
      tenant: COUNT,
      fingerprint: TEXT,
      plan: PLAN,
      pets: COUNT,
      banned: YES_OR_NO,
      now: TIME,
      rateLimit: object({ limit: COUNT, remaining: COUNT, resetAt: TIME }),
      clockFrozen: YES_OR_NO,
      limits: ref('Limits'),
    },
    { key: TEXT },
  ),
  State: object(
    {
      instance: TEXT,
      now: TIME,
      clockFrozen: YES_OR_NO,
      clockOffsetMs: { type: 'number' },
      tenants: listOf(ref('Tenant')),
      faults: listOf(ref('ActiveFault')),
      journal: object({ entries: COUNT, dropped: COUNT }),
    },
    {
      replay: object({ entries: COUNT, leftOut: listOf(object({ reason: TEXT, count: COUNT })) }),
      dns: object({}, DNS),
      web: object({ host: TEXT, httpPort: COUNT, httpsPort: COUNT }),
    },
  ),
  Entry: object(
    {
      sequence: COUNT,
      at: TIME,
      method: TEXT,
      target: TEXT,
      path: TEXT,
      query: TEXT,
      headers: { type: 'object', additionalProperties: TEXT },
    },
    {
      body: TEXT,
      tenant: COUNT,
      status: { type: 'integer' },
      fault: TEXT,
      retryAfterSeconds: { type: 'number', minimum: 0 },
    },
  ),
  Clock: object({ now: TIME, offsetMs: { type: 'number' }, frozen: YES_OR_NO }),
  Journal: object({ entries: listOf(ref('Entry')), dropped: COUNT }),
  ExpectationResults: object({
    passed: YES_OR_NO,
    results: listOf(object({ expectation: { type: 'object' }, passed: YES_OR_NO }, { message: TEXT })),
  }),
  Snapshot: object(SNAPSHOT.properties, SNAPSHOT.optional),
};

/** The body of a successful response, by operation. */
export const RESPONSES: Readonly<Record<string, Schema>> = {
  getHealth: object({ status: { const: 'ok' }, instance: TEXT }),
  getState: ref('State'),
  reset: ref('State'),
  listTenants: TENANTS,
  createTenant: ref('Tenant'),
  deleteTenant: TENANTS,
  listPets: object({ pets: listOf(ref('Pet')), total: COUNT }),
  addPet: ref('Pet'),
  loadPets: object(STORE),
  putPet: ref('Pet'),
  deletePet: object({ deleted: { const: true } }),
  listFaults: FAULTS,
  setFaults: FAULTS,
  deleteFaults: FAULTS,
  updateFaults: FAULTS,
  listFaultProfiles: object({
    profiles: listOf(
      object({
        name: TEXT,
        summary: TEXT,
        example: TEXT,
        parameters: listOf(object({ name: TEXT, summary: TEXT }, { default: WAIT })),
      }),
    ),
  }),
  getClock: ref('Clock'),
  moveClock: ref('Clock'),
  getDns: object({ names: listOf(object({ name: TEXT, shows: TEXT, because: TEXT })) }, DNS),
  listRequests: ref('Journal'),
  clearRequests: ref('Journal'),
  explainRequest: object(
    { entry: ref('Entry'), reason: TEXT, text: listOf(TEXT) },
    { limits: ref('Limits') },
  ),
  checkExpectations: ref('ExpectationResults'),
  getSnapshot: ref('Snapshot'),
  restoreSnapshot: TENANTS,
  getControlApi: { type: 'object' },
};

/** The body of a request, by operation. */
export const REQUESTS: Readonly<Record<string, Schema>> = {
  createTenant: input({}, { plan: PLAN, pets: { anyOf: [COUNT, listOf(PET_INPUT)] } }),
  addPet: PET_INPUT,
  loadPets: input({ pets: listOf(PET_INPUT) }),
  putPet: PET_INPUT,
  setFaults: input({ faults: FAULT_INPUTS }),
  updateFaults: input({}, { add: FAULT_INPUTS, remove: listOf({ type: 'integer' }) }),
  moveClock: input({}, { advance: WAIT, freeze: { const: true }, run: { const: true } }),
  checkExpectations: input({
    expectations: listOf(
      input({}, { ...MATCH, count: COUNT, min: COUNT, max: COUNT, respectedRetryAfter: { const: true } }),
    ),
  }),
  restoreSnapshot: input(SNAPSHOT.properties, SNAPSHOT.optional),
};

/** More of the body of an error, by operation and status. */
export const ERRORS: Readonly<Record<string, Readonly<Record<number, Schema>>>> = {
  listRequests: { 408: { allOf: [ref('Error'), ref('Journal')] } },
  checkExpectations: { 409: { allOf: [ref('Error'), ref('ExpectationResults')] } },
};

/** The value of a query parameter. */
export function parameterSchema(path: string, name: string): Schema {
  const isCount = ['since', 'limit', 'offset', 'count', 'entry', 'tenant'].includes(name);
  return isCount || (path === '/journal' && name === 'status') ? COUNT : TEXT;
}
