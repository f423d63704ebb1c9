/**
 * The service as OpenAPI 3.1, written from the interface specification. What that leaves open (values of `code`, rules on
 * names, the body of a 429) is left open here. Every status of the mock is listed; those that the specification does not
 * have are marked as rules of the mock.
 */
export const OPEN_API = {
  openapi: '3.1.0',
  info: { title: 'Pet store', version: '1.0.0', description: 'The animals of a pet store.' },
  servers: [{ url: '/v1' }],
  security: [{ apiKey: [] }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'List animals',
        parameters: [
          {
            name: 'limit',
            in: 'query',
            description: 'Most animals to return.',
            schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
          },
          {
            name: 'status',
            in: 'query',
            description: 'Only animals in this state.',
            schema: { $ref: '#/components/schemas/PetStatus' },
          },
        ],
        responses: {
          200: response('The animals.', 'Pets'),
          400: mockOnly('A query value is invalid.'),
          ...sharedErrors(),
        },
      },
      post: {
        operationId: 'createPet',
        summary: 'Add an animal',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } },
        },
        responses: {
          201: response('The animal, with the id that it was given.', 'Pet'),
          400: response('The body misses required fields or holds invalid values.', 'Error'),
          413: mockOnly('The body is too large.'),
          415: mockOnly('The body is not application/json.'),
          ...sharedErrors(),
        },
      },
    },
    '/pets/{petId}': {
      get: {
        operationId: 'getPet',
        summary: 'Read one animal',
        description: 'To be removed on 5 December 2030. Use listPets with a status filter.',
        deprecated: true,
        parameters: [
          { name: 'petId', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
        ],
        responses: {
          200: response('The animal.', 'Pet'),
          400: mockOnly('The petId is not an int64.'),
          404: response('No such animal.', 'Error'),
          410: mockOnly(
            'The operation has been removed: from the announced day on, by the clock of the mock.',
          ),
          ...sharedErrors(),
        },
      },
    },
  },
  components: {
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    headers: {
      RateLimitLimit: { description: 'The limit in force.', schema: { type: 'integer' } },
      RateLimitRemaining: { description: 'Requests remaining.', schema: { type: 'integer' } },
      RateLimitReset: {
        description: 'When the limit resets, in seconds since the epoch.',
        schema: { type: 'integer' },
      },
      RetryAfter: { description: 'Seconds to wait before the next request.', schema: { type: 'integer' } },
    },
    schemas: {
      PetStatus: { type: 'string', enum: ['available', 'pending', 'sold'] },
      NewPet: {
        type: 'object',
        required: ['name', 'categoryId'],
        properties: {
          name: { type: 'string', description: 'The name of the animal.' },
          categoryId: { type: 'integer', format: 'int64', description: 'The category it belongs to.' },
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
              id: { type: 'integer', format: 'int64', description: 'Unique; assigned on creation.' },
            },
          },
        ],
      },
      Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
      Error: {
        type: 'object',
        required: ['code', 'message', 'status'],
        properties: {
          code: { type: 'string', description: 'For machines.' },
          message: { type: 'string', description: 'For people.' },
          status: { type: 'integer', description: 'The HTTP status.' },
        },
      },
    },
  },
};

/** The description as JSON. */
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

/** An answer that the mock gives and the specification does not list: another implementation may do otherwise. */
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
