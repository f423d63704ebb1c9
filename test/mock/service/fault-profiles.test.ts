import { describe, expect, test } from 'vitest';
import { FAULT_NAMES, parseFault } from '../../../src/mock/index.js';

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
])('reads %s', (spec, expected) => {
  expect(parseFault(spec)).toEqual(expected);
});

test.each(FAULT_NAMES)('%s can stand alone', (name) => {
  expect(parseFault(name).length).toBeGreaterThan(0);
});

describe('refuses, and says what it knows', () => {
  test.each([
    ['nonsense', 'garbage'],
    ['', 'known:'],
    ['constructor', 'known:'],
    ['slow:speed=5', 'ms'],
    ['slow:ms', 'key=value'],
    ['slow:ms=fast', 'not a number'],
    ['slow:ms=0', 'not a fault'],
    ['flaky:probability=2', 'between 0 and 1'],
    ['status:status=42', 'not a fault'],
    ['reset:route=pets', 'not a route'],
    ['outage:times=1.5', 'whole number'],
  ])('%j', (spec, message) => {
    expect(() => parseFault(spec)).toThrow(message);
  });
});
