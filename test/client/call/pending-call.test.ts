import { describe, expect, test } from 'vitest';
import { type ClientContext, Lifecycle } from '../../../src/client/call/client-context.js';
import { startCall } from '../../../src/client/call/call.js';
import type { Call, WithResponse } from '../../../src/client/contract/options.js';
import { InvalidInputError } from '../../../src/errors.js';
import { rejection } from '../../support/stores.js';
import { settle } from '../../support/virtual-clock.js';

const DATA_AND_RESPONSE = { data: 7, response: { status: 200, headers: {} } };
const pending = (work: Promise<WithResponse<number>>): Call<number> =>
  startCall({ lifecycle: new Lifecycle() } as ClientContext, pending, () => work);
const resolved = (): Call<number> => pending(Promise.resolve(DATA_AND_RESPONSE));
const rejected = (): Call<number> => pending(Promise.reject(new InvalidInputError('no')));

/** Collects the unhandled rejections of a function. */
async function unhandled(work: () => unknown): Promise<unknown[]> {
  const seen: unknown[] = [];
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (reason) => seen.push(reason));
  try {
    await work();
    for (let turn = 0; turn < 3; turn += 1) await settle();
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
  }
  return seen;
}

describe('a pending call', () => {
  test('is a promise of its data', async () => {
    expect(resolved()).toBeInstanceOf(Promise);
    expect(await resolved()).toBe(7);
    expect(await Promise.all([resolved(), resolved()])).toEqual([7, 7]);
  });

  test('also returns the response', async () => {
    const call = resolved();
    expect(await call.withResponse()).toEqual(DATA_AND_RESPONSE);
    expect(await call).toBe(7);
  });

  test('rejects like a promise', async () => {
    expect(await rejection(rejected())).toMatchObject({ message: 'no' });
    expect(await rejection(rejected().withResponse())).toMatchObject({ message: 'no' });
  });

  test.each<[string, (call: Call<number>) => unknown]>([
    ['the data', (call) => call.catch(() => undefined)],
    ['the response', (call) => call.withResponse().catch(() => undefined)],
  ])('causes no unhandled rejection if only %s is awaited', async (_, consume) => {
    expect(await unhandled(() => consume(rejected()))).toEqual([]);
  });

  test('causes one unhandled rejection if it is not awaited', async () => {
    expect(await unhandled(() => void rejected())).toMatchObject([{ message: 'no' }]);
  });
});
