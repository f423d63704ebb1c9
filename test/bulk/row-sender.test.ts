import { describe, expect, test } from 'vitest';
import type { ImportEvent } from '../../src/bulk/import-job.js';
import { InputDigest } from '../../src/bulk/input-digest.js';
import { Journal } from '../../src/bulk/journal/journal.js';
import type { Row } from '../../src/bulk/row.js';
import { RowSender, type SenderOptions } from '../../src/bulk/row-sender.js';
import {
  AbortedError,
  AuthenticationError,
  ConnectionError,
  RateLimitError,
  UnknownOutcomeError,
} from '../../src/errors.js';
import { createLedgerService, type LedgerOptions } from '../support/ledger-service.js';
import { type CrashPlan, createMemoryDisk } from '../support/memory-journal.js';
import { createVirtualClock, until } from '../support/virtual-clock.js';

const ROWS = 12;

async function* rows(count = ROWS): AsyncGenerator<Row> {
  for (let row = 1; row <= count; row += 1)
    yield { row, line: row + 1, pet: { name: `pet ${String(row)}`, categoryId: 7n } };
}

async function set(service: LedgerOptions = {}, options: Partial<SenderOptions> = {}, plan?: CrashPlan) {
  const disk = createMemoryDisk('', plan);
  const { journal } = await Journal.load(await disk.open(), 'j');
  const digest = new InputDigest();
  for await (const { pet } of rows(100)) digest.add(pet);
  await journal.begin('s', digest.end());
  const ledger = createLedgerService(service);
  const clock = createVirtualClock();
  const events: ImportEvent[] = [];
  const sender = new RowSender({
    store: ledger.store,
    journal,
    clock,
    concurrency: 1,
    onUnknown: 'stop',
    signal: undefined,
    graceMs: 5_000,
    emit: (event) => events.push(event),
    ...options,
  });
  const states = (): string[] => Array.from({ length: ROWS }, (_, index) => journal.states.get(index + 1));
  return { sender, journal, states, ledger, clock, events, content: disk.content };
}

const throwing =
  (from: number, error: Error): NonNullable<LedgerOptions['onCreate']> =>
  (_, request) => {
    if (request >= from) throw error;
  };

describe('rows', () => {
  test.each([1, 3, 50])('are sent once each, %d at a time', async (concurrency) => {
    let most = 0;
    let underWay = 0;
    const { sender, states, ledger } = await set(
      {
        async onCreate() {
          underWay += 1;
          most = Math.max(most, underWay);
          await new Promise((resolve) => setImmediate(resolve));
          underWay -= 1;
        },
      },
      { concurrency },
    );
    await sender.send(rows());
    expect(ledger.ledger.toSorted()).toEqual(
      Array.from({ length: ROWS }, (_, i) => `pet ${String(i + 1)}`).toSorted(),
    );
    expect(new Set(states())).toEqual(new Set(['created']));
    expect(sender.sent).toBe(ROWS);
    expect(most).toBeLessThanOrEqual(concurrency);
    expect(most).toBeGreaterThan(concurrency === 1 ? 0 : 1);
  });

  test('that are refused are told, and the others go on', async () => {
    const { sender, states, events } = await set({ refusesEvery: 5 });
    await sender.send(rows());
    expect(states().map((state) => state === 'refused')).toEqual(
      Array.from({ length: ROWS }, (_, i) => (i + 1) % 5 === 0),
    );
    expect(sender.stopped).toBeUndefined();
    expect(sender.refusals).toEqual([
      { row: 5, line: 6, reason: 'not this one (no, HTTP 400)' },
      { row: 10, line: 11, reason: 'not this one (no, HTTP 400)' },
    ]);
    expect(events.filter(({ type }) => type === 'refused')).toHaveLength(2);
  });

  test('of unknown outcome end the sending, or not', async () => {
    const stopping = await set({ losesEvery: 5 });
    await stopping.sender.send(rows());
    expect(stopping.states().slice(3, 6)).toEqual(['created', 'unknown', 'left']);
    expect(stopping.sender.stopped).toMatchObject({ reason: 'unknown-outcome' });
    const skipping = await set({ losesEvery: 5 }, { onUnknown: 'skip' });
    await skipping.sender.send(rows());
    expect(skipping.states().slice(3, 6)).toEqual(['created', 'unknown', 'created']);
    expect(skipping.sender.stopped).toBeUndefined();
  });
});

