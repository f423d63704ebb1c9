import { describe, expect, test } from 'vitest';
import { FAULT_NAMES, FAULT_PROFILES, type Fault, createMock, parseFault } from '../../../src/mock/index.js';
import { checkFault } from '../../../src/mock/service/fault.js';
import { frozenClock, NOON, requestOf, sendRequest } from '../send-request.js';

test.each([
  null,
  5,
  {},
  { action: { status: undefined } },
  { action: { status: 503, retryAfter: 'date+soon' } },
  { action: { status: 503, retryAfter: ['a\nb'] } },
  { action: { status: 503, headers: { 'content-length': '5' } } },
  { action: { status: 503, headers: { 'a b': '5' } } },
  { action: { status: 503, headers: { a: 'b\r\nc: d' } } },
  { action: { status: 503, headers: { a: 5 } } },
  { action: { status: 503, headers: 'a: b' } },
  { action: { bytesPerSecond: 0 } },
  { action: { cutAfterBytes: -1 } },
  { action: 'reset', query: 5 },
  { action: 'reset', body: {} },
  { action: { latencyMs: 'soon' } },
  { action: { latencyMs: 1e300 } },
  { action: { rateLimitSeconds: 1e300 } },
  { action: 'reset', skip: -1 },
  { action: 'reset', probability: Number.NaN },
  { action: 'reset', route: 5 },
  { action: 'reset', route: 'GET pets' },
])('rejects %o', (fault) => {
  expect(() => checkFault(fault as Fault)).toThrow(TypeError);
});

test.each([
  ['flaky', [{ probability: 0.3, action: { status: 503 } }]],
  ['flaky:probability=0.5,status=500', [{ probability: 0.5, action: { status: 500 } }]],
  ['slow', [{ action: { latencyMs: 1_000 } }]],
  ['slow:ms=250,route=GET /pets', [{ route: 'GET /pets', action: { latencyMs: 250 } }]],
  ['rate-limit:seconds=3,skip=2', [{ times: 1, skip: 2, action: { rateLimitSeconds: 3 } }]],
  ['lost-write', [{ route: 'POST /pets', times: 1, action: 'lost-write' }]],
  ['outage:times=4', [{ times: 4, action: { status: 503 } }]],
  ['status:status=418', [{ action: { status: 418 } }]],
  ['status:status=429,retryAfter=date+30s', [{ action: { status: 429, retryAfter: 'date+30s' } }]],
  ['status:status=429,retryAfter=5;10', [{ action: { status: 429, retryAfter: ['5', '10'] } }]],
  ['throttle:query=limit=5&status=sold', [{ query: 'limit=5&status=sold', action: { bytesPerSecond: 100 } }]],
  ['cut:bytes=0,body=Rex', [{ body: 'Rex', action: { cutAfterBytes: 0 } }]],
  ['{"skip":1,"action":{"status":503,"body":{}}}', [{ skip: 1, action: { status: 503, body: {} } }]],
  [
    'garbage',
    [
      { times: 1, action: 'bad-json' },
      { times: 1, action: 'html-502' },
      { times: 1, action: 'truncate' },
    ],
  ],
])('parses %s', (spec, expected) => {
  expect(parseFault(spec)).toEqual(expected);
});

test.each([
  ['flakey', 'Unknown fault: flakey (did you mean "flaky"?)'],
  ['reset:rout=POST', 'Unknown parameter "rout" of fault reset (did you mean "route"?)'],
  ['reset:route=GET /pet', 'did you mean "GET /pets"?'],
  ['', 'known:'],
  ['constructor', 'known:'],
  ['slow:speed=5', 'Unknown parameter "speed" of fault slow (known: ms, '],
  ['slow:ms', 'ms=1'],
  ['slow:ms=fast', 'not a number'],
  ['slow:ms=0', 'Invalid fault'],
  ['flaky:probability=2', 'probability must be a number from 0 to 1'],
  ['status:status=42', 'Invalid fault'],
  ['reset:route=pets', 'Invalid route'],
  ['outage:times=1.5', 'Invalid fault: times must be a whole number of 0 or more'],
  ['{"action":', 'not JSON'],
  ['{"acton":"reset"}', 'Did you mean "action"?'],
])('rejects the invalid fault %j, and lists the valid values', (spec, message) => {
  expect(() => parseFault(spec)).toThrow(message);
});

