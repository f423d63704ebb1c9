import { COMPONENTS, parameterSchema } from './schemas.js';
import { TENANT_PARAMETER, type Operation, type Operations } from './operation.js';

/** Describes the control API as OpenAPI 3.1, from the table of its operations. */
export function controlOpenApi(operations: Operations): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = name.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = describeOperation(path, operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the pet store mock',
      version: '1.0.0',
      description:
        'Controls the mock from tests in any language. Open to programs on the same machine only. ' +
        'The bearer key is optional: it selects a key of the mock, as the parameter tenant does with its number.',
      contact: { name: 'petstore' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/__mock' }],
    security: [{}, { apiKey: [] }],
    tags: [{ name: 'mock', description: 'Control of the mock.' }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: COMPONENTS,
    },
  };
}

const ID_PARAMETER = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the resource.',
  schema: { type: 'string' },
};

function describeOperation(path: string, operation: Operation): object {
  const { id, summary, query = {}, request, status = 200, mediaType = 'application/json' } = operation;
  const { response = { type: 'string' }, errors = {} } = operation;
  const parameters = [
    ...(path.endsWith('/{id}') ? [ID_PARAMETER] : []),
    ...Object.entries({ ...query, ...TENANT_PARAMETER }).map(([name, description]) => ({
      name,
      in: 'query',
      description: `${description}.`,
      schema: parameterSchema(path, name),
    })),
  ];
  return {
    operationId: id,
    summary,
    description: `${summary}.`,
    tags: ['mock'],
    parameters,
    ...(request === undefined ? {} : { requestBody: jsonContent(request) }),
    responses: {
      [status]: {
        description: 'Success.',
        content: { [mediaType]: { schema: response } },
      },
      ...Object.fromEntries(
        Object.entries(errors).map(([code, schema]) => [
          code,
          { description: summary, ...jsonContent({ schema }) },
        ]),
      ),
      '4XX': {
        description: 'The request is invalid, or an expectation does not hold.',
        ...jsonContent({ schema: { $ref: '#/components/schemas/Error' } }),
      },
    },
  };
}

function jsonContent(content: object): object {
  return { content: { 'application/json': content } };
}
