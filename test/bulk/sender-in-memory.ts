import type { ImportEvent } from '../../src/bulk/job/import-job.js';
import { InputDigest } from '../../src/bulk/input/input-digest.js';
import { Journal } from '../../src/bulk/journal/journal.js';
import { RowSender, type SenderOptions } from '../../src/bulk/send/row-sender.js';
import type { Row } from '../../src/bulk/rows/row.js';
import { createLedgerService, type LedgerOptions } from '../support/ledger-service.js';
import { type CrashPlan, createMemoryDisk } from '../support/memory-journal.js';
import { createVirtualClock } from '../support/virtual-clock.js';

/** Default number of rows. */
export const ROWS = 12;

/** Makes rows with different names. */
export async function* rows(count = ROWS): AsyncGenerator<Row> {
  for (let row = 1; row <= count; row += 1)
    yield { row, line: row + 1, pet: { name: `pet ${String(row)}`, categoryId: 7n } };
}

/**
 * A sender of one row at a time over a service that keeps what it created, and a journal in memory.
 *
 * @param plan when the disk of the journal fails.
 */
export async function setUpSender(
  service: LedgerOptions = {},
  options: Partial<SenderOptions> = {},
  plan?: CrashPlan,
) {
  const disk = createMemoryDisk('', plan);
  const { journal } = await Journal.load(await disk.open(), 'j');
  const digest = new InputDigest();
  for await (const { pet } of rows(100)) digest.add(pet);
  await journal.start('s', digest.end());
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

/** Fails every create request from this one on. */
export const failFrom =
  (from: number, error: Error): NonNullable<LedgerOptions['onCreate']> =>
  (_, request) => {
    if (request >= from) throw error;
  };
