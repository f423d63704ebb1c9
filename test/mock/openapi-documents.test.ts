import { Ajv2020 } from 'ajv8/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { controlOpenApi } from '../../src/mock/control/control-openapi.js';
import { OPERATIONS } from '../../src/mock/control/operations.js';
import { OPEN_API } from '../../src/mock/service/openapi.js';

// The rules of spectral (spectral:oas) and redocly (recommended-strict) that documents like these can break. Both tools
// report nothing for either document; they are too large to install for the tests.

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; description?: string; required?: boolean; schema?: object }[];
  responses: Record<string, { description?: string }>;
}

interface Document {
  info: { contact?: object; license?: object; description?: string; title?: string };
  servers: { url: string }[];
  security?: object[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

const plain = (document: object): Document => JSON.parse(JSON.stringify(document)) as Document;

test('each operation of the control API that responds with JSON has a schema of it', () => {
  for (const { id, response, mediaType } of Object.values(OPERATIONS))
    expect(response !== undefined, id).toBe(mediaType === undefined);
});

test('the headers and the errors of the service have examples, for mocks that are made from the document', () => {
  for (const header of Object.values(plain(OPEN_API).components.headers ?? {}))
    expect(header).toMatchObject({ example: expect.any(Number), schema: { minimum: 0 } });
  for (const { responses } of Object.values(plain(OPEN_API).paths).flatMap((path) => Object.values(path))) {
    const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    expect(errors.length).toBeGreaterThan(1);
    for (const [status, error] of errors) {
      const example = { status: Number(status), code: expect.any(String), message: expect.any(String) };
      expect(error).toMatchObject({ content: { 'application/json': { example } } });
    }
  }
});

describe.each([
  ['the service', plain(OPEN_API)],
  ['the control API', plain(controlOpenApi(OPERATIONS))],
])('openapi.json of %s', (_, document) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  test('has contact, licence, servers, security and described tags', () => {
    expect(document.info).toMatchObject({
      contact: expect.any(Object) as unknown,
      license: { name: 'MIT' },
      description: expect.stringMatching(/\.$/) as unknown,
    });
    expect(document.servers.map(({ url }) => url)).toEqual([expect.stringMatching(/[^/]$/)]);
    expect(document.security).toBeInstanceOf(Array);
    for (const { description } of document.tags) expect(description).toMatch(/\.$/);
  });

  test.each(operations)('$method $path', ({ path, operation }) => {
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(operation.summary).toMatch(/[^.]$/);
    expect(operation.description).toMatch(/\.$/);
    expect(operation.tags?.every((tag) => document.tags.some(({ name }) => name === tag))).toBe(true);
    expect(Object.keys(operation.responses)).toContainEqual(expect.stringMatching(/^2/));
    expect(Object.keys(operation.responses)).toContainEqual(expect.stringMatching(/^4/));
    for (const { description } of Object.values(operation.responses)) expect(description).toBeTruthy();
    const parameters = operation.parameters ?? [];
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{[^}]+\}/g) ?? []);
    for (const { description, required, schema, in: place } of parameters) {
      expect([description, schema]).toEqual([expect.stringMatching(/\.$/), expect.any(Object)]);
      if (place === 'path') expect(required).toBe(true);
    }
  });

  test('has unique operation ids', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('uses every component, and every reference resolves', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    const { securitySchemes: _schemes, ...components } = document.components;
    const defined = Object.entries(components).flatMap(([kind, all]) =>
      Object.keys(all).map((name) => `${kind}/${name}`),
    );
    expect([...new Set(references)].sort()).toEqual(defined.sort());
  });

  test('has only valid schemas and examples', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: 'log', allErrors: true, logger: false });
    for (const format of ['int64', 'date-time']) ajv.addFormat(format, true);
    for (const keyword of ['components', 'example']) ajv.addKeyword(keyword);
    ajv.addSchema({ $id: 'openapi', components: document.components }, 'openapi');
    let schemas = 0;
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { schema, example, type, items, examples } = value as Record<string, unknown>;
      if (type === 'array') expect(items).toBeDefined();
      if (Array.isArray(examples)) for (const each of examples) expectValid(value, each);
      if (typeof schema === 'object' && schema !== null) {
        schemas += 1;
        expectValid(schema, example);
      }
      Object.values(value).forEach(visit);
    };
    const expectValid = (schema: object, example: unknown): void => {
      const own = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object;
      const validate = ajv.compile(own);
      if (example !== undefined) expect([validate(example), validate.errors]).toEqual([true, null]);
    };
    visit(document.paths);
    visit(document.components);
    expect(schemas).toBeGreaterThan(10);
  });
});
