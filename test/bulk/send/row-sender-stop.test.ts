import { describe, expect, test } from 'vitest';
import type { SenderOptions } from '../../../src/bulk/send/row-sender.js';
import type { CallOptions } from '../../../src/client/internal.js';
import {
  AbortedError,
  AuthenticationError,
  ConnectionError,
  UnknownOutcomeError,
} from '../../../src/errors.js';
import { until } from '../../support/virtual-clock.js';
import { failFrom, rows, setUpSender } from '../sender-in-memory.js';

test.each([
  ['not-sent', 0],
  ['refused', 1],
] as const)('a row whose request was %s counts as sent %d times', async (outcome, count) => {
  const { sender } = await setUpSender({
    onCreate: failFrom(1, new ConnectionError('no', { outcome } as never)),
  });
  await sender.send(rows());
  expect([sender.sent, sender.stopped?.reason]).toEqual([count, 'unavailable']);
});

describe('a row that waits for the rate limit when sending stops', () => {
  /** The first request ends on demand. The others wait until their wait is aborted. */
  async function setWaiting(options: Partial<SenderOptions>) {
    let resolve!: () => void;
    let reject!: (error: Error) => void;
    const answered = new Promise<void>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    const waiting: string[] = [];
    const found = await setUpSender(
      {
        onWait({ name }, { waitSignal }) {
          if (name === 'pet 1') return;
          waiting.push(name);
          return new Promise((_, end) => {
            waitSignal?.addEventListener('abort', () => end(new AbortedError('aborted')));
          });
        },
        onCreate: () => answered,
      },
      { concurrency: 3, ...options },
    );
    const sending = found.sender.send(rows());
    await until(() => waiting.length === 2 && found.ledger.requests === 1);
    return { ...found, sending, resolve, reject };
  }

  test('is not in the journal, so it is not unknown after a kill', async () => {
    const { sending, resolve, sender, content, ledger } = await setWaiting({});
    expect(content()).toMatch(/\nready \w+\n>1 \w+\n$/);
    sender.stop({ reason: 'rejected' });
    resolve();
    await sending;
    // So no record takes it back.
    expect(content()).toMatch(/\n>1 \w+\n=1:1000 \w+\n$/);
    expect([sender.sent, ledger.requests]).toEqual([1, 1]);
  });

  test.each([
    ['unknown-outcome', new UnknownOutcomeError('lost'), 'unknown'],
    ['rejected', new AuthenticationError('who?', { status: 401 }), 'left'],
  ])('is not sent after %s', async (reason, error, state) => {
    const { sending, reject, sender, states, ledger } = await setWaiting({});
    reject(error);
    await sending;
    expect(sender.stopped).toMatchObject({ reason, error });
    expect(states().slice(0, 4)).toEqual([state, 'left', 'left', 'left']);
    expect(ledger.ledger).toEqual([]);
  });

  test('is not sent after an abort, but requests in flight continue', async () => {
    const controller = new AbortController();
    const { sending, resolve, states, clock } = await setWaiting({ signal: controller.signal });
    controller.abort();
    await until(() => states()[2] === 'left');
    expect(states().slice(0, 3)).toEqual(['in-flight', 'left', 'left']);
    resolve();
    await sending;
    expect([states()[0], clock.pending]).toEqual(['created', 0]);
  });
});

describe('an abort', () => {
  test('waits for responses, and sends no more rows', async () => {
    const controller = new AbortController();
    const { sender, states, clock } = await setUpSender(
      { onCreate: (_, request) => (request === 3 ? controller.abort(new Error('^C')) : undefined) },
      { concurrency: 2, signal: controller.signal },
    );
    await sender.send(rows());
    expect(sender.stopped).toMatchObject({ reason: 'aborted', error: new Error('^C') });
    expect(states().filter((state) => state === 'created').length).toBe(sender.sent);
    expect(clock.pending).toBe(0);
  });

  test('aborts requests in flight after the grace period', async () => {
    const controller = new AbortController();
    const outcomes = ['unknown', 'not-sent'] as const;
    const { sender, states, clock, ledger } = await setUpSender(
      {
        onCreate: (_, request, { signal }) =>
          new Promise((__, reject) => {
            signal?.addEventListener('abort', () =>
              reject(new AbortedError('aborted', { outcome: outcomes[request - 1] })),
            );
          }),
      },
      { concurrency: 2, signal: controller.signal, onUnknown: 'skip' },
    );
    const sending = sender.send(rows());
    await until(() => ledger.requests === 2);
    controller.abort();
    await clock.advance(4_999);
    expect(states().slice(0, 3)).toEqual(['in-flight', 'in-flight', 'left']);
    await clock.advance(1);
    await sending;
    expect(states().slice(0, 3)).toEqual(['unknown', 'left', 'left']);
  });

  test('during a sync sends nothing, and records that', async () => {
    const controller = new AbortController();
    const { sender, states, ledger, content } = await setUpSender({}, { signal: controller.signal });
    const sending = sender.send(rows());
    await until(() => states()[0] === 'in-flight');
    controller.abort();
    await sending;
    expect([ledger.requests, sender.sent, states()[0]]).toEqual([0, 0, 'left']);
    expect(content()).toMatch(/\n>1 [0-9a-f]{8}\n-1 [0-9a-f]{8}\n$/);
  });

  test('during a sync is recorded, even if the call ends before the sync', async () => {
    const controller = new AbortController();
    const onWait = (_: unknown, { beforeSend, waitSignal }: CallOptions): Promise<void> => {
      void beforeSend?.();
      return new Promise((_, end) => {
        waitSignal?.addEventListener('abort', () => end(new AbortedError('x', { outcome: 'not-sent' })));
      });
    };
    const { sender, states, content } = await setUpSender({ onWait }, { signal: controller.signal });
    const sending = sender.send(rows());
    await until(() => states()[0] === 'in-flight');
    controller.abort();
    await sending;
    expect(states()[0]).toBe('left');
    expect(content()).toMatch(/\n>1 (?:\w+\n)?-1 \w+\n$/);
  });

  test('before the start sends nothing', async () => {
    const { sender, ledger, clock } = await setUpSender({}, { signal: AbortSignal.abort() });
    await sender.send(rows());
    expect([ledger.requests, clock.pending]).toEqual([0, 0]);
  });
});
