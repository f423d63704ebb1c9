import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { parseJson } from '../../../src/schema/json.js';
import { sendRequest, frozenClock } from '../send-request.js';
import { anyCharacter } from '../../support/any-character.js';

// Written from the interface specification, not from the schema.
const REX = '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}';
const KOI = '{"id":9007199254740993,"name":"小春","categoryId":-9223372036854775808}';

function smallMock() {
  return createMock({
    clock: frozenClock,
    plan: 'unlimited',
    pets: [
      { id: 7, name: 'Rex', categoryId: 1, status: 'sold' },
      { id: '9007199254740993', name: '小春', categoryId: '-9223372036854775808' },
    ],
  });
}

describe('GET /pets', () => {
  test('returns the pets with all digits of their ids', () => {
    const response = sendRequest(smallMock(), 'GET', '/pets');
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.body).toBe(`[${REX},${KOI}]`);
  });

  test('filters by status', () => {
    expect(sendRequest(smallMock(), 'GET', '/pets?status=sold').body).toBe(`[${REX}]`);
    expect(sendRequest(smallMock(), 'GET', '/pets?status=pending').body).toBe('[]');
  });

  test.each([
    ['', 20],
    ['?limit=1', 1],
    ['?limit=100', 100],
    ['?li%6Dit=2', 2],
    ['?unknown=x', 20],
    ['?&limit=3&', 3],
  ])('with %j returns %i of 150', (query, count) => {
    const mock = createMock({ pets: 150, plan: 'unlimited' });
    expect(sendRequest(mock, 'GET', `/pets${query}`).json).toHaveLength(count);
  });

  test.each([
    ...'limit=0 limit=101 limit=-1 limit=1.5 limit=1e1 limit=020 limit=+5 limit=%205 limit='.split(' '),
    ...'limit limit=ten limit=5&limit=5 status= status=Available status=lost status=sold&status=sold limit=%zz other=%'.split(
      ' ',
    ),
  ])('rejects %j', (query) => {
    const response = sendRequest(smallMock(), 'GET', `/pets?${query}`);
    expect(response.status).toBe(400);
    expect(response.json).toEqual({ code: expect.any(String), message: expect.any(String), status: 400 });
  });
});

