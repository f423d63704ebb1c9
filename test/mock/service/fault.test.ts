import { expect, test } from 'vitest';
import { checkFault, routeMatcher, type Fault } from '../../../src/mock/service/fault.js';

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
])('refuses %o', (fault) => {
  expect(() => {
    checkFault(fault as Fault);
  }).toThrow(TypeError);
});

test('a fault without a route is for everything', () => {
  expect(routeMatcher(undefined)('PATCH', ['/anything'])).toBe(true);
});
