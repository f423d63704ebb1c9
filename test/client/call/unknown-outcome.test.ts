import { describe, expect, test } from 'vitest';
import { fetchTransport } from '../../../src/client/transport/fetch.js';
import { AbortedError, causesOf, RateLimitError } from '../../../src/errors.js';
import { NEW_PET } from '../../support/rex.js';
import {
  bytes,
  hangUp,
  head,
  json,
  rawThenEnd,
  type Responder,
  silence,
  startScriptedServer,
} from '../../support/scripted-server.js';
import { openStore, rejection, TRANSPORTS } from '../../support/stores.js';
import { until } from '../../support/virtual-clock.js';

/** An error of another call, which may be repeated. */
const limited = (): Error =>
  new Error('one call failed', {
    cause: new RateLimitError('limited', { retryAt: new Date(9), retryAfterMs: 9 }),
  });
const several = (): Error => new AggregateError([limited()], 'several calls failed');

/** What the errors of a chain say about a repeat. */
function adviceIn(error: unknown): unknown[] {
  return causesOf(error).flatMap((each) => {
    const { outcome, retryable } = Object(each) as { outcome?: unknown; retryable?: unknown };
    return [outcome, retryable].filter((advice) => advice !== undefined);
  });
}

describe.each(TRANSPORTS)(
  'after a write with an unknown outcome, with the transport %s',
  (_, makeTransport) => {
    test.each<[string, Responder]>([
      ['a 500', json({}, 500)],
      ['a 503', json({ code: 'c', message: 'm', status: 503 }, 503, { 'retry-after': '1' })],
      ['a 408', json({}, 408)],
      ['a redirect', json({}, 302, { location: '/v1/pets/1' })],
      ['an invalid 201', json({ id: 'x' }, 201)],
      ['a truncated 201', rawThenEnd(`${head(201, { 'content-length': '500' })}{`)],
      ['a 201 that is not UTF-8', bytes(new Uint8Array([0xff]), 201)],
      ['a response that is not HTTP', rawThenEnd('SSH-2.0\r\n')],
      ['a lost connection', hangUp],
    ])('no error in the chain says that a repeat is safe: %s', async (__, respond) => {
      const server = await startScriptedServer(respond);
      const { store } = openStore(server.baseUrl, { transport: makeTransport() });
      const error = await rejection(store.pets.create(NEW_PET));
      expect(error).toMatchObject({
        type: 'unknown-outcome',
        cause: { outcome: 'unknown', retryable: false },
      });
      expect(new Set(adviceIn(error))).toEqual(new Set(['unknown', false]));
      expect(server.requests).toHaveLength(1);
    });

    test.each(['timeoutMs', 'deadlineMs'])(
      'no error in the chain says that a repeat is safe: %s',
      async (limit) => {
        const server = await startScriptedServer(silence);
        const { store, clock } = openStore(server.baseUrl, { transport: makeTransport() });
        const failed = rejection(store.pets.create(NEW_PET, { [limit]: 800 }));
        await until(() => server.requests.length === 1);
        await clock.advance(800);
        const error = await failed;
        expect(error).toMatchObject({ type: 'unknown-outcome', cause: { type: 'timeout' } });
        expect(new Set(adviceIn(error))).toEqual(new Set(['unknown', false]));
      },
    );

    test.each([limited, several])(
      'an abort with its reason does not say that a repeat is safe: %o',
      async (reasonOf) => {
        const server = await startScriptedServer(silence);
        const { store } = openStore(server.baseUrl, { transport: makeTransport() });
        const controller = new AbortController();
        const failed = rejection(store.pets.create(NEW_PET, { signal: controller.signal }));
        await until(() => server.requests.length === 1);
        const reason = reasonOf();
        controller.abort(reason);
        const error = await failed;
        expect(error).toBeInstanceOf(AbortedError);
        expect(error).toMatchObject({
          message: 'The call was aborted; the pet may or may not have been created',
          hint: expect.stringMatching(/^Look for the pet with listAll\(\)/),
          cause: { message: reason.message },
        });
        expect(new Set(adviceIn(error))).toEqual(new Set(['unknown', false]));
      },
    );
  },
);

test('an error of the own fetch does not say that a repeat is safe', async () => {
  const fetch = (_: unknown, { body }: RequestInit = {}): Promise<Response> =>
    Promise.reject(body === undefined ? new Error('no body') : limited());
  const { store } = openStore('https://api.test/v1', { transport: fetchTransport(fetch as never) });
  const error = await rejection(store.pets.create(NEW_PET));
  expect(error).toMatchObject({ type: 'unknown-outcome' });
  expect(new Set(adviceIn(error))).toEqual(new Set(['unknown', false]));
});

test('an aborted read keeps the reason of the caller', async () => {
  const server = await startScriptedServer(silence);
  const { store } = openStore(server.baseUrl);
  const controller = new AbortController();
  const failed = rejection(store.pets.list({}, { signal: controller.signal }));
  await until(() => server.requests.length === 1);
  const reason = limited();
  controller.abort(reason);
  expect(await failed).toHaveProperty('cause', reason);
});
