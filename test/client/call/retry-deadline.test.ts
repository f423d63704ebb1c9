import { describe, expect, test } from 'vitest';
import { ServerError, TimeoutError } from '../../../src/errors.js';
import { NEW_PET } from '../../support/rex.js';
import { head, json, limited, rawThenSilence, silence } from '../../support/scripted-server.js';
import { openScripted, openStore, rejection } from '../../support/stores.js';
import { until } from '../../support/virtual-clock.js';

describe('a deadline', () => {
  test('includes the body', async () => {
    const { server, store, clock } = await openScripted([
      rawThenSilence(`${head(200, { 'content-length': '50' })}[`),
    ]);
    const failed = rejection(store.pets.list({}, { deadlineMs: 1_000 }));
    await until(() => server.requests.length === 1);
    await clock.advance(1_000);
    const error = await failed;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ limit: 'deadline' });
    await until(() => server.closed > 0);
    expect(clock.pending).toBe(0);
  });

  test('rejects at once if the next backoff would exceed it, with the last failure as cause', async () => {
    const { store, clock } = await openScripted([json({}, 503)]);
    const error = (await rejection(store.pets.list({}, { deadlineMs: 249 }))) as TimeoutError;
    expect(error).toMatchObject({ type: 'timeout', limit: 'deadline' });
    expect(error.cause).toBeInstanceOf(ServerError);
    expect([clock.monotonic(), clock.pending]).toEqual([0, 0]);
  });

  test('rejects at once if Retry-After would exceed it, with the end of the wait', async () => {
    const { server, store, clock } = await openScripted([limited({ 'retry-after': '5' })]);
    const error = await rejection(store.pets.list({}, { deadlineMs: 4_999 }));
    expect(error).toMatchObject({ type: 'rate-limit', retryAfterMs: 5_000 });
    expect(await rejection(store.pets.list({}, { deadlineMs: 4_999 }))).toMatchObject({
      type: 'rate-limit',
      outcome: 'not-sent',
    });
    expect([clock.monotonic(), clock.pending, server.requests.length]).toEqual([0, 0, 1]);
  });

  test('includes the queue behind another call', async () => {
    const { server, store, clock } = await openScripted([silence]);
    const controller = new AbortController();
    const first = rejection(store.pets.list({}, { signal: controller.signal }));
    await until(() => server.requests.length === 1);
    const failed = rejection(store.pets.create(NEW_PET, { deadlineMs: 1_000 }));
    await clock.advance(1_000);
    expect(await failed).toMatchObject({ type: 'timeout', limit: 'deadline', outcome: 'not-sent' });
    controller.abort();
    await first;
    expect(clock.pending).toBe(0);
  });

  test('includes fetching the key', async () => {
    const { store, clock } = openStore('http://127.0.0.1:1/v1', {
      apiKey: () => new Promise(() => undefined),
    });
    const failed = rejection(store.pets.list({}, { deadlineMs: 1_000 }));
    await clock.advance(1_000);
    expect(await failed).toMatchObject({ type: 'timeout', limit: 'deadline', outcome: 'not-sent' });
  });
});
