import type { Clock, PetStore } from '../../client/internal.js';
import { isPetStoreError } from '../../errors.js';
import type { Pet } from '../../schema/pet-reader.js';
import { pause } from '../../time/clock.js';
import type { ImportEvent, ImportReport, OnUnknown } from '../job/import-job.js';
import type { JournalRecord } from '../journal/journal-format.js';
import type { Journal } from '../journal/journal.js';
import type { Row } from '../rows/row.js';
import { type CreateFailure, classifyFailure, type ImportStop } from './create-failure.js';

/** Options of a sender. */
export interface SenderOptions {
  store: Pick<PetStore, 'pets'>;
  journal: Journal;
  clock: Pick<Clock, 'setTimeout'>;
  concurrency: number;
  onUnknown: OnUnknown;
  signal: AbortSignal | undefined;
  graceMs: number;
  /** Called for each row when its outcome is in the journal. */
  emit(event: ImportEvent): void;
}

/** After more consecutive unknown outcomes than this, plus the concurrency, the service counts as down. */
const CONSECUTIVE_UNKNOWN_MAX = 10;
/** Maximum number of rejected rows in a report. */
const REJECTED_ROWS_MAX = 100;

/** A row that is being sent. */
interface PendingRow {
  row: Row;
  /** Number of the reason, if the row was unknown before. It is unknown again if this request is not sent. */
  earlierReason: number | undefined;
  /** Whether the call may send the row now. */
  hasPermit: boolean;
  /** Whether the journal has the row as sent, or writes that now. */
  isRecorded: boolean;
  /** Whether the row counts as sent. */
  isSent: boolean;
}

/**
 * Sends rows concurrently. The journal records each row just before its request is sent and after its response. A row
 * that waits for the rate limit is not recorded yet. So after a kill, only rows that may have been sent are unknown.
 */
