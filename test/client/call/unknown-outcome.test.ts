import { describe, expect, test } from 'vitest';
import { fetchTransport } from '../../../src/client/transport/fetch.js';
import { AbortedError, RateLimitError, UnknownOutcomeError } from '../../../src/errors.js';
import { NEW_PET } from '../../support/rex.js';
import {
  bytes,
  hangUp,
  head,
  json,
  rawThenEnd,
  reset,
  type Responder,
  silence,
} from '../../support/scripted-server.js';
import { openScripted, openStore, rejection, TRANSPORTS } from '../../support/stores.js';
import { until } from '../../support/virtual-clock.js';

/** An error of another call, which may be repeated. */
const limited = (): Error =>
  new Error('one call failed', {
    cause: new RateLimitError('limited', { retryAt: new Date(9), retryAfterMs: 9 }),
  });
const several = (): Error => new AggregateError([limited()], 'several calls failed');
const nested = (): Error =>
  Array.from({ length: 30 }).reduce<Error>((cause) => new Error('nested', { cause }), limited());

/** What all errors of a chain say about a repeat. */
function adviceIn(error: unknown): unknown[] {
  const { outcome, retryable, cause, errors } = Object(error) as Record<string, unknown>;
  const inner = [cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return [
    ...[outcome, retryable].filter((advice) => advice !== undefined),
    ...inner.filter((each) => each !== undefined).flatMap(adviceIn),
  ];
}

describe.each(TRANSPORTS)('with the transport %s', (_, makeTransport) => {
  test.each<[string, Responder]>([
    ['closes the connection', hangUp],
    ['resets', reset],
    ['responds with 500', json({}, 500)],
    ['responds with 503', json({ code: 'c', message: 'm', status: 503 }, 503, { 'retry-after': '1' })],
    ['responds with 408', json({}, 408)],
    ['responds with garbage', rawThenEnd('what?\r\n\r\n')],
    ['responds with 201 and HTML', bytes('<html>', 201, { 'content-type': 'text/html' })],
    ['responds with 201 and half a pet', json({ id: 1 }, 201)],
    ['responds with 201, truncated', rawThenEnd(`${head(201, { 'content-length': '50' })}{"id":1`)],
    ['responds with 201 that is not UTF-8', bytes(new Uint8Array([0xff]), 201)],
    ['responds with 303', json({}, 303, { location: '/v1/pets/1' })],
  ])('sends a POST once if the service %s after reading it', async (__, respond) => {
    const { server, store, clock } = await openScripted([respond], { transport: makeTransport() });
    const error = (await rejection(store.pets.create(NEW_PET))) as UnknownOutcomeError;
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({
      type: 'unknown-outcome',
      message: expect.stringMatching(/; the pet may or may not have been created$/),
      hint: 'Look for the pet with listAll() before you create it again. It may exist without being listed.',
      request: { method: 'POST', url: `${server.baseUrl}/pets`, body: '{"name":"Rex","categoryId":2}' },
    });
    expect(error.attempts).toHaveLength(1);
    expect(new Set(adviceIn(error))).toEqual(new Set(['unknown', false]));
    await clock.advance(600_000);
    expect(server.requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test.each(['timeoutMs', 'deadlineMs'])('sends a POST once if its %s is over', async (limit) => {
    const { server, store, clock } = await openScripted([silence], { transport: makeTransport() });
    const failed = rejection(store.pets.create(NEW_PET, { [limit]: 800 }));
    await until(() => server.requests.length === 1);
    await clock.advance(800);
    const error = await failed;
    expect(error).toMatchObject({ type: 'unknown-outcome', cause: { type: 'timeout' } });
    expect(new Set(adviceIn(error))).toEqual(new Set(['unknown', false]));
    await until(() => server.closed > 0);
    expect(server.requests).toHaveLength(1);
  });
});

const advising = (advice: object) => (): Error => Object.assign(new Error('odd'), advice);

test.each([
  ...[limited, several, nested],
  ...[{ retryable: true }, { outcome: 'refused' }, { outcome: 'not-sent' }].map(advising),
])('an aborted write does not say that a repeat is safe, whatever its reason: %o', async (reasonOf) => {
  const { server, store } = await openScripted([silence]);
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
});

test('an error of the own fetch does not say that a repeat is safe', async () => {
  const fetch = (_: unknown, { body }: RequestInit = {}): Promise<Response> =>
    Promise.reject(body === undefined ? new Error('no body') : limited());
  const { store } = openStore('https://api.test/v1', { transport: fetchTransport(fetch as never) });
  const error = await rejection(store.pets.create(NEW_PET));
  expect(error).toMatchObject({ type: 'unknown-outcome' });
  expect(new Set(adviceIn(error))).toEqual(new Set(['unknown', false]));
});

test('an aborted write keeps a reason without advice', async () => {
  const { server, store } = await openScripted([silence]);
  const controller = new AbortController();
  const { signal } = controller;
  const failed = rejection(store.request('POST', '/orders', { body: {} }, { signal }));
  await until(() => server.requests.length === 1);
  const reason = new Error('stopped');
  controller.abort(reason);
  expect(await failed).toMatchObject({
    message: 'The call was aborted; the request may or may not have been carried out',
    hint: expect.stringMatching(/^Do not send it again/),
  });
  expect(await failed).toHaveProperty('cause', reason);
});

test('an aborted read keeps the reason of the caller', async () => {
  const { server, store } = await openScripted([silence]);
  const controller = new AbortController();
  const failed = rejection(store.pets.list({}, { signal: controller.signal }));
  await until(() => server.requests.length === 1);
  const reason = limited();
  controller.abort(reason);
  expect(await failed).toHaveProperty('cause', reason);
});
