import type { Clock, PetStore } from '../../client/index.js';
import { type CreateFailure, classifyFailure, type ImportStop } from './create-failure.js';
import type { ImportEvent, ImportReport, OnUnknown } from '../import-job.js';
import type { Journal } from '../journal/journal.js';
import type { JournalRecord } from '../journal/journal-record.js';
import type { Row } from '../rows/row.js';

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

/** After this many unknown outcomes in a row (plus the concurrency), the service counts as down. */
const CONSECUTIVE_UNKNOWN_MAX = 10;
const REFUSALS_MAX = 100;

/** A row that is being sent. */
interface PendingRow {
  row: Row;
  /** The reason if the row was unknown before. It is unknown again if this request is not sent. */
  earlierReason: number | undefined;
  /** Whether the journal has the row as sent. */
  isRecorded: boolean;
}

/**
 * Sends rows concurrently. The journal records each row before its request is sent and after its response. A row that
 * waits for the rate limit is not recorded, so a killed process leaves only rows unknown that may have been sent.
 */
export class RowSender {
  /** Create requests so far. */
  sent = 0;
  /** Why no more rows are sent. */
  stopped: ImportStop | undefined;
  readonly refusals: ImportReport['refusals'][number][] = [];
  readonly #options: SenderOptions;
  /** Aborts the calls in progress. */
  readonly #calls = new AbortController();
  /** Aborts the calls that wait for the rate limit: they must not be sent after a stop. */
  readonly #waits = new AbortController();
  #consecutiveUnknown = 0;
  #lastRecord: Promise<void> = Promise.resolve();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Sends the rows. Resolves when none is in flight and all are in the journal. Never rejects: see `stopped`. */
  async send(rows: AsyncGenerator<Row>): Promise<void> {
    const stopWatching = this.#watchSignal();
    try {
      await Promise.all(Array.from({ length: this.#options.concurrency }, () => this.#work(rows)));
      await this.#lastRecord;
    } finally {
      stopWatching();
      // Closes the file if rows are left in it.
      await rows.return(undefined);
    }
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
      cancel = clock.setTimeout(() => {
        this.#calls.abort(signal?.reason);
      }, graceMs);
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
    const { store, journal } = this.#options;
    const { states } = journal;
    const earlier = states.get(row.row) === 'unknown' ? states.reasonNumber(row.row) : undefined;
    const sending: PendingRow = { row, earlierReason: earlier, isRecorded: false };
    states.set(row.row, 'in-flight', earlier);
    try {
      const pet = await store.pets.create(row.pet, {
        signal: this.#calls.signal,
        waitSignal: this.#waits.signal,
        beforeSend: () => this.#recordSent(sending),
      });
      this.#consecutiveUnknown = 0;
      states.set(row.row, 'created');
      const event = { type: 'created', row: row.row, line: row.line, pet } as const;
      this.#record(row.row, [{ kind: 'created', row: row.row, id: pet.id }], event);
    } catch (error) {
      this.#recordFailure(sending, classifyFailure(error));
    }
  }

  /** Records that a row is about to be sent. If that fails, no more rows are sent. */
  async #recordSent(sending: PendingRow): Promise<void> {
    if (sending.isRecorded) return;
    try {
      await this.#options.journal.write([{ kind: 'sent', row: sending.row.row }]);
    } catch (error) {
      this.stop({ reason: 'journal', error });
      throw error;
    }
    sending.isRecorded = true;
    // After a stop the aborted wait keeps the request from being sent.
    if (this.stopped === undefined) this.sent += 1;
  }

  #recordFailure(
    { row, earlierReason: earlier, isRecorded: isNoted }: PendingRow,
    outcome: CreateFailure,
  ): void {
    const { concurrency, onUnknown } = this.#options;
    if (outcome.kind === 'not-created') {
      const records = this.#restore(row.row, earlier);
      // Only a recorded row needs a record that it was not created.
      if (isNoted) this.#record(row.row, records);
      this.stop(outcome.stop);
      return;
    }
    this.#recordReason(row, outcome.kind, outcome.reason);
    if (outcome.kind === 'refused') {
      this.#consecutiveUnknown = 0;
      if (this.refusals.length < REFUSALS_MAX)
        this.refusals.push({ row: row.row, line: row.line, reason: outcome.reason });
      return;
    }
    this.#consecutiveUnknown += 1;
    const { error } = outcome;
    if (onUnknown === 'stop') this.stop({ reason: 'unknown-outcome', error });
    else if (this.#consecutiveUnknown >= CONSECUTIVE_UNKNOWN_MAX + concurrency)
      this.stop({ reason: 'unavailable', error });
  }

  /** Restores the state of a row before this attempt, and returns the record of it. */
  #restore(row: number, earlier: number | undefined): JournalRecord[] {
    const { states } = this.#options.journal;
    if (earlier === undefined) {
      states.set(row, 'left');
      return [{ kind: 'not-created', row }];
    }
    states.set(row, 'unknown', earlier);
    return [{ kind: 'unknown', row, reason: earlier }];
  }

  #recordReason({ row, line }: Row, kind: 'refused' | 'unknown', text: string): void {
    const { states } = this.#options.journal;
    const { reason, isNew } = states.addReason(text);
    states.set(row, kind, reason);
    const newReason: JournalRecord[] = isNew ? [{ kind: 'reason', reason, text: states.reason(row) }] : [];
    this.#record(row, [...newReason, { kind, row, reason }], { type: kind, row, line, reason: text });
  }

  /** Records an outcome. Only the end of `send` waits for it, so it is written together with the next record. */
  #record(row: number, records: JournalRecord[], event?: ImportEvent): void {
    const { journal, emit } = this.#options;
    this.#lastRecord = journal.write(records).then(
      () => {
        if (event !== undefined) emit(event);
      },
      (error: unknown) => {
        // The journal gives this state when it is loaded again.
        journal.states.set(row, 'unknown');
        this.stop({ reason: 'journal', error });
      },
    );
  }
}
