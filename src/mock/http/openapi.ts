/**
 * The service as OpenAPI 3.1, written from the interface specification. What the specification does not show (values of
 * `code`, constraints on names, the body of a 429) is not described here either. Status codes that only the mock uses
 * start with "Mock only".
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
        operationId: 'listPets',
        summary: 'List pets',
        description: 'Lists the first pets. The service has no further pages.',
        tags: ['pets'],
        parameters: [
          {
            name: 'limit',
            in: 'query',
            description: 'Maximum number of pets to return.',
            schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
          },
          {
            name: 'status',
            in: 'query',
            description: 'Only pets with this status.',
            schema: { $ref: '#/components/schemas/PetStatus' },
          },
        ],
        responses: {
          200: response('The pets.', 'Pets'),
          400: mockOnly('A query value is invalid.'),
          ...sharedErrors(),
        },
      },
      post: {
        operationId: 'createPet',
        summary: 'Add a pet',
        description: 'Adds a pet, and assigns its id.',
        tags: ['pets'],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/NewPet' },
              example: { name: 'Rex', categoryId: 1, status: 'available' },
            },
          },
        },
        responses: {
          201: response('The pet, with its assigned id.', 'Pet'),
          400: response('The body is missing required fields or contains invalid values.', 'Error'),
          413: mockOnly('The body is too large.'),
          415: mockOnly('The body is not application/json, or is compressed.'),
          ...sharedErrors(),
        },
      },
    },
    '/pets/{petId}': {
      get: {
        operationId: 'getPet',
        summary: 'Read one pet',
        tags: ['pets'],
        description: 'To be removed on 5 December 2030. Use listPets with a status filter.',
        deprecated: true,
        parameters: [
          {
            name: 'petId',
            in: 'path',
            required: true,
            description: 'The id of the pet.',
            schema: { type: 'integer', format: 'int64' },
            example: 7,
          },
        ],
        responses: {
          200: response('The pet.', 'Pet'),
          400: mockOnly('The petId is not an int64.'),
          404: response('Pet not found.', 'Error'),
          410: mockOnly('The operation is removed. Starts at the announced date, by the clock of the mock.'),
          ...sharedErrors(),
        },
      },
    },
  },
  components: {
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    headers: {
      RateLimitLimit: { description: 'The limit of the window.', schema: { type: 'integer' } },
      RateLimitRemaining: { description: 'Requests remaining.', schema: { type: 'integer' } },
      RateLimitReset: {
        description: 'When the limit resets, in seconds since the epoch.',
        schema: { type: 'integer' },
      },
      RetryAfter: { description: 'Seconds to wait before the next request.', schema: { type: 'integer' } },
    },
    schemas: {
      PetStatus: {
        type: 'string',
        description: 'Availability of a pet.',
        enum: ['available', 'pending', 'sold'],
      },
      NewPet: {
        type: 'object',
        required: ['name', 'categoryId'],
        properties: {
          name: {
            type: 'string',
            minLength: 1,
            description: 'The name of the pet. The mock rejects an empty one.',
            examples: ['Rex'],
          },
          categoryId: {
            type: 'integer',
            format: 'int64',
            description: 'The category it belongs to.',
            examples: [1],
          },
          status: { $ref: '#/components/schemas/PetStatus' },
        },
      },
      Pet: {
        allOf: [
          { $ref: '#/components/schemas/NewPet' },
          {
            type: 'object',
            required: ['id'],
            properties: {
              id: {
                type: 'integer',
                format: 'int64',
                description: 'Unique; assigned on creation.',
                examples: [7],
              },
            },
          },
        ],
      },
      Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
      Error: {
        type: 'object',
        required: ['code', 'message', 'status'],
        properties: {
          code: { type: 'string', description: 'Machine-readable error code.', examples: ['not_found'] },
          message: { type: 'string', description: 'Human-readable description.' },
          status: { type: 'integer', description: 'The HTTP status.' },
        },
      },
    },
  },
};

export function openApiJson(): string {
  return JSON.stringify(OPEN_API);
}

function response(description: string, schema: string, moreHeaders: object = {}): object {
  return {
    description,
    headers: {
      'X-RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
      'X-RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
      'X-RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
      ...moreHeaders,
    },
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
}

/** A response that the specification does not list. Other implementations may differ. */
function mockOnly(description: string): object {
  return response(`Mock only: ${description}`, 'Error');
}

function sharedErrors(): Readonly<Record<number, object>> {
  return {
    401: response('The API key is missing or invalid.', 'Error'),
    429: response('The rate limit is exceeded. The body is not specified.', 'Error', {
      'Retry-After': { $ref: '#/components/headers/RetryAfter' },
    }),
  };
}
