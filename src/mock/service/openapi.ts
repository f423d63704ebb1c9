const REMOVAL = 'To be removed on 5 December 2030. Use listPets with a status filter.';
const LIMIT = { type: 'integer', minimum: 1, maximum: 100, default: 20 };

/** The schema of a field of a pet. */
export interface FieldSchema {
  $ref?: string;
  type?: 'string' | 'integer';
  format?: 'int64';
  minLength?: number;
  minimum?: number;
  description?: string;
  examples?: readonly unknown[];
}

/** The schema of a body. */
export interface ObjectSchema {
  type: 'object';
  required?: readonly string[];
  properties: Readonly<Record<string, FieldSchema>>;
}

const NEW_PET: Required<ObjectSchema> = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      examples: ['Rex'],
      description: 'The name of the pet. The mock rejects an empty one.',
    },
    categoryId: int64('The category it belongs to.', 1),
    status: reference('schemas/PetStatus'),
  },
};

/**
 * The service as OpenAPI 3.1, written from the interface specification. What the specification does not show (values of
 * `code`, constraints on names, the body of a 429) is not described here either. Status codes that only the mock uses
 * start with "Mock only". The routes, the `route` of a fault and the preflight response are made from it.
 */
export const OPEN_API = {
  openapi: '3.1.0',
  info: {
    title: 'Pet store',
    version: '1.0.0',
    description: 'The pets of a pet store.',
    contact: { name: 'petstore' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  tags: [{ name: 'pets', description: 'The pets.' }],
  servers: [{ url: '/v1' }],
  security: [{ apiKey: [] }],
  paths: {
    '/pets': {
      get: {
        ...operation('listPets', 'List pets', 'Lists the first pets. The service has no further pages.'),
        parameters: [
          queryParameter('limit', 'Maximum number of pets to return.', LIMIT),
          queryParameter('status', 'Only pets with this status.', reference('schemas/PetStatus')),
        ],
        responses: {
          200: response('The pets.', 'Pets'),
          400: mockOnly(400, 'invalid_query', 'A query value is invalid.'),
          ...sharedErrors(),
        },
      },
      post: {
        ...operation('createPet', 'Add a pet', 'Adds a pet, and assigns its id.'),
        requestBody: {
          required: true,
          ...json('NewPet', { example: { name: 'Rex', categoryId: 1, status: 'available' } }),
        },
        responses: {
          201: response('The pet, with its assigned id.', 'Pet'),
          400: error(400, 'invalid_body', 'The body is missing required fields or contains invalid values.'),
          413: mockOnly(413, 'body_too_large', 'The body is too large.'),
          415: mockOnly(415, 'unsupported_media_type', 'The body is not application/json, or is compressed.'),
          ...sharedErrors(),
        },
      },
    },
    '/pets/{petId}': {
      get: {
        ...operation('getPet', 'Read one pet', REMOVAL),
        deprecated: true,
        parameters: [
          {
            name: 'petId',
            in: 'path',
            required: true,
            description: 'The id of the pet.',
            example: 7,
            schema: { type: 'integer', format: 'int64' },
          },
        ],
        responses: {
          200: response('The pet.', 'Pet'),
          400: mockOnly(400, 'invalid_id', 'The petId is not an int64.'),
          404: error(404, 'not_found', 'Pet not found.'),
          410: mockOnly(
            410,
            'gone',
            'The operation is removed. Starts at the announced date, by the clock of the mock.',
          ),
          ...sharedErrors(),
        },
      },
    },
  },
  components: {
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    headers: {
      RateLimitLimit: integerHeader('The limit of the window.', 60),
      RateLimitRemaining: integerHeader('Requests remaining.', 59),
      RateLimitReset: integerHeader('When the limit resets, in seconds since the epoch.', 1_900_000_020),
      RetryAfter: integerHeader('Seconds to wait before the next request.', 20),
    },
    schemas: {
      PetStatus: {
        type: 'string',
        description: 'Availability of a pet.',
        enum: ['available', 'pending', 'sold'],
      },
      NewPet: NEW_PET,
      Pet: {
        allOf: [
          reference('schemas/NewPet'),
          { type: 'object', required: ['id'], properties: { id: int64('Unique; assigned on creation.', 7) } },
        ],
      },
      Pets: { type: 'array', items: reference('schemas/Pet') },
      Error: {
        type: 'object',
        required: ['code', 'message', 'status'],
        properties: {
          code: { type: 'string', description: 'Machine-readable error code.' },
          message: { type: 'string', description: 'Human-readable description.' },
          status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
        },
      },
    },
  },
};

type Paths = typeof OPEN_API.paths;

/** The name of an operation (interface specification, "Endpoints"). */
export type OperationId = {
  [Path in keyof Paths]: Paths[Path][keyof Paths[Path]];
}[keyof Paths]['operationId'];

export function openApiJson(): string {
  return JSON.stringify(OPEN_API);
}

/** The methods of each path below `/v1`. `GET` includes HEAD. */
export const METHODS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(OPEN_API.paths).map(([path, operations]) => [
      path,
      Object.keys(operations).map((method) => method.toUpperCase()),
    ]),
  ),
  '/openapi.json': ['GET'],
};

/** A pattern of the paths that an operation serves. */
export function pathPattern(path: string, parameter: string): RegExp {
  return new RegExp(`^${path.replace('.', '\\.').replace(/\{\w+\}/, parameter)}$`);
}

function operation<const Id extends string>(operationId: Id, summary: string, description: string) {
  return { operationId, summary, description, tags: ['pets'] };
}

function queryParameter(name: string, description: string, schema: object): object {
  return { name, in: 'query', description, schema };
}

function reference(component: string): { $ref: string } {
  return { $ref: `#/components/${component}` };
}

/** With an example and a minimum, so that a mock of another program that is made from the document sends no nonsense. */
function integerHeader(description: string, example: number): object {
  return { description, example, schema: { type: 'integer', minimum: 0 } };
}

function int64(description: string, example: number): FieldSchema {
  return { type: 'integer', format: 'int64', description, examples: [example] };
}

function json(schema: string, more: object = {}) {
  return { content: { 'application/json': { schema: reference(`schemas/${schema}`), ...more } } };
}

function response(description: string, schema: string, moreHeaders: object = {}, example: object = {}) {
  const headers = {
    'X-RateLimit-Limit': reference('headers/RateLimitLimit'),
    'X-RateLimit-Remaining': reference('headers/RateLimitRemaining'),
    'X-RateLimit-Reset': reference('headers/RateLimitReset'),
  };
  return { description, headers: { ...headers, ...moreHeaders }, ...json(schema, example) };
}

/** The values of `code` are the mock's own. */
function error(status: number, code: string, description: string, moreHeaders: object = {}) {
  const message = description.replace(/\.$/, '');
  return response(description, 'Error', moreHeaders, { example: { code, message, status } });
}

function mockOnly(status: number, code: string, description: string): { description: string } {
  return error(status, code, `Mock only: ${description}`);
}

function sharedErrors(): Readonly<Record<number, { description: string }>> {
  return {
    401: error(401, 'unauthorized', 'The API key is missing or invalid.'),
    429: error(429, 'rate_limited', 'The rate limit is exceeded. The body is not specified.', {
      'Retry-After': reference('headers/RetryAfter'),
    }),
  };
}
