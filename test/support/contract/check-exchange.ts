import { Ajv2020, type ValidateFunction } from 'ajv8/dist/2020.js';
import type { RequestEvent } from '../../../src/mock/index.js';

type Schema = object;

interface Content {
  content: { 'application/json': { schema: Schema } };
}

interface OperationObject {
  parameters?: readonly { name: string; in: string; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content & { headers?: Record<string, Schema> }>;
}

/** The parts of an OpenAPI 3.1 document that the check uses. */
export interface OpenApi {
  paths: Record<string, Record<string, OperationObject>>;
}

/** Returns how an exchange deviates from the document. */
export type ExchangeCheck = (event: RequestEvent) => readonly string[];

/** The mock's events contain no more of a body. */
const BODY_CHARACTERS_MAX = 16_384;

/**
 * Creates a check of a mock's exchanges against an OpenAPI 3.1 document, with ajv. The status, the body and the headers
 * of a response must be described. A request that the mock accepts must be valid. Operations that are not described are
 * left out.
 */
export function createExchangeCheck(openApi: OpenApi): ExchangeCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  for (const format of ['int64', 'date-time']) ajv.addFormat(format, true);
  ajv.addSchema({ ...openApi, $id: 'openapi' });
  // Each schema is compiled apart from the document, which its references then have to name.
  const { paths } = JSON.parse(JSON.stringify(openApi).replaceAll('"#/', '"openapi#/')) as OpenApi;
  const routes = Object.entries(paths).map(([path, operations]) => ({
    path,
    operations,
    pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  }));
  const validators = new WeakMap<Schema, ValidateFunction>();
  // Simulations and load tests get the same response thousands of times.
  const validBodies = new WeakMap<Schema, string>();
  const problemsOf = (what: string, schema: Schema, value: unknown): string[] => {
    const validate = validators.get(schema) ?? ajv.compile(schema);
    validators.set(schema, validate);
    return validate(value) ? [] : [`${what}: ${ajv.errorsText(validate.errors)}`];
  };

  return ({ entry, response }) => {
    const isHead = entry.method === 'HEAD';
    const { path, operations } = routes.find(({ pattern }) => pattern.test(entry.path)) ?? {};
    const method = isHead ? 'get' : entry.method.toLowerCase();
    if (operations === undefined || response === undefined || !Object.hasOwn(operations, method)) return [];
    // Such as /pets without the /v1 of the base URL, which the journal shows like /v1/pets.
    if (response.body.includes('"code":"no_such_route"')) return [];
    const operation = operations[method] as OperationObject;
    const { status, headers, body } = response;
    const place = `${entry.method} ${path ?? ''}, ${String(status)}`;
    const described = operation.responses[status] ?? operation.responses[`${String(status).charAt(0)}XX`];
    if (described === undefined) return [`${place}: the status is not described`];

    const problems = Object.keys(described.headers ?? {})
      .filter((name) => !/^\d+$/.test(headers[name.toLowerCase()] ?? ''))
      .map((name) => `${place}: the header ${name} is not a whole number`);
    const check = (what: string, schema: Schema, value: unknown): void => {
      problems.push(...problemsOf(`${place}: ${what}`, schema, value));
    };
    const { schema } = described.content['application/json'];
    if (!isHead && body.length < BODY_CHARACTERS_MAX && validBodies.get(schema) !== body) {
      const found = problemsOf(`${place}: the response`, schema, JSON.parse(body));
      problems.push(...found);
      if (found.length === 0) validBodies.set(schema, body);
    }
    if (status >= 300) return problems;
    const query = new URLSearchParams(entry.query);
    for (const { name, schema } of operation.parameters ?? []) {
      const value = query.get(name);
      if (value !== null) check(name, schema, /^\d+$/.test(value) ? Number(value) : value);
    }
    const { length } = entry.body ?? '';
    if (operation.requestBody !== undefined && length > 0 && length < BODY_CHARACTERS_MAX)
      check(
        'the request',
        operation.requestBody.content['application/json'].schema,
        JSON.parse(entry.body ?? ''),
      );
    return problems;
  };
}
