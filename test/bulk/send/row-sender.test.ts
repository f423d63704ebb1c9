import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/bulk/rows/row.js';
import {
  AuthenticationError,
  ConnectionError,
  RateLimitError,
  UnknownOutcomeError,
} from '../../../src/errors.js';
import { rows, ROWS, setUpSender, failFrom } from '../sender-in-memory.js';

describe('rows', () => {
  test.each([1, 3, 50])('are sent once each, %d at a time', async (concurrency) => {
    let most = 0;
    let inFlight = 0;
    const { sender, states, ledger } = await setUpSender(
      {
        async onCreate() {
          inFlight += 1;
          most = Math.max(most, inFlight);
          await new Promise((resolve) => setImmediate(resolve));
          inFlight -= 1;
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

  test('that are rejected are reported, and the others continue', async () => {
    const { sender, states, events } = await setUpSender({ rejectsEvery: 5 });
    await sender.send(rows());
    expect(states().map((state) => state === 'rejected')).toEqual(
      Array.from({ length: ROWS }, (_, i) => (i + 1) % 5 === 0),
    );
    expect(sender.stopped).toBeUndefined();
    expect(sender.rejectedRows).toEqual([
      { row: 5, line: 6, reason: 'not this one (no, HTTP 400)' },
      { row: 10, line: 11, reason: 'not this one (no, HTTP 400)' },
    ]);
    expect(events.filter(({ type }) => type === 'rejected')).toHaveLength(2);
  });
});

describe('sending stops', () => {
  test.each([
    ['rate-limited', new RateLimitError('wait', { retryAt: new Date(9), retryAfterMs: 9 })],
    ['rejected', new AuthenticationError('who?', { status: 401 })],
    ['unavailable', new ConnectionError('rejected')],
  ])('after %s, and leaves the other rows', async (reason, error) => {
    const { sender, states, events } = await setUpSender({ onCreate: failFrom(4, error) });
    await sender.send(rows());
    expect(sender.stopped).toMatchObject({ reason, error });
    expect(states().slice(2, 5)).toEqual(['created', 'left', 'left']);
    expect(events.filter(({ type }) => type === 'stopping')).toEqual([{ type: 'stopping', reason }]);
  });

  test('after too many unknown outcomes in a row', async () => {
    const { sender } = await setUpSender(
      { onCreate: failFrom(2, new UnknownOutcomeError('502')) },
      { onUnknown: 'skip' },
    );
    await sender.send(rows());
    expect(sender.stopped).toMatchObject({ reason: 'unavailable' });
    expect(sender.sent).toBe(12);
  });

  test('not after single unknown outcomes', async () => {
    const { sender } = await setUpSender({ losesEvery: 2 }, { onUnknown: 'skip' });
    await sender.send(rows(100));
    expect([sender.stopped, sender.sent]).toEqual([undefined, 100]);
  });

  test('and closes the input', async () => {
    let isClosed = false;
    async function* closing(): AsyncGenerator<Row> {
      try {
        yield* rows();
      } finally {
        isClosed = true;
      }
    }
    const { sender } = await setUpSender({ losesEvery: 2 });
    await sender.send(closing());
    expect(isClosed).toBe(true);
  });

  test("before a request that can't be recorded", async () => {
    // Two steps for the plan; the first record fails, because the journal can't get its name.
    const { sender, states, ledger } = await setUpSender({}, {}, { at: 3, kept: 0 });
    await sender.send(rows());
    expect([ledger.requests, sender.sent, states()[0]]).toEqual([0, 0, 'left']);
    expect(sender.stopped).toMatchObject({ reason: 'journal', error: { reason: 'journal-unwritable' } });
  });

  test('and reports a later journal failure instead', async () => {
    const error = new AuthenticationError('who?', { status: 401 });
    const { sender, states, events } = await setUpSender(
      { onCreate: failFrom(1, error) },
      {},
      { at: 6, kept: 0 },
    );
    await sender.send(rows());
    expect(events).toEqual([{ type: 'stopping', reason: 'rejected' }]);
    expect(sender.stopped).toMatchObject({ reason: 'journal', error: { reason: 'journal-unwritable' } });
    expect(states()[0]).toBe('unknown');
    sender.stop({ reason: 'journal', error: new Error('a later one') });
    expect(sender.stopped).toMatchObject({ error: { reason: 'journal-unwritable' } });
  });

  test("if an outcome can't be recorded, which is then unknown", async () => {
    const { sender, states, events } = await setUpSender({}, {}, { at: 6, kept: 0 });
    await sender.send(rows());
    expect(states()[0]).toBe('unknown');
    expect(events).toEqual([{ type: 'stopping', reason: 'journal' }]);
  });
});

test('a retried row that is not sent stays unknown, with its reason', async () => {
  const { sender, journal, states } = await setUpSender({
    onCreate: failFrom(1, new ConnectionError('rejected')),
  });
  const { reason } = journal.states.addReason('lost');
  journal.states.set(1, 'unknown', reason);
  await sender.send(rows());
  expect(states()[0]).toBe('unknown');
  expect(journal.states.reason(1)).toBe('lost');
});