describe('sending stops', () => {
  test.each([
    ['rate-limited', new RateLimitError('wait', { retryAt: new Date(9), retryAfterMs: 9 })],
    ['rejected', new AuthenticationError('who?', { status: 401 })],
    ['unavailable', new ConnectionError('refused')],
  ])('as %s, and leaves what was not done', async (reason, error) => {
    const { sender, states, events } = await set({ onCreate: throwing(4, error) });
    await sender.send(rows());
    expect(sender.stopped).toMatchObject({ reason, error });
    expect(states().slice(2, 5)).toEqual(['created', 'left', 'left']);
    expect(events.filter(({ type }) => type === 'stopping')).toEqual([{ type: 'stopping', reason }]);
  });

  test('where one outcome after another is unknown', async () => {
    const { sender } = await set(
      { onCreate: throwing(2, new UnknownOutcomeError('502')) },
      { onUnknown: 'skip' },
    );
    await sender.send(rows());
    expect(sender.stopped).toMatchObject({ reason: 'unavailable' });
    expect(sender.sent).toBe(12);
  });

  test('not where some outcomes are unknown now and then', async () => {
    const { sender } = await set({ losesEvery: 2 }, { onUnknown: 'skip' });
    await sender.send(rows(100));
    expect([sender.stopped, sender.sent]).toEqual([undefined, 100]);
  });

  test('and the input is closed', async () => {
    let isClosed = false;
    async function* closing(): AsyncGenerator<Row> {
      try {
        yield* rows();
      } finally {
        isClosed = true;
      }
    }
    const { sender } = await set({ losesEvery: 2 });
    await sender.send(closing());
    expect(isClosed).toBe(true);
  });

  test('where the input fails', async () => {
    const { sender, states } = await set();
    async function* broken(): AsyncGenerator<Row> {
      yield { row: 1, line: 2, pet: { name: 'pet 1', categoryId: 7n } };
      throw new Error('it changed');
    }
    await sender.send(broken());
    expect(sender.stopped).toMatchObject({ reason: 'input', error: new Error('it changed') });
    expect(states()[0]).toBe('created');
  });

  test('before a request leaves that could not be written down', async () => {
    // Two steps for the plan; the first record fails.
    const { sender, states, ledger } = await set({}, {}, { at: 3, kept: 0 });
    await sender.send(rows());
    expect([ledger.requests, sender.sent, states()[0]]).toEqual([0, 0, 'left']);
    expect(sender.stopped).toMatchObject({ reason: 'journal', error: { fault: 'journal-unwritable' } });
  });

  test('and a journal that fails after that is told in its place', async () => {
    const error = new AuthenticationError('who?', { status: 401 });
    const { sender, states, events } = await set({ onCreate: throwing(1, error) }, {}, { at: 5, kept: 0 });
    await sender.send(rows());
    expect(events).toEqual([{ type: 'stopping', reason: 'rejected' }]);
    expect(sender.stopped).toMatchObject({ reason: 'journal', error: { fault: 'journal-unwritable' } });
    expect(states()[0]).toBe('unknown');
    sender.stop({ reason: 'journal', error: new Error('a later one') });
    expect(sender.stopped).toMatchObject({ error: { fault: 'journal-unwritable' } });
  });

  test('where an outcome can not be written down, which is then unknown', async () => {
    const { sender, states, events } = await set({}, {}, { at: 5, kept: 0 });
    await sender.send(rows());
    expect(states()[0]).toBe('unknown');
    expect(events).toEqual([{ type: 'stopping', reason: 'journal' }]);
  });
});

