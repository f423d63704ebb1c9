import { describe, expect, test } from 'vitest';
import { InvalidResponseError } from '../../../src/errors.js';
import { stringifyJson } from '../../../src/schema/json.js';
import { rateLimitHeaders } from '../../support/rate-limit-headers.js';
import { REX } from '../../support/rex.js';
import { json, startScriptedServer } from '../../support/scripted-server.js';
import { openScripted, openStore, rejection, TRANSPORTS } from '../../support/stores.js';
import { until } from '../../support/virtual-clock.js';

describe('a response', () => {
  test('keeps unknown fields and int64 values', async () => {
    const body =
      '[{"id":9007199254740993,"name":"Rex","categoryId":1,"chip":{"no":9007199254740995},"tags":[]}]';
    const server = await startScriptedServer(json(body));
    const pets = await openStore(server.baseUrl).store.pets.list();
    expect(pets).toEqual([
      { id: 9007199254740993n, name: 'Rex', categoryId: 1n, chip: { no: 9007199254740995n }, tags: [] },
    ]);
    expect(stringifyJson(pets)).toBe(body);
  });

  test('with an unknown status is returned, with one warning for each status', async () => {
    const { store, warnings, lines } = await openScripted([
      json([
        { ...REX, status: 'adopted' },
        { ...REX, status: 'adopted' },
      ]),
    ]);
    expect((await store.pets.list()).map(({ status }) => status)).toEqual(['adopted', 'adopted']);
    await store.pets.list();
    expect(warnings).toEqual([
      { code: 'unknown-status', message: expect.stringContaining('"adopted"') as string },
    ]);
    expect(lines).toContain(warnings[0]?.message);
  });

  test.each([
    ['{}', /the schema \(body: Invalid input: expected array, received object\)/],
    ['null', /the schema/],
    ['[null]', /\(0: Invalid input: expected object, received null\)/],
    ['[{},{}]', /, and 3 more\)/],
    ['[{"id":1,"name":"Rex"}]', /\(0\.categoryId: expected an int64\)/],
    [
      '[{"id":1.5,"name":7,"categoryId":[]}]',
      /\(0\.id: expected an int64; 0\.name: .*expected string, received number; 0\.categoryId: .* int64\)/,
    ],
    [
      '[{"id":9223372036854775808,"name":"Rex","categoryId":1}]',
      /\(0\.id: Too big: .*<=9223372036854775807\)/,
    ],
    ['[{"id":"1","name":"Rex","categoryId":1}]', /\(0\.id: expected an int64\)/],
    [
      '[{"id":1,"name":"Rex","categoryId":1,"status":null}]',
      /\(0\.status: .*expected string, received null\)/,
    ],
    ['[{"id":1}', /not JSON/],
    ['', /empty/],
  ])('with %s is rejected, and the message names the problem', async (body, said) => {
    const server = await startScriptedServer(json(body));
    const error = (await rejection(openStore(server.baseUrl).store.pets.list())) as InvalidResponseError;
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toMatch(said);
    expect(error).toMatchObject({ response: { status: 200 }, contentType: 'application/json' });
  });

  test('that is larger than allowed is rejected', async () => {
    const server = await startScriptedServer(json([REX]));
    const error = await rejection(openStore(server.baseUrl, { bodyMaxBytes: 9 }).store.pets.list());
    const message = 'Invalid response: the body is larger than allowed';
    expect(error).toMatchObject({ type: 'invalid-response', message, retryable: false });
  });

  test('of a pet is rejected, and the message names the problem', async () => {
    const server = await startScriptedServer(json({ ...REX, status: 1 }));
    const error = await rejection(openStore(server.baseUrl).store.pets.get(1));
    expect(error).toMatchObject({
      message: expect.stringMatching(/\(status: Invalid input: expected string, received number\)/),
    });
  });

  test('is returned by withResponse() with status, headers, request id and rate limit', async () => {
    const { store } = await openScripted([
      json([REX], 200, {
        'X-Request-Id': 'r1',
        ...rateLimitHeaders({ remaining: 59, resetInSeconds: 30 }),
      }),
    ]);
    expect(store.rateLimit).toBeUndefined();
    const { data, response } = await store.pets.list().withResponse();
    expect(data[0]?.id).toBe(1n);
    expect(response).toMatchObject({
      status: 200,
      requestId: 'r1',
      headers: { 'content-type': 'application/json' },
      rateLimit: {
        limit: 60,
        remaining: 59,
        resetAt: new Date(1_772_366_430_000),
        window: 'minute',
        plan: 'free',
      },
    });
    expect(store.rateLimit).toEqual(response.rateLimit);
  });
});

describe.each(TRANSPORTS)('with the transport %s', (name, makeTransport) => {
  test('sends and returns ids beyond 2^53 exactly', async () => {
    const body = '{"id":9007199254740993,"name":"Rex","categoryId":-9223372036854775807}';
    const { server, store } = await openScripted([json(body, 201)], { transport: makeTransport() });
    const pet = await store.pets.create({ name: 'Rex', categoryId: '-9223372036854775807' });
    expect(pet.id).toBe(9007199254740993n);
    expect(pet.categoryId).toBe(1n - 2n ** 63n);
    expect(server.requests[0]?.body).toBe('{"name":"Rex","categoryId":-9223372036854775807}');
  });

  test('a created pet of another category is an unknown outcome, and the connection is not used again', async () => {
    // The name and the status are those that the service stored.
    const pet = (categoryId: number) => json({ id: 1, name: 'REX', categoryId, status: 'pending' }, 201);
    const { server, store } = await openScripted([pet(7), pet(8), pet(7)], { transport: makeTransport() });
    const create = () => store.pets.create({ name: 'Rex ', categoryId: 7 });
    expect(await create()).toMatchObject({ name: 'REX' });
    await expect(create()).rejects.toMatchObject({
      type: 'unknown-outcome',
      message:
        'Invalid response: the pet has category 8 instead of 7; the pet may or may not have been created',
    });
    await create();
    // With fetch the client can't close a connection.
    const [, second, third] = server.requests;
    if (name !== 'fetch') expect(third?.connection).not.toBe(second?.connection);
  });

  test('an invalid response to a read closes its connection only', async () => {
    let respond = (): void => undefined;
    const server = await startScriptedServer(
      (socket, request) => {
        respond = () => void json([])(socket, request);
      },
      json({ id: 1 }),
      json([]),
    );
    const { store } = openStore(server.baseUrl, { transport: makeTransport(), pace: 'off' });
    const slow = store.pets.list();
    await until(() => server.requests.length === 1);
    await expect(store.pets.list()).rejects.toMatchObject({ type: 'invalid-response' });
    respond();
    expect(await slow).toEqual([]);
  });
});