test.each([
  [{ rout: '/pets', action: 'reset' }, 'Unknown property "rout". Did you mean "route"?'],
  [
    { action: { stats: 503 } },
    'action must be one of reset, lost-write, html-502, bad-json, truncate, {status}, {la',
  ],
  [
    { action: { status: 503, latencyMs: 5 } },
    'Unknown property "action.latencyMs". Known: status, retryAfter, ',
  ],
  [{ action: { status: 503, headres: {} } }, 'Unknown property "action.headres". Did you mean "headers"?'],
  [{ route: 'GET /pet', action: 'reset' }, 'did you mean "GET /pets"?'],
  [{ route: '/v1/pets', action: 'reset' }, 'did you mean "/pets"?'],
  [{ route: 'GET /v1/pets', action: 'reset' }, 'did you mean "GET /pets"?'],
  [{ route: 'get /pets', action: 'reset' }, 'did you mean "GET /pets"?'],
  [{ route: 'HEAD /pets', action: 'reset' }, 'did you mean "GET /pets"?'],
  [{ route: '/pets/{id}', action: 'reset' }, 'did you mean "/pets/{petId}"?'],
  [{ route: '/pets/:petId', action: 'reset' }, 'did you mean "/pets/{petId}"?'],
  [{ route: 'POTS', action: 'reset' }, 'did you mean "POST"?'],
  [{ route: 'POST /pets/7', action: 'reset' }, 'matches no request to the service'],
  [{ route: 'DELETE /pets', action: 'reset' }, 'matches no request to the service'],
])('rejects %j, and suggests the nearest name', (fault, message) => {
  expect(() => createMock({ faults: [fault as Fault] })).toThrow(message);
});

test('every profile has parameters and a valid example that differs from its defaults', () => {
  expect(FAULT_PROFILES.map(({ name }) => name)).toEqual(FAULT_NAMES);
  for (const { name, example, parameters } of FAULT_PROFILES) {
    expect(parseFault(example), example).not.toEqual(parseFault(name));
    for (const parameter of parameters) {
      const spec = `${name}:${parameter.name}=${String(parameter.default ?? { route: 'POST', times: 2, body: 'x' }[parameter.name] ?? 1)}`;
      expect(parseFault(spec).length, spec).toBeGreaterThan(0);
      if (parameter.default !== undefined) expect(parseFault(spec), spec).toEqual(parseFault(name));
    }
  }
});

const REX = { name: 'Rex', categoryId: 1 };

function mockWith(...faults: (Fault | string)[]) {
  return createMock({ clock: frozenClock, faults });
}

function statuses(mock: ReturnType<typeof createMock>, count: number, method = 'GET', path = '/pets') {
  return Array.from(
    { length: count },
    () => sendRequest(mock, method, path, method === 'POST' ? { body: REX } : {}).status,
  );
}

