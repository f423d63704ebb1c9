import { inspect } from 'node:util';
import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { isPetStatus, parseJson, petsSchema, stringifyJson } from '../../src/index.js';
import { type ApiError, InvalidResponseError, UnknownOutcomeError } from '../../src/errors.js';
import { NEW_PET, REX } from '../support/rex.js';
import { bytes, json, startScriptedServer } from '../support/scripted-server.js';
import { KEY, openScripted, openStore, rejection } from '../support/stores.js';

describe('arguments of JavaScript callers', () => {
  test.each<[string, string, (store: ReturnType<typeof openStore>['store']) => unknown]>([
    ['method', 'request()', (s) => s.request(...([] as unknown as ['', '']))],
    ['path', "request('GET')", (s) => s.request('GET', undefined as never)],
    ['path', 'a path that is a number', (s) => s.request('GET', 5 as never, { query: { a: 1 } })],
    ['querry', 'an unknown input', (s) => s.request('GET', '/pets', { querry: {} } as never)],
    ['input', 'an input that is no object', (s) => s.request('GET', '/pets', 'a=1' as never)],
    ['query', 'a query that is no object', (s) => s.request('GET', '/pets', { query: 'a=1' } as never)],
    ['query.a', 'an object in the query', (s) => s.request('GET', '/pets', { query: { a: {} } } as never)],
    ['query.a', 'null in the query', (s) => s.request('GET', '/pets', { query: { a: null } } as never)],
    ['query.a', 'NaN in the query', (s) => s.request('GET', '/pets', { query: { a: NaN } })],
    ['body', 'a function as body', (s) => s.request('POST', '/pets', { body: () => undefined })],
    ['schema', 'a schema that is none', (s) => s.request('GET', '/pets', {}, { schema: {} as never })],
    ['signal', 'a signal that is a number', (s) => s.pets.list({}, { signal: 5 as never })],
    ['timeout', 'an unknown option', (s) => s.pets.list({}, { timeout: 5 } as never)],
    ['schema', 'a schema for list', (s) => s.pets.list({}, { schema: petsSchema } as never)],
    ['state', 'an unknown filter', (s) => s.pets.list({ state: 'sold' } as never)],
    ['query', 'a query that is a text', (s) => s.pets.list('sold' as never)],
    ['limit', 'a limit for listAll', (s) => s.pets.listAll({ limit: 5 } as never)],
    ['status', 'an unknown status for listAll', (s) => s.pets.listAll({ status: 'lost' } as never)],
    ['options', 'options that are a number', (s) => s.pets.create(NEW_PET, 5 as never)],
    ['nmae', 'an unknown field', (s) => s.pets.create({ ...NEW_PET, nmae: 'x' } as never)],
    ['pet', 'a pet that is a text', (s) => s.pets.create('Rex' as never)],
    ['id', 'no id', (s) => s.pets.get(undefined as never)],
    ['id', 'no id for find', (s) => s.pets.find(undefined as never)],
  ])('rejects with field %s: %s', async (field, _, start) => {
    const error = await rejection(start(openStore('https://api.test/v1').store) as Promise<unknown>);
    expect(error).toMatchObject({ type: 'invalid-input', field, outcome: 'not-sent' });
  });

  test('rejects a circular body', async () => {
    const body: Record<string, unknown> = {};
    body.self = body;
    const { store: own } = openStore('https://api.test/v1');
    expect(await rejection(own.request('POST', '/pets', { body }))).toMatchObject({
      type: 'invalid-input',
      field: 'body',
    });
  });

  test('suggests the nearest field', async () => {
    const { store: own } = openStore('https://api.test/v1');
    expect(await rejection(own.pets.list({ state: 'sold' } as never))).toMatchObject({
      message: 'Unknown field "state"',
      hint: 'Did you mean "status"?',
    });
  });
});

describe('a call', () => {
  test('works with destructured methods', async () => {
    const server = await startScriptedServer(json([REX]));
    const { list, find } = openStore(server.baseUrl).store.pets;
    const { request } = openStore(server.baseUrl).store;
    expect(await list()).toHaveLength(1);
    expect(await find(REX.id)).toMatchObject({ name: REX.name });
    expect(await request('GET', '/pets')).toHaveLength(1);
  });

  test('is shown as pending, fulfilled or rejected', async () => {
    const { store } = await openScripted([json([REX]), json({}, 401)]);
    const call = store.pets.list();
    expect(inspect(call)).toContain('<pending>');
    await call;
    expect(inspect(call)).toContain("name: 'Rex'");
    const rejected = store.pets.list();
    await rejection(rejected);
    expect(inspect(rejected)).toMatch(/<rejected> AuthenticationError/);
  });

  const failingCalls: [string, (store: ReturnType<typeof openStore>['store']) => Promise<unknown>][] = [
    ['list', (store) => store.pets.list()],
    ['an invalid list', (store) => store.pets.list({ limit: 0 })],
    ['listAll', (store) => store.pets.listAll()],
    ['create', (store) => store.pets.create(NEW_PET)],
    ['get', (store) => store.pets.get(1)],
    ['find', (store) => store.pets.find(1)],
    ['request', (store) => store.request('GET', '/pets')],
    ['withResponse', (store) => store.pets.list().withResponse()],
  ];
  test.each(failingCalls)('that fails names its caller first in the stack: %s', async (_, start) => {
    const { store } = await openScripted([json({}, 401)]);
    const error = (await rejection(start(store))) as Error;
    const [head, frame] = (error.stack ?? '').split('\n    at ');
    expect(head).toBe(`${error.name}: ${error.message}`);
    expect(frame).toContain('features.test.ts');
  });
});