describe('what waits for the rate limit when the sending stops', () => {
  /** The first request is answered when told to; those behind it wait, as long as they may. */
  async function setWaiting(options: Partial<SenderOptions>) {
    let resolve!: () => void;
    let reject!: (error: Error) => void;
    const answered = new Promise<void>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    const waiting: string[] = [];
    const found = await set(
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

  test('is not in the journal, so that after a kill it is not unknown', async () => {
    const { sending, resolve, sender, content, ledger } = await setWaiting({});
    expect(content()).toMatch(/\nready \w+\n>1 \w+\n$/);
    sender.stop({ reason: 'rejected' });
    resolve();
    await sending;
    // Nor is there anything to take back.
    expect(content()).toMatch(/\n>1 \w+\n=1:1000 \w+\n$/);
    expect([sender.sent, ledger.requests]).toEqual([1, 1]);
  });

  test.each([
    ['unknown-outcome', new UnknownOutcomeError('lost'), 'unknown'],
    ['rejected', new AuthenticationError('who?', { status: 401 }), 'left'],
  ])('as %s is not sent any more', async (reason, error, state) => {
    const { sending, reject, sender, states, ledger } = await setWaiting({});
    reject(error);
    await sending;
    expect(sender.stopped).toMatchObject({ reason, error });
    expect(states().slice(0, 4)).toEqual([state, 'left', 'left', 'left']);
    expect(ledger.ledger).toEqual([]);
  });

  test('at an abort is given up at once, and what is out is waited for', async () => {
    const controller = new AbortController();
    const { sending, resolve, states, clock } = await setWaiting({ signal: controller.signal });
    controller.abort();
    await until(() => states()[2] === 'left');
    expect(states().slice(0, 3)).toEqual(['under-way', 'left', 'left']);
    resolve();
    await sending;
    expect([states()[0], clock.pending]).toEqual(['created', 0]);
  });
});

describe('an abort', () => {
  test('waits for the answers to come, and takes no more rows', async () => {
    const controller = new AbortController();
    const { sender, states, clock } = await set(
      { onCreate: (_, request) => (request === 3 ? controller.abort(new Error('^C')) : undefined) },
      { concurrency: 2, signal: controller.signal },
    );
    await sender.send(rows());
    expect(sender.stopped).toMatchObject({ reason: 'aborted', error: new Error('^C') });
    expect(states().filter((state) => state === 'created').length).toBe(sender.sent);
    expect(clock.pending).toBe(0);
  });

  test('ends what is still under way after the grace, as the client tells of it', async () => {
    const controller = new AbortController();
    const outcomes = ['unknown', 'not-sent'] as const;
    const { sender, states, clock, ledger } = await set(
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
    expect(states().slice(0, 3)).toEqual(['under-way', 'under-way', 'left']);
    await clock.advance(1);
    await sending;
    expect(states().slice(0, 3)).toEqual(['unknown', 'left', 'left']);
  });

  test('while the disk is waited for sends nothing, and writes that down', async () => {
    const controller = new AbortController();
    const { sender, states, ledger, content } = await set({}, { signal: controller.signal });
    const sending = sender.send(rows());
    await until(() => states()[0] === 'under-way');
    controller.abort();
    await sending;
    expect([ledger.requests, sender.sent, states()[0]]).toEqual([0, 0, 'left']);
    expect(content()).toMatch(/\n>1 [0-9a-f]{8}\n-1 [0-9a-f]{8}\n$/);
  });

  test('before the beginning sends nothing', async () => {
    const { sender, ledger, clock } = await set({}, { signal: AbortSignal.abort() });
    await sender.send(rows());
    expect([ledger.requests, clock.pending]).toEqual([0, 0]);
  });
});

test('a row that is tried again and not sent stays unknown, with its reason', async () => {
  const { sender, journal, states } = await set({ onCreate: throwing(1, new ConnectionError('refused')) });
  const { reason } = journal.states.numberOf('lost');
  journal.states.set(1, 'unknown', reason);
  await sender.send(rows());
  expect(states()[0]).toBe('unknown');
  expect(journal.states.reason(1)).toBe('lost');
});
