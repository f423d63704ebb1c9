import { expect, test } from 'vitest';
import type { ClientEvent } from '../../../../src/client/internal.js';
import { logEvent } from '../../../../src/cli/settings/network/http-log.js';

test.each<[ClientEvent, string]>([
  [
    {
      type: 'request',
      call: 1,
      attempt: 1,
      method: 'POST',
      url: 'https://x.test/v1',
      headers: { a: 'b' },
      body: '{}',
    },
    '> POST https://x.test/v1\n> a: b\n> {}\n',
  ],
  [
    {
      type: 'response',
      call: 1,
      attempt: 1,
      status: 200,
      headers: { a: '\u001b[2J' },
      bytes: 5,
      elapsedMs: 12,
    },
    '< 200 in 12 ms, 5 bytes\n< a: ^[[2J\n',
  ],
  [
    {
      type: 'response',
      call: 1,
      attempt: 1,
      status: 200,
      headers: { 'x-ratelimit-limit': 'a\u001b[2J' },
      bytes: 5,
      elapsedMs: 12,
    },
    "< 200 in 12 ms, 5 bytes\n< x-ratelimit-limit: a^[[2J\n* can't be read: X-RateLimit-Limit: a^[[2J\n",
  ],
  [
    { type: 'failure', call: 1, attempt: 1, message: 'reset', elapsedMs: 3 },
    '< no response after 3 ms: reset\n',
  ],
  [
    { type: 'wait', call: 1, attempt: 1, reason: 'paced', delayMs: 3.2 },
    '* waiting 3 ms (paced): why paced\n',
  ],
  [{ type: 'wait', call: 1, attempt: 1, reason: 'paced' }, '* waiting (paced): why paced\n'],
  [{ type: 'rate-limit', call: 1, rateLimit: { limit: 1, remaining: 1, resetAt: new Date(1) } }, ''],
])('%j', (event, expected) => {
  let written = '';
  const causeOf = (reason: string): string => `why ${reason}`;
  logEvent(event, causeOf, { isTTY: false, columns: undefined, write: (text) => void (written += text) });
  expect(written).toBe(expected);
});