describe('POST /pets', () => {
  test('creates a pet that later requests return', () => {
    const mock = smallMock();
    const created = sendRequest(mock, 'POST', '/pets', {
      body: '{"name":"Möhre","categoryId":9007199254740993,"status":"pending"}',
    });
    expect(created.status).toBe(201);
    expect(created.body).toBe('{"id":8,"name":"Möhre","categoryId":9007199254740993,"status":"pending"}');
    expect(sendRequest(mock, 'GET', '/pets/8').body).toBe(created.body);
    expect(sendRequest(mock, 'GET', '/pets?status=pending').body).toBe(`[${created.body}]`);
  });

  test('keeps a pet without a status: the specification shows no default', () => {
    const created = sendRequest(smallMock(), 'POST', '/pets', { body: { name: 'Rex', categoryId: 1 } });
    expect(created.body).toBe('{"id":8,"name":"Rex","categoryId":1}');
  });

  test('ignores fields that NewPet does not have, such as id', () => {
    const created = sendRequest(smallMock(), 'POST', '/pets', {
      body: { id: 7, name: 'Rex', categoryId: 1, colour: 'red' },
    });
    expect(created.body).toBe('{"id":8,"name":"Rex","categoryId":1}');
  });

  test.each([
    ['', 'body is missing'],
    ['{', 'not JSON'],
    ['[]', 'must be an object'],
    ['null', 'must be an object'],
    ['"x"', 'must be an object'],
    ['{}', 'name is missing; categoryId is missing'],
    ['{"name":"","categoryId":1}', 'name is missing'],
    ['{"name":5,"categoryId":1}', 'name must be a string'],
    ['{"name":null,"categoryId":1}', 'name must be a string'],
    ['{"name":"x"}', 'categoryId is missing'],
    ['{"name":"x","categoryId":"1"}', 'categoryId must be an int64'],
    ['{"name":"x","categoryId":1.5}', 'categoryId must be an int64'],
    ['{"name":"x","categoryId":null}', 'categoryId must be an int64'],
    ['{"name":"x","categoryId":9223372036854775808}', 'categoryId must be an int64'],
    ['{"name":"x","categoryId":1,"status":"lost"}', 'status must be one of'],
    ['{"name":"x","categoryId":1,"status":null}', 'status must be one of'],
  ])('rejects %s', (body, message) => {
    const mock = smallMock();
    const response = sendRequest(mock, 'POST', '/pets', { body });
    expect(response.status).toBe(400);
    expect(response.json).toEqual({
      code: expect.any(String),
      message: expect.stringContaining(message),
      status: 400,
    });
    expect(sendRequest(mock, 'GET', '/pets').json).toHaveLength(2);
  });

  test.each(['text/plain', 'application/json-patch+json', ''])('rejects the content type %j', (type) => {
    const body = '{"name":"x","categoryId":1}';
    const response = sendRequest(smallMock(), 'POST', '/pets', { body, headers: { 'content-type': type } });
    expect([response.status, response.headers.accept]).toEqual([415, 'application/json']);
  });

  test('accepts a charset and any case in the content type', () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect(
      sendRequest(smallMock(), 'POST', '/pets', { body: { name: 'x', categoryId: 1 }, headers }).status,
    ).toBe(201);
  });

  test('rejects a body above 1 MiB, counted in bytes', () => {
    const fitting = JSON.stringify({ name: '', categoryId: 1 });
    const name = 'ö'.repeat((1_048_576 - fitting.length) / 2);
    const mock = smallMock();
    expect(sendRequest(mock, 'POST', '/pets', { body: { name: name + 'ö', categoryId: 1 } }).status).toBe(
      413,
    );
    expect(sendRequest(mock, 'POST', '/pets', { body: { name, categoryId: 1 } }).status).toBe(201);
  });

  test('returns every int64 and every name unchanged', () => {
    const mock = smallMock();
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: anyCharacter }), int64, (name, categoryId) => {
        const body = `{"name":${JSON.stringify(name)},"categoryId":${String(categoryId)}}`;
        const created = sendRequest(mock, 'POST', '/pets', { body });
        const id = /"id":(\d+)/.exec(created.body)?.[1] ?? '';
        expect(created.body).toBe(`{"id":${id},${body.slice(1)}`);
        expect(sendRequest(mock, 'GET', `/pets/${id}`).body).toBe(created.body);
      }),
    );
  });
});

describe('GET /pets/{petId}', () => {
  test('returns the pet with the deprecation headers', () => {
    const response = sendRequest(smallMock(), 'GET', '/pets/9007199254740993');
    expect([response.status, response.body]).toEqual([200, KOI]);
    expect(response.headers).toMatchObject({
      deprecation: expect.stringMatching(/^@\d+$/),
      sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      link: '</v1/pets>; rel="successor-version"',
    });
  });

  test.each([
    ['8', 404],
    ['9007199254740992', 404],
    ['-9223372036854775808', 404],
    ['9223372036854775808', 400],
    ['abc', 400],
    ['1.0', 400],
    ['07', 400],
    ['%37', 200],
    ['7%2F', 400],
  ])('%s gets %i', (id, status) => {
    expect(sendRequest(smallMock(), 'GET', `/pets/${id}`).status).toBe(status);
  });

  test('gets 410 from the removal date, by the mock’s clock', () => {
    const mock = smallMock();
    mock.advance(Date.UTC(2030, 11, 5) - mock.state().now.getTime() - 1);
    expect(sendRequest(mock, 'GET', '/pets/7').status).toBe(200);
    mock.advance(1);
    expect(sendRequest(mock, 'GET', '/pets/7').status).toBe(410);
    expect(sendRequest(mock, 'GET', '/pets').status).toBe(200);
  });
});

test('keeps unknown fields and states of pets', () => {
  const pets = [{ id: 1, name: 'Rex', categoryId: 2, status: 'lost', tags: ['a'], weight: 2n ** 60n }];
  const { body } = sendRequest(createMock({ pets }), 'GET', '/pets');
  expect(body).toBe(
    '[{"id":1,"name":"Rex","categoryId":2,"status":"lost","tags":["a"],"weight":1152921504606846976}]',
  );
  expect(parseJson(body)).toHaveLength(1);
});
