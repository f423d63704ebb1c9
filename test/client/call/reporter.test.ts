import { expect, test } from 'vitest';
import { describeEvent } from '../../../src/client/call/reporter.js';
import type { ClientEvent } from '../../../src/client/contract/events.js';

test.each<[ClientEvent, string]>([
  [
    {
      type: 'request',
      call: 1,
      attempt: 2,
      method: 'GET',
      url: 'https://api.test/v1/pets',
      headers: {},
      body: 'long',
    },
    '#1 request attempt=2 method=GET url=https://api.test/v1/pets',
  ],
  [
    { type: 'failure', call: 3, attempt: 1, message: 'timeout: too slow', elapsedMs: 30_000 },
    '#3 failure attempt=1 message="timeout: too slow" elapsedMs=30000',
  ],
  [
    { type: 'failure', call: 4, attempt: 1, message: 'reset\u001b[2J\u009b\u202e', elapsedMs: 1 },
    '#4 failure attempt=1 message="reset^[[2J<U+009B><U+202E>" elapsedMs=1',
  ],
  [
    { type: 'rate-limit', call: 1, rateLimit: { limit: 60, remaining: 3, resetAt: new Date(0) } },
    '#1 rate-limit rateLimit={"limit":60,"remaining":3,"resetAt":"1970-01-01T00:00:00.000Z"}',
  ],
])('describeEvent writes %j as one line', (event, line) => {
  expect(describeEvent(event)).toBe(line);
});
