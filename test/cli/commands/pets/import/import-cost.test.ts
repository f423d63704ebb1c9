import { expect, test } from 'vitest';
import { noteDuration } from '../../../../../src/cli/commands/pets/import/import-cost.js';
import type { Scripted } from '../../../../support/fake-context.js';
import { sessionFor } from '../../../../support/fake-session.js';
import { rateLimitHeaders } from '../../../../support/rate-limit-headers.js';

const NOW = new Date(2026, 0, 2, 14, 4, 58).getTime();

/** A response with rate-limit headers. */
function listResponse(limit: number, remaining: number, resetInSeconds: number): Scripted {
  return { headers: rateLimitHeaders({ now: NOW, limit, remaining, resetInSeconds }), body: '[]' };
}

test.each([
  ['known after one request', 240, '', listResponse(300, 299, 22), 0, 'Sending up to 240 rows.', 1],
  ['with waits', 240, '', listResponse(60, 59, 60), 240_000, 'Sending up to 240 rows, about 4 min.', 1],
  [
    'with a reserve',
    240,
    '--reserve 50',
    listResponse(300, 299, 22),
    22_000,
    'Sending up to 240 rows, about 22 s.',
    1,
  ],
  [
    'in windows that the response does not describe',
    1_500,
    '',
    listResponse(60, 59, 60),
    86_400_000,
    'Sending up to 1500 rows, about 1 day.',
    1,
  ],
  [
    'if the reserve leaves nothing',
    240,
    '--reserve 90',
    listResponse(1, 1, 60),
    Infinity,
    'Sending up to 240 rows.',
    1,
  ],
  ['without a request for a few rows', 19, '', listResponse(60, 0, 60), 0, 'Sending up to 19 rows.', 0],
  [
    'if the limit is reached',
    20,
    '',
    { status: 429, headers: { 'retry-after': '400' } },
    0,
    'Sending up to 20 rows.',
    1,
  ],
  ['without rate-limit headers', 20, '', undefined, 0, 'Sending up to 20 rows.', 1],
])('the duration of an import, %s', async (_, requests, flags, response, durationMs, note, sentCount) => {
  let sent = 0;
  const { session, stderr } = await sessionFor(`pets import x.csv ${flags}`, {
    now: NOW,
    onSend: () => void (sent += 1),
    ...(response === undefined ? {} : { responses: [response] }),
  });
  expect(await noteDuration(requests, await session.client(), session)).toBe(durationMs);
  expect(stderr()).toBe(`${note}\n`);
  expect(sent).toBe(sentCount);
});
