import { MOCK_PLANS } from '../service/limits.js';
import { OPEN_API } from '../service/openapi.js';

/** A JSON Schema, as OpenAPI 3.1 uses it. */
export type Schema = Readonly<Record<string, unknown>> & { readonly properties?: object };

export const TEXT: Schema = { type: 'string' };
export const WHOLE_NUMBER: Schema = { type: 'integer', minimum: 0 };
const YES_OR_NO: Schema = { type: 'boolean' };
const TIME: Schema = { type: 'string', format: 'date-time' };
const INT64: Schema = { type: 'integer', format: 'int64' };
export const PLAN: Schema = { type: 'string', enum: MOCK_PLANS };

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with all of `properties`, and some of `optional`. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } };
}

/** An object of a request: a mistyped property is an error. */
export function input(
  properties: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  return { ...object(properties, optional), additionalProperties: false };
}

const LINES: Schema = { anyOf: [TEXT, listOf(TEXT)] };
export const WAIT: Schema = { anyOf: [TEXT, { type: 'number' }] };
export const MATCH = { method: TEXT, path: TEXT, status: { type: 'integer' } };
const COUNTS = { seen: WHOLE_NUMBER, applied: WHOLE_NUMBER };
const ERROR_FIELDS = { code: TEXT, message: TEXT, status: { type: 'integer' } };

/** The one schema of a fault: for `--fault` as JSON, the library and this API. */
const FAULT = {
  route: { type: 'string', description: 'A method, a path below /v1, or both.' },
  query: { type: 'string', description: 'Parameters that the query must have.' },
  body: { type: 'string', description: 'A text that the body of the request must contain.' },
  skip: WHOLE_NUMBER,
  times: WHOLE_NUMBER,
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
    input({ cutAfterBytes: WHOLE_NUMBER }),
    input({ rateLimitSeconds: { type: 'number', exclusiveMinimum: 0 } }),
  ],
};

export const FAULT_INPUTS = listOf({ anyOf: [TEXT, ref('Fault')] });
const ID_INPUT: Schema = { anyOf: [INT64, TEXT] };
/** Tests may use pets that the service would not accept. */
const PET_FIELDS = { ...OPEN_API.components.schemas.NewPet.properties, name: TEXT, status: TEXT };
export const PET_INPUT = object(
  { name: TEXT, categoryId: ID_INPUT },
  { ...PET_FIELDS, categoryId: ID_INPUT, id: ID_INPUT },
);
export const STORE = { pets: listOf(ref('Pet')) };
export const FAULTS = object({ faults: listOf(ref('ActiveFault')) });
export const TENANTS = object({ tenants: listOf(ref('Tenant')) });
export const SNAPSHOT = {
  properties: { format: { const: 'petstore-mock/1' }, worlds: listOf(object(STORE)) },
  optional: { tenants: listOf(object({ number: WHOLE_NUMBER, plan: PLAN, ...STORE })) },
};
export const DNS = {
  endpoint: object({ host: TEXT, port: WHOLE_NUMBER }),
  zones: listOf(TEXT),
  addresses: listOf(TEXT),
  faults: listOf({ type: 'object' }),
  journal: object({ entries: WHOLE_NUMBER, dropped: WHOLE_NUMBER }),
  questions: listOf({ type: 'object' }),
};

/** The schemas that others refer to. */
export const COMPONENTS: Readonly<Record<string, Schema>> = {
  Error: { ...object(ERROR_FIELDS), description: 'An error.' },
  Fault: input({ action: ACTION }, FAULT),
  ActiveFault: object({ id: WHOLE_NUMBER, action: ACTION, ...COUNTS }, { ...FAULT, spec: TEXT }),
  Pet: object({ id: INT64, name: TEXT, categoryId: INT64 }, PET_FIELDS),
  Window: object({ limit: WHOLE_NUMBER, used: WHOLE_NUMBER, resetsAt: TIME }),
  Limits: object(
    {
      plan: PLAN,
      minute: ref('Window'),
      day: ref('Window'),
      banned: YES_OR_NO,
      consecutive429Count: WHOLE_NUMBER,
    },
    { blockedUntil: TIME },
  ),
  Tenant: object(
    {
      tenant: WHOLE_NUMBER,
      fingerprint: TEXT,
      plan: PLAN,
      pets: WHOLE_NUMBER,
      banned: YES_OR_NO,
      now: TIME,
      rateLimit: object({ limit: WHOLE_NUMBER, remaining: WHOLE_NUMBER, resetAt: TIME }),
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
      journal: object({ entries: WHOLE_NUMBER, dropped: WHOLE_NUMBER }),
    },
    {
      replay: object({
        entries: WHOLE_NUMBER,
        leftOut: listOf(object({ reason: TEXT, count: WHOLE_NUMBER })),
      }),
      dns: object({}, DNS),
      web: object({ host: TEXT, httpPort: WHOLE_NUMBER, httpsPort: WHOLE_NUMBER }),
    },
  ),
  Entry: object(
    {
      sequence: WHOLE_NUMBER,
      at: TIME,
      method: TEXT,
      target: TEXT,
      path: TEXT,
      query: TEXT,
      headers: { type: 'object', additionalProperties: TEXT },
    },
    {
      body: TEXT,
      tenant: WHOLE_NUMBER,
      status: { type: 'integer' },
      fault: TEXT,
      retryAfterSeconds: { type: 'number', minimum: 0 },
    },
  ),
  Clock: object({ now: TIME, offsetMs: { type: 'number' }, frozen: YES_OR_NO }),
  Journal: object({ entries: listOf(ref('Entry')), dropped: WHOLE_NUMBER }),
  ExpectationResults: object({
    passed: YES_OR_NO,
    results: listOf(object({ expectation: { type: 'object' }, passed: YES_OR_NO }, { message: TEXT })),
  }),
  Snapshot: object(SNAPSHOT.properties, SNAPSHOT.optional),
};

/** The value of a query parameter. */
export function parameterSchema(path: string, name: string): Schema {
  const isCount = ['since', 'limit', 'offset', 'count', 'entry', 'tenant'].includes(name);
  return isCount || (path === '/journal' && name === 'status') ? WHOLE_NUMBER : TEXT;
}
