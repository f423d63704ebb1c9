import type { Operation } from './operation.js';

/** Describes the control API as OpenAPI 3.1, from the table of its operations. */
export function controlOpenApi(
  operations: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [path, methods] of Object.entries({ ...operations, '/events': { GET: EVENTS } })) {
    paths[path] = Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method.toLowerCase(),
        describeOperation(path, operation),
      ]),
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the pet store mock',
      version: '1.0.0',
      description:
        'Controls the mock from tests in any language. Open to programs on the same machine only. ' +
        'The bearer key is optional: it selects a key of the mock.',
      contact: { name: 'petstore' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/__mock' }],
    security: [{}, { apiKey: [] }],
    tags: [{ name: 'mock', description: 'Control of the mock.' }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: {
          type: 'object',
          description: 'An error.',
          required: ['code', 'message', 'status'],
          properties: {
            code: { type: 'string', description: 'Machine-readable error code.' },
            message: { type: 'string', description: 'Human-readable description.' },
            status: { type: 'integer', description: 'The HTTP status.' },
          },
        },
      },
    },
  };
}

const EVENTS: Operation = {
  id: 'streamEvents',
  summary: 'Stream requests and changes as server-sent events',
  run: () => undefined,
};

function describeOperation(path: string, { id, summary, query = {}, body, status = 200 }: Operation): object {
  const parameters = [
    ...(path.endsWith('/{id}')
      ? [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: 'Id of the resource.',
            schema: { type: 'string' },
          },
        ]
      : []),
    ...Object.entries(query).map(([name, description]) => ({
      name,
      in: 'query',
      description: `${description}.`,
      schema: { type: 'string' },
    })),
  ];
  const isStream = path === '/events';
  return {
    operationId: id,
    summary,
    description: `${summary}.`,
    tags: ['mock'],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            content: { 'application/json': { schema: { type: 'object' }, example: body } },
          },
        }),
    responses: {
      [status]: {
        description: 'Success.',
        content: isStream
          ? { 'text/event-stream': { schema: { type: 'string' } } }
          : { 'application/json': { schema: { type: 'object' } } },
      },
      '4XX': {
        description: 'The request is invalid, or an expectation does not hold.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}