describe('a schema', () => {
  const shape = { names: ['Rex'] };
  const zod = z.object({ names: z.array(z.string()) });

  test.each<[string, unknown]>([
    ['zod', zod],
    ['parse', { parse: (value: unknown) => zod.parse(value) }],
    [
      'Standard Schema, asynchronous',
      {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate: (value: unknown) => Promise.resolve(zod['~standard'].validate(value)),
        },
      },
    ],
  ])('validates the body (%s)', async (_, schema) => {
    const { store } = await openScripted([json(shape), json({ names: [5] })]);
    expect(await store.request('GET', '/names', {}, { schema: schema as typeof zod })).toEqual(shape);
    const error = await rejection(store.request('GET', '/names', {}, { schema: schema as typeof zod }));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({
      response: { status: 200 },
      message: expect.stringMatching(/does not match the schema \(names\.0: .*string/) as string,
    });
  });

  test('types the result', () => {
    const { store } = openStore('https://api.test/v1');
    const call = (): unknown => {
      const typed = store.request('GET', '/names', {}, { schema: zod });
      expectTypeOf<Awaited<typeof typed>>().toEqualTypeOf<{ names: string[] }>();
      const untyped = store.request('GET', '/names');
      expectTypeOf<Awaited<typeof untyped>>().toEqualTypeOf<unknown>();
      return [typed, untyped];
    };
    expect(call).toBeTypeOf('function');
  });

  test('that rejects the response to a write leaves the outcome unknown', async () => {
    const { store } = await openScripted([json({}, 201)]);
    const error = await rejection(store.request('POST', '/names', { body: {} }, { schema: zod }));
    expect(error).toBeInstanceOf(UnknownOutcomeError);
  });

  test('that throws rejects with a typed error', async () => {
    const server = await startScriptedServer(json({}));
    const schema = {
      parse: (): never => {
        throw new Error('no schema');
      },
    };
    const error = await rejection(openStore(server.baseUrl).store.request('GET', '/x', {}, { schema }));
    expect(error).toMatchObject({
      type: 'invalid-response',
      message: expect.stringContaining('no schema') as string,
    });
  });
});

describe('the body of an ApiError', () => {
  test.each<[string, string, unknown]>([
    ['JSON', '{"code":"c","details":[1,9007199254740993]}', { code: 'c', details: [1, 9007199254740993n] }],
    ['text', '<h1>no</h1>', '<h1>no</h1>'],
    ['empty', '', undefined],
    ['a key in it', `{"${KEY}":["${KEY}"]}`, { '[redacted]': ['[redacted]'] }],
    ['a key in text', `no ${KEY}`, 'no [redacted]'],
  ])('is parsed and redacted (%s)', async (name, body, expected) => {
    const server = await startScriptedServer(bytes(body, 404));
    const error = await rejection(openStore(server.baseUrl).store.pets.list());
    expect((error as ApiError).response?.body).toEqual(expected);
    expect(Object.keys(error as ApiError)).not.toContain('response');
    const { response } = error as ApiError;
    const written: unknown = JSON.parse(JSON.stringify(response));
    expect(written).toMatchObject({ status: 404, headers: {} });
    const { body: writtenBody } = written as { body?: unknown };
    expect(writtenBody).toEqual(name === 'JSON' ? { code: 'c', details: [1, '9007199254740993'] } : expected);
    expect(parseJson(stringifyJson(response))).toEqual({ ...response });
  });

  test('is in a RateLimitError, and in the cause of an unknown outcome', async () => {
    const server = await startScriptedServer(
      json({ a: 1 }, 429, { 'retry-after': '900' }),
      json({ b: 1 }, 500),
    );
    const limited = openStore(server.baseUrl).store;
    expect(await rejection(limited.pets.list())).toHaveProperty('response.body', { a: 1 });
    const error = (await rejection(openStore(server.baseUrl).store.pets.create(NEW_PET))) as Error;
    for (const each of [error, error.cause]) expect(each).toHaveProperty('response.body', { b: 1 });
  });
});

test('isPetStatus narrows a status', () => {
  expect([isPetStatus('sold'), isPetStatus('lost'), isPetStatus(undefined)]).toEqual([true, false, false]);
});