export class RowSender {
  /** Create requests so far. */
  sent = 0;
  /** Why no more rows are sent. */
  stopped: ImportStop | undefined;
  readonly rejectedRows: ImportReport['rejectedRows'][number][] = [];
  readonly #options: SenderOptions;
  /** Aborts the calls in progress. */
  readonly #calls = new AbortController();
  /** Aborts the calls that wait for the rate limit, because they must not be sent after a stop. */
  readonly #waits = new AbortController();
  #consecutiveUnknown = 0;
  /** Number of rows with a permit and without an outcome. */
  #inFlight = 0;
  /** Called when one of them ends. */
  #onEnded: (() => void)[] = [];
  #lastRecord: Promise<void> = Promise.resolve();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Sends the rows. Resolves when all outcomes are in the journal. Never rejects: see `stopped`. */
  async send(rows: AsyncGenerator<Row>): Promise<void> {
    const stopWatching = this.#watchSignal();
    try {
      await Promise.all(Array.from({ length: this.#options.concurrency }, () => this.#work(rows)));
      await this.#lastRecord;
    } finally {
      stopWatching();
      // Closes the file if it has more rows.
      await rows.return(undefined);
    }
  }

  /** Waits. Ends early when the run stops. */
  async wait(delayMs: number): Promise<void> {
    const stopWatching = this.#watchSignal();
    if (this.stopped === undefined) await pause(this.#options.clock, delayMs, this.#waits.signal);
    stopWatching();
  }

  /** Sends no more rows. The first reason is kept, but a journal failure replaces it. */
  stop(stop: ImportStop): void {
    if (this.stopped !== undefined) {
      if (stop.reason === 'journal' && this.stopped.reason !== 'journal') this.stopped = stop;
      return;
    }
    this.stopped = stop;
    this.#waits.abort(stop.error);
    this.#options.emit({ type: 'stopping', reason: stop.reason });
  }

  #watchSignal(): () => void {
    const { signal, clock, graceMs } = this.#options;
    let cancel: (() => void) | undefined;
    const onAbort = (): void => {
      this.stop({ reason: 'aborted', error: signal?.reason });
      cancel = clock.setTimeout(() => this.#calls.abort(signal?.reason), graceMs);
    };
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    return () => {
      signal?.removeEventListener('abort', onAbort);
      cancel?.();
    };
  }

  async #work(rows: AsyncGenerator<Row>): Promise<void> {
    while (this.stopped === undefined) {
      const row = await this.#next(rows);
      if (row === undefined || this.stopped !== undefined) return;
      await this.#sendRow(row);
    }
  }

  async #next(rows: AsyncGenerator<Row>): Promise<Row | undefined> {
    try {
      const next = await rows.next();
      return next.done === true ? undefined : next.value;
    } catch (error) {
      this.stop({ reason: 'input', error });
      return undefined;
    }
  }

  async #sendRow(row: Row): Promise<void> {
    const { states } = this.#options.journal;
    const earlierReason = states.get(row.row) === 'unknown' ? states.reasonNumber(row.row) : undefined;
    const pending: PendingRow = { row, earlierReason, hasPermit: false, isRecorded: false, isSent: false };
    states.set(row.row, 'in-flight', earlierReason);
    try {
      const pet = await this.#create(pending);
      // Two responses can be checked at the same time.
      assertNewId(pet, this.#options.journal);
      this.#consecutiveUnknown = 0;
      this.#options.journal.createdIds.set(pet.id, row.row);
      states.set(row.row, 'created');
      const event = { type: 'created', row: row.row, line: row.line, pet } as const;
      this.#record(row.row, [{ kind: 'created', row: row.row, id: pet.id }], event);
    } catch (error) {
      this.#recordFailure(pending, classifyFailure(error));
    } finally {
      if (pending.hasPermit) {
        this.#inFlight -= 1;
        for (const end of this.#onEnded.splice(0)) end();
      }
    }
  }

  /** A row that may not wait for a permit waits for a row in flight: its response shows how many requests are left. */
  async #create(pending: PendingRow): Promise<Pet> {
    const { store, journal } = this.#options;
    const { row } = pending;
    for (;;) {
      try {
        return await store.pets.create(row.pet, {
          signal: this.#calls.signal,
          waitSignal: this.#waits.signal,
          beforeSend: () => this.#recordSent(pending),
          // If it rejects the pet, the client closes the connection.
          schema: { parse: (created) => assertNewId(created as Pet, journal) },
        });
      } catch (error) {
        // By the type, because the client can be one of another copy of this package.
        const isRateLimit = isPetStoreError(error) && error.type === 'rate-limit';
        const isUnsent = isRateLimit && !pending.hasPermit;
        if (!isUnsent || this.#inFlight === 0) throw error;
        await new Promise<void>((resolve) => this.#onEnded.push(resolve));
        if (this.stopped !== undefined) throw error;
      }
    }
  }

  /** Records that a row is about to be sent. If that fails, no more rows are sent. */
  async #recordSent(pending: PendingRow): Promise<void> {
    if (pending.isRecorded) return;
    if (!pending.hasPermit) this.#inFlight += 1;
    pending.hasPermit = true;
    // Before the write: an abort during the write ends the call, and then the journal needs the outcome.
    pending.isRecorded = true;
    try {
      await this.#options.journal.write([{ kind: 'sent', row: pending.row.row }]);
    } catch (error) {
      pending.isRecorded = false;
      this.stop({ reason: 'journal', error });
      throw error;
    }
    // After a stop, the aborted wait signal prevents the request.
    pending.isSent = this.stopped === undefined;
    if (pending.isSent) this.sent += 1;
  }

  #recordFailure({ row, earlierReason, isRecorded, isSent }: PendingRow, failure: CreateFailure): void {
    const { concurrency, onUnknown } = this.#options;
    if (failure.kind === 'not-created') {
      const records = this.#restore(row.row, earlierReason);
      // Only a row that is recorded as sent needs a record.
      if (isRecorded) this.#record(row.row, records);
      const { error } = failure.stop;
      // No connection, for example.
      if (isSent && isPetStoreError(error) && error.outcome === 'not-sent') this.sent -= 1;
      this.stop(failure.stop);
      return;
    }
    this.#recordReason(row, failure);
    if (failure.kind === 'rejected') {
      this.#consecutiveUnknown = 0;
      if (this.rejectedRows.length < REJECTED_ROWS_MAX)
        this.rejectedRows.push({ row: row.row, line: row.line, reason: failure.reason });
      return;
    }
    this.#consecutiveUnknown += 1;
    const { error } = failure;
    if (onUnknown === 'stop') this.stop({ reason: 'unknown-outcome', error });
    else if (this.#consecutiveUnknown >= CONSECUTIVE_UNKNOWN_MAX + concurrency)
      this.stop({ reason: 'unavailable', error });
  }

  /** Restores the state of a row before this attempt. Returns the record of that state. */
  #restore(row: number, earlierReason: number | undefined): JournalRecord[] {
    const { states } = this.#options.journal;
    if (earlierReason === undefined) {
      states.set(row, 'left');
      return [{ kind: 'not-created', row }];
    }
    states.set(row, 'unknown', earlierReason);
    return [{ kind: 'unknown', row, reason: earlierReason }];
  }

  #recordReason({ row, line }: Row, failure: Exclude<CreateFailure, { kind: 'not-created' }>): void {
    const { kind } = failure;
    const { states } = this.#options.journal;
    const { reason, isNew } = states.addReason(failure.reason);
    states.set(row, kind, reason);
    const place = { row, line, reason: failure.reason };
    const event: ImportEvent =
      failure.kind === 'rejected'
        ? { type: 'rejected', ...place }
        : { type: 'unknown', ...place, error: failure.error };
    const newReason: JournalRecord[] = isNew ? [{ kind: 'reason', reason, text: states.reason(row) }] : [];
    this.#record(row, [...newReason, { kind, row, reason }], event);
  }

  /** Records an outcome. Only the end of `send` awaits this, so that one write takes several records. */
  #record(row: number, records: JournalRecord[], event?: ImportEvent): void {
    const { journal, emit } = this.#options;
    this.#lastRecord = journal.write(records).then(
      () => {
        if (event !== undefined) emit(event);
      },
      (error: unknown) => {
        // The row also has this state when the journal is loaded again.
        journal.states.set(row, 'unknown');
        this.stop({ reason: 'journal', error });
      },
    );
  }
}

/** A pet of another row is the response to another request. */
function assertNewId(pet: Pet, { createdIds }: Journal): Pet {
  if (createdIds.has(pet.id)) throw new Error(`pet ${String(pet.id)} belongs to another row`);
  return pet;
}
