import { expect, test } from 'vitest';
import { describeEvent } from '../../../src/client/call/callbacks.js';
import type { ClientEvent } from '../../../src/client/contract/events.js';

test.each<[ClientEvent, string]>([
  [
    { type: 'request', call: 1, attempt: 2, method: 'GET', url: 'https://api.test/v1/pets', headers: {} },
    '#1 GET https://api.test/v1/pets (attempt 2)',
  ],
  [{ type: 'call-start', call: 1, operation: 'listPets', parent: 2 }, '#1 listPets (part of #2)'],
  [
    { type: 'call-end', call: 1, operation: 'find', durationMs: 3, attempts: 1, outcome: 'succeeded' },
    '#1 find succeeded after 3 ms',
  ],
  [
    {
      ...{ type: 'call-end', call: 1, operation: 'find', durationMs: 3, attempts: 1 },
      ...{ outcome: 'unknown', errorType: 'timeout' },
    },
    '#1 find failed (timeout) after 3 ms',
  ],
  [
    { type: 'response', call: 1, attempt: 1, status: 200, headers: {}, bytes: 17, elapsedMs: 12 },
    '#1 200 with 17 bytes in 12 ms',
  ],
  [
    { type: 'failure', call: 3, attempt: 1, message: 'timeout', elapsedMs: 30_000 },
    '#3 no response after 30000 ms: timeout',
  ],
  [{ type: 'wait', call: 1, attempt: 2, reason: 'backoff', delayMs: 500 }, '#1 waits 500 ms (backoff)'],
  [{ type: 'wait', call: 1, attempt: 2, reason: 'paced' }, '#1 waits (paced)'],
  [
    { type: 'rate-limit', call: 1, rateLimit: { limit: 60, remaining: 3, resetAt: new Date(0) } },
    '#1 3 of 60 requests left',
  ],
])('describeEvent writes %j as one line', (event, line) => {
  expect(describeEvent(event)).toBe(line);
});
