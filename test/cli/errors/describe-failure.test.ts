import { describe, expect, test } from 'vitest';
import { CommandFailure } from '../../../src/cli/errors/command-failure.js';
import { describeFailure } from '../../../src/cli/errors/describe-failure.js';
import { UsageError } from '../../../src/cli/errors/usage-error.js';
import {
  AbortedError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  InvalidInputError,
  InvalidResponseError,
  NotFoundError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnknownOutcomeError,
} from '../../../src/errors.js';

const request = { method: 'GET', url: 'https://pets.test:8443/v1/pets?limit=1' };
const retryAt = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));

describe('every failure has its exit code and a hint', () => {
  test.each<[Error, string, number, RegExp]>([
    [new UsageError('x', 'do this'), 'usage', 2, /do this/],
    [new CommandFailure('x', { type: 'not-found', exitCode: 4, hint: 'look' }), 'not-found', 4, /look/],
    [new InvalidInputError('x', { hint: 'own' }), 'invalid-input', 2, /own/],
    [new ConfigurationError('x', { hint: 'own' }), 'configuration', 2, /own/],
    [new AuthenticationError('x', { status: 401 }), 'authentication', 3, /petstore auth login/],
    [new NotFoundError('x', { status: 404 }), 'not-found', 4, /petstore pets list/],
    [new BadRequestError('x', { status: 400 }), 'bad-request', 5, /--dry-run/],
    [new ApiError('x', { status: 403 }), 'api', 5, /Pass -v/],
    [new ApiError('x', { status: 408 }), 'api', 7, /Pass -v/],
    [new ApiError('x', { status: 302 }), 'api', 7, /Pass -v/],
    [
      new RateLimitError('x', { retryAt, retryAfterMs: 90_000 }),
      'rate-limit',
      6,
      /^Pass --max-wait 95s to wait\.$/,
    ],
    [new ServerError('x', { status: 503 }), 'server', 7, /later/i],
    [
      new ConnectionError('x', { code: 'ECONNREFUSED', request }),
      'connection',
      7,
      /Nothing listens at https:\/\/pets\.test:8443\. /,
    ],
    [new ConnectionError('x', { code: 'ENOTFOUND', request }), 'connection', 7, /can't be resolved/],
    [new ConnectionError('x', { code: 'EMFILE', request }), 'connection', 7, /limit of open files/],
    [new ConnectionError('x', { code: 'ECONNRESET', request }), 'connection', 7, /network/],
    [new ConnectionError('x'), 'connection', 7, /the base URL/],
    [new TimeoutError('x', { limit: 'attempt' }), 'timeout', 7, /--timeout/],
    [new TimeoutError('x', { limit: 'deadline' }), 'timeout', 7, /later/],
    [
      new InvalidResponseError('x', { response: { status: 200, headers: {} } }),
      'invalid-response',
      7,
      /Check the base URL/,
    ],
    [
      new InvalidResponseError('x', { response: { status: 200, headers: {} }, retryable: true }),
      'invalid-response',
      7,
      /^Try again later\. Pass -v/,
    ],
    [
      new InvalidResponseError('x', { response: { status: 301, headers: {} }, hint: 'own' }),
      'invalid-response',
      7,
      /^own$/,
    ],
    [new UnknownOutcomeError('x'), 'unknown-outcome', 10, /^Do not send it again.*twice\.$/],
    [
      new UnknownOutcomeError('x', {
        cause: new InvalidResponseError('y', {
          response: { status: 301, headers: {} },
          hint: 'z',
          redirectOrigin: 'https://pets.test',
          request: { method: 'POST', url: 'http://pets.test/v1/pets' },
        }),
      }),
      'unknown-outcome',
      10,
      /^Do not send it again.*twice\. Use the base URL that the service redirects to: https:\/\/pets\.test\/v1\.$/,
    ],
    [new AbortedError('x', { hint: 'own' }), 'aborted', 1, /own/],
    [new RangeError('boom'), 'unexpected', 1, /PETSTORE_DEBUG=1/],
  ])('%s', (error, type, exitCode, hint) => {
    expect(describeFailure(error)).toMatchObject({ type, exitCode, hint: expect.stringMatching(hint) });
  });
});

test('a limit that was known to be used up has no status, because there was no response', () => {
  const paced = { retryAt, retryAfterMs: 1, outcome: 'not-sent' as const };
  expect(describeFailure(new RateLimitError('slow down', paced))).toMatchObject({ status: undefined });
});

test('hints name only commands that exist', async () => {
  const { COMMANDS } = await import('../../../src/cli/command-line/command-table.js');
  const { readFileSync, readdirSync } = await import('node:fs');
  const sources = readdirSync('src/cli', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  const named = sources.flatMap((path) =>
    [...readFileSync(`src/cli/${path}`, 'utf8').matchAll(/"petstore ([a-z]+)\b/g)].map((match) => match[1]!),
  );
  expect([...new Set(named)].filter((word) => !(word in COMMANDS))).toEqual([]);
});

test.each([
  ['longer than accepted', 90_000, 60_000, /--max-wait 95s/],
  ['of 100 s', 100_000, 60_000, /--max-wait 105s/],
  ['of 5 min and a little', 300_001, 60_000, /--max-wait 6m/],
  ['of almost a day', 80_000_000, 60_000, /--max-wait 23h/],
  ['of an hour', 3_600_000, 60_000, /--max-wait 1h/],
  ['short, but repeated', 1_000, 60_000, /^Try again at that time\.$/],
  [
    'longer than a day',
    1e12,
    60_000,
    /^Try again at that time\. If the wait is wrong, run "petstore limits --reset"/,
  ],
  ['of hours', 7_200_000, 60_000, /--max-wait 2h to wait\. If .* "petstore limits --reset" to clear it\.$/],
  ['of a command that does not wait', 90_000, Infinity, /^Try again at that time\.$/],
])('a wait that is %s', (_, retryAfterMs, waitMaxMs, hint) => {
  expect(describeFailure(new RateLimitError('x', { retryAt, retryAfterMs }), waitMaxMs).hint).toMatch(hint);
});

test.each([
  [0, 'Pass --max-wait 5m to keep trying for longer.'],
  [299_999, 'Pass --max-wait 5m to keep trying for longer.'],
  [300_000, 'Try again later.'],
  [Infinity, 'Try again later.'],
])('a wait without an end, of which the command accepts %j ms', (waitMaxMs, hint) => {
  const report = describeFailure(new RateLimitError('x', {}), waitMaxMs);
  expect(report).toMatchObject({ hint, retryAt: undefined, retryable: true });
});