describe('matching requests', () => {
  test('skip and times', () => {
    expect(statuses(mockWith({ skip: 1, times: 2, action: { status: 503 } }), 5)).toEqual([
      200, 503, 503, 200, 200,
    ]);
  });

  test('counts only requests of the route', () => {
    const mock = mockWith({ route: 'POST /pets', times: 1, action: { status: 500 } });
    expect(statuses(mock, 2)).toEqual([200, 200]);
    expect(statuses(mock, 2, 'POST')).toEqual([500, 201]);
  });

  test.each([
    ['GET', 'GET', '/pets', true],
    ['GET', 'HEAD', '/pets', true],
    ['GET', 'POST', '/pets', false],
    ['/pets', 'POST', '/pets', true],
    ['/pets', 'GET', '/pets/1', false],
    ['/pets/{petId}', 'GET', '/pets/1', true],
    ['/pets/1', 'GET', '/pets/1', true],
    ['/pets/1', 'GET', '/pets/2', false],
    ['GET /pets', 'GET', '/pets?limit=5', true],
  ])('%j matches %s %s: %s', (route, method, path, expected) => {
    const mock = mockWith({ route, action: { status: 418 } });
    const body = method === 'POST' ? { body: REX } : {};
    expect(sendRequest({ ...mock }, method, path, body).status === 418).toBe(expected);
  });

  test.each([
    ['limit=5', '', '/pets?status=sold&limit=5', true],
    ['limit=5&status=sold', '', '/pets?status=sold&limit=5', true],
    ['limit=5', '', '/pets?limit=50', false],
    ['limit', '', '/pets?limit=50', true],
    ['limit', '', '/pets', false],
    ['name=M%C3%B6hre', '', '/pets?name=Möhre', true],
    ['', 'Rex', '/pets', true],
    ['', 'Otto', '/pets', false],
  ])('the query %j and the body %j match %s: %s', (query, body, path, expected) => {
    const fault = { ...(query && { query }), ...(body && { body }), action: { status: 418 } };
    const parts = body === '' ? {} : { body: REX };
    const { status } = sendRequest(mockWith(fault), body === '' ? 'GET' : 'POST', path, parts);
    expect(status === 418).toBe(expected);
  });

  test('probability depends on the seed', () => {
    const draw = (seed: number) =>
      statuses(
        createMock({ seed, plan: 'unlimited', faults: [{ probability: 0.5, action: { status: 503 } }] }),
        40,
      );
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(new Set(draw(1))).toEqual(new Set([200, 503]));
    const mock = createMock({ plan: 'unlimited', faults: [{ probability: 0.5, action: { status: 503 } }] });
    const before = statuses(mock, 40);
    mock.reset();
    expect(statuses(mock, 40)).toEqual(before);
  });

  test('applies the first match, and adds up latencies', () => {
    const mock = mockWith(
      { action: { latencyMs: 10 } },
      { times: 1, action: 'reset' },
      { times: 1, action: 'html-502' },
      { action: { latencyMs: 5 } },
    );
    const kinds = [1, 2, 3].map(() => mock.handle(requestOf('GET', '/pets')));
    expect(kinds[0]).toEqual({ kind: 'reset', delayMs: 15 });
    expect(kinds[1]).toMatchObject({ response: { status: 502 }, delayMs: 15 });
    expect(kinds[2]).toMatchObject({ response: { status: 200 }, delayMs: 15 });
  });
});

/** Pets and requests left before: 25 and 60. */
test.each<[fault: Fault | string, outcome: object, pets: number, remaining: number]>([
  ['reset', { kind: 'reset', delayMs: 0 }, 25, 60],
  ['lost-write', { kind: 'reset', delayMs: 0 }, 26, 59],
  ['truncate', { kind: 'truncated', response: { status: 201 } }, 26, 59],
  ['bad-json', { response: { status: 201, body: expect.not.stringMatching(/\}$/) as string } }, 26, 59],
  ['html-502', { response: { status: 502, headers: { 'content-type': 'text/html' } } }, 25, 60],
  [
    { action: { status: 503, retryAfter: 7 } },
    { response: { status: 503, headers: { 'retry-after': '7', 'x-ratelimit-remaining': '60' } } },
    25,
    60,
  ],
  [
    'rate-limit:seconds=5',
    { response: { status: 429, headers: { 'retry-after': '5', 'x-ratelimit-remaining': '0' } } },
    25,
    0,
  ],
])('%o of a POST: %o', (fault, expected, pets, remaining) => {
  const mock = mockWith(fault);
  const outcome = mock.handle(requestOf('POST', '/pets', { body: REX }));
  expect(outcome).toMatchObject(expected);
  expect(mock.state().tenants[0]).toMatchObject({ pets, rateLimit: { remaining } });
  if (outcome.kind !== 'response') return;
  const { headers, body } = outcome.response;
  expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
  expect('x-ratelimit-limit' in headers).toBe(fault !== 'html-502');
});

