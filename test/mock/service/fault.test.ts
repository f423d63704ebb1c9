import { describe, expect, test } from 'vitest';
import { createMock, FAULT_NAMES, FAULT_PROFILES, parseFault } from '../../../src/mock/index.js';
import { ROUTES } from '../../../src/mock/http/routes.js';
import { checkFault, type Fault, FAULT_ROUTES, routeMatcher } from '../../../src/mock/service/fault.js';

test.each([
  null,
  5,
  {},
  { action: 'explode' },
  { action: { status: 99 } },
  { action: { status: 503, retryAfterSeconds: -1 } },
  { action: { latencyMs: 0 } },
  { action: { latencyMs: 'soon' } },
  { action: { latencyMs: 1e300 } },
  { action: { rateLimitSeconds: 1e300 } },
  { action: { status: 503, retryAfterSeconds: 1e21 } },
  { action: 'reset', times: 1.5 },
  { action: 'reset', skip: -1 },
  { action: 'reset', probability: 2 },
  { action: 'reset', probability: Number.NaN },
  { action: 'reset', route: 5 },
  { action: 'reset', route: 'get /pets' },
  { action: 'reset', route: 'GET pets' },
])('rejects %o', (fault) => {
  expect(() => {
    checkFault(fault as Fault);
  }).toThrow(TypeError);
});

test('a fault without a route matches every request', () => {
  expect(routeMatcher(undefined)('PATCH', ['/anything'])).toBe(true);
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

test.each(FAULT_NAMES)('%s needs no parameters', (name) => {
  expect(parseFault(name).length).toBeGreaterThan(0);
});

describe('rejects an invalid fault, and lists the valid values', () => {
  test.each([
    ['nonsense', 'garbage'],
    ['flakey', 'Unknown fault: flakey (did you mean "flaky"?)'],
    ['reset:rout=POST', 'Unknown parameter "rout" of fault reset (did you mean "route"?)'],
    ['reset:route=GET /pet', 'did you mean "GET /pets"?'],
    ['', 'known:'],
    ['constructor', 'known:'],
    ['slow:speed=5', 'Unknown parameter "speed" of fault slow (known: ms, '],
    ['slow:ms', 'ms=1'],
    ['slow:ms=fast', 'not a number'],
    ['slow:ms=0', 'Invalid fault'],
    ['flaky:probability=2', 'between 0 and 1'],
    ['status:status=42', 'Invalid fault'],
    ['reset:route=pets', 'Invalid route'],
    ['outage:times=1.5', 'whole number'],
  ])('%j', (spec, message) => {
    expect(() => parseFault(spec)).toThrow(message);
  });
});

test.each([
  [{ rout: '/pets', action: 'reset' }, 'unknown property "rout". Did you mean "route"?'],
  [{ action: { stats: 503 } }, 'unknown property "stats" of action. Did you mean "status"?'],
  [{ action: { status: 503, latencyMs: 5 } }, 'two actions'],
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

test('knows the routes of the service', () => {
  const served = ROUTES.map(({ path, methods }) => [path, Object.keys(methods)]);
  expect(Object.entries(FAULT_ROUTES)).toEqual(served);
});

test('every profile has parameters and a valid example that differs from its defaults', () => {
  expect(FAULT_PROFILES.map(({ name }) => name)).toEqual(FAULT_NAMES);
  for (const { name, example, parameters } of FAULT_PROFILES) {
    expect(parseFault(example), example).not.toEqual(parseFault(name));
    for (const parameter of parameters) {
      const spec = `${name}:${parameter.name}=${String(parameter.default ?? { route: 'POST', times: 2 }[parameter.name] ?? 1)}`;
      expect(parseFault(spec).length, spec).toBeGreaterThan(0);
      if (parameter.default !== undefined) expect(parseFault(spec), spec).toEqual(parseFault(name));
    }
  }
});