test.each<[retryAfter: unknown, sent: string | undefined, read: number | undefined]>([
  [undefined, undefined, undefined],
  [30, '30', 30],
  [90_000, '90000', 90_000],
  ['-5', '-5', undefined],
  ['soon', 'soon', undefined],
  ['date+30s', new Date(NOON + 30_000).toUTCString(), 30],
  ['date-5m', new Date(NOON - 300_000).toUTCString(), 0],
  [[5, 'date+1m'], `5\n${new Date(NOON + 60_000).toUTCString()}`, 60],
])('Retry-After %j is sent as %j', (retryAfter, sent, read) => {
  const action = { status: 429, ...(retryAfter === undefined ? {} : { retryAfter }) } as Fault['action'];
  const mock = mockWith({ action });
  expect(sendRequest(mock, 'GET', '/pets').headers['retry-after']).toBe(sent);
  expect(mock.journal[0]?.retryAfterSeconds).toBe(read);
});

test('a response of a fault has its own headers and body', () => {
  const headers = { 'X-RateLimit-Limit': 'many', 'content-type': 'text/plain', Link: ['<a>', '<b>'] };
  const text = mockWith({ action: { status: 200, headers, body: '[' } }).handle(requestOf('GET', '/pets'));
  expect(text).toMatchObject({
    response: {
      body: '[',
      headers: { 'x-ratelimit-limit': 'many', 'content-type': 'text/plain', link: '<a>\n<b>' },
    },
  });
  const json = sendRequest(
    mockWith({ action: { status: 409, body: { code: 'taken', id: 2n ** 60n } } }),
    'GET',
    '/pets',
  );
  expect([json.body, json.headers['content-type']]).toEqual([
    '{"code":"taken","id":1152921504606846976}',
    'application/json',
  ]);
});

test('slow and cut bodies apply to every response, also of other faults', () => {
  const slow = ['throttle:bytesPerSecond=50', 'throttle:bytesPerSecond=10', 'cut:bytes=9'];
  expect(mockWith(...slow).handle(requestOf('GET', '/pets'))).toMatchObject({
    kind: 'truncated',
    bytes: 9,
    bytesPerSecond: 10,
    response: { status: 200 },
  });
  expect(mockWith('outage', ...slow).handle(requestOf('GET', '/pets'))).toMatchObject({
    kind: 'truncated',
    bytes: 9,
    response: { status: 503 },
  });
  const whole = mockWith('cut:bytes=100000').handle(requestOf('GET', '/pets'));
  expect(whole.kind).toBe('response');
});

test('truncate of a response without a body is a reset', () => {
  expect(mockWith({ action: 'truncate' }).handle(requestOf('HEAD', '/pets')).kind).toBe('reset');
});

test('rate-limit: blocks the key for some time', () => {
  const mock = mockWith('rate-limit:seconds=5');
  expect(statuses(mock, 2)).toEqual([429, 429]);
  mock.advance('5s');
  expect(statuses(mock, 1)).toEqual([200]);
});

test('faults can be replaced, are listed with their counts, and are restored by reset', () => {
  const mock = mockWith({ times: 1, action: { status: 500 } });
  expect(statuses(mock, 2)).toEqual([500, 200]);
  expect(mock.state().faults).toEqual([{ id: 1, times: 1, action: { status: 500 }, seen: 1, applied: 1 }]);
  mock.setFaults(['outage']);
  expect(statuses(mock, 2)).toEqual([503, 503]);
  expect(() => mock.setFaults(['nonsense'])).toThrow(TypeError);
  expect(statuses(mock, 1)).toEqual([503]);
  mock.reset();
  expect(statuses(mock, 2)).toEqual([500, 200]);
});
