import type { Clock, PetStore } from '../../client/index.js';
import { type FailedOutcome, judgeFailure, type Stop } from './create-outcome.js';
import type { ImportEvent, ImportReport, OnUnknown } from '../import-job.js';
import type { Journal } from '../journal/journal.js';
import type { JournalRecord } from '../journal/journal-record.js';
import type { Row } from '../rows/row.js';

/** What a sender works with. */
export interface SenderOptions {
  store: Pick<PetStore, 'pets'>;
  journal: Journal;
  clock: Pick<Clock, 'setTimeout'>;
  concurrency: number;
  onUnknown: OnUnknown;
  signal: AbortSignal | undefined;
  graceMs: number;
  /** Told of each row once its outcome is in the journal. */
  emit(event: ImportEvent): void;
}

/** With so many unknown outcomes one after another, the service is down, whatever is to be done about each. */
const UNKNOWN_RUN_MAX = 10;
/** Refusals that the report repeats. */
const REFUSALS_MAX = 100;

/** One row that is being sent. */
interface Sending {
  row: Row;
  /** Its reason, where it was of unknown outcome: it stays so where this attempt is not carried out. */
  earlier: number | undefined;
  /** Whether the journal has it as sent. */
  isNoted: boolean;
}

/**
 * Sends rows, several at a time: each is in the journal before its request leaves and after its answer. What waits for the
 * rate limit is not in it, so that of a process that is killed only those rows are unknown that may have left.
 */
export class RowSender {
  /** Requests to create so far. */
  sent = 0;
  /** Why no more rows are taken. */
  stopped: Stop | undefined;
  readonly refusals: ImportReport['refusals'][number][] = [];
  readonly #options: SenderOptions;
  /** Ends the calls that are under way. */
  readonly #calls = new AbortController();
  /** Ends those of them that have no request out: what waits for the rate limit must not be sent after a stop. */
  readonly #waits = new AbortController();
  #unknownRun = 0;
  #lastNote: Promise<void> = Promise.resolve();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Sends these rows; resolves once none is under way and all is in the journal. Never rejects: see `stopped`. */
  async send(rows: AsyncGenerator<Row>): Promise<void> {
    const unwatch = this.#watchSignal();
    try {
      await Promise.all(Array.from({ length: this.#options.concurrency }, () => this.#work(rows)));
      await this.#lastNote;
    } finally {
      unwatch();
      // Closes the file where rows were left in it.
      await rows.return(undefined);
    }
  }

  /** Takes no more rows. The first reason is the one that is told, but that of a journal that can't be relied upon. */
  stop(stop: Stop): void {
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
    const sending: Sending = { row, earlier, isNoted: false };
    states.set(row.row, 'under-way', earlier);
    try {
      const pet = await store.pets.create(row.pet, {
        signal: this.#calls.signal,
        waitSignal: this.#waits.signal,
        beforeSend: () => this.#noteSent(sending),
      });
      this.#unknownRun = 0;
      states.set(row.row, 'created');
      const event = { type: 'created', row: row.row, line: row.line, pet } as const;
      this.#note(row.row, [{ kind: 'created', row: row.row, id: pet.id }], event);
    } catch (error) {
      this.#settle(sending, judgeFailure(error));
    }
  }

  /** Writes down that a row is about to leave. Where that fails it does not leave, and neither do those behind it. */
  async #noteSent(sending: Sending): Promise<void> {
    if (sending.isNoted) return;
    try {
      await this.#options.journal.write([{ kind: 'sent', row: sending.row.row }]);
    } catch (error) {
      this.stop({ reason: 'journal', error });
      throw error;
    }
    sending.isNoted = true;
    // Else the end of the waits keeps it back.
    if (this.stopped === undefined) this.sent += 1;
  }

  #settle({ row, earlier, isNoted }: Sending, outcome: FailedOutcome): void {
    const { concurrency, onUnknown } = this.#options;
    if (outcome.kind === 'undone') {
      const records = this.#undo(row.row, earlier);
      // Of what is not in the journal there is nothing to take back, nor of what it could not be told.
      if (isNoted) this.#note(row.row, records);
      this.stop(outcome.stop);
      return;
    }
    this.#noteReason(row, outcome.kind, outcome.reason);
    if (outcome.kind === 'refused') {
      this.#unknownRun = 0;
      if (this.refusals.length < REFUSALS_MAX)
        this.refusals.push({ row: row.row, line: row.line, reason: outcome.reason });
      return;
    }
    this.#unknownRun += 1;
    const { error } = outcome;
    if (onUnknown === 'stop') this.stop({ reason: 'unknown-outcome', error });
    else if (this.#unknownRun >= UNKNOWN_RUN_MAX + concurrency) this.stop({ reason: 'unavailable', error });
  }

  /** The row as it was before this attempt, and the record of that. */
  #undo(row: number, earlier: number | undefined): JournalRecord[] {
    const { states } = this.#options.journal;
    if (earlier === undefined) {
      states.set(row, 'left');
      return [{ kind: 'undone', row }];
    }
    states.set(row, 'unknown', earlier);
    return [{ kind: 'unknown', row, reason: earlier }];
  }

  #noteReason({ row, line }: Row, kind: 'refused' | 'unknown', text: string): void {
    const { states } = this.#options.journal;
    const { reason, isNew } = states.numberOf(text);
    states.set(row, kind, reason);
    const told: JournalRecord[] = isNew ? [{ kind: 'reason', reason, text: states.reason(row) }] : [];
    this.#note(row, [...told, { kind, row, reason }], { type: kind, row, line, reason: text });
  }

  /** Writes an outcome down. Nobody waits for it but the end: the row that is sent next is written with it. */
  #note(row: number, records: JournalRecord[], event?: ImportEvent): void {
    const { journal, emit } = this.#options;
    this.#lastNote = journal.write(records).then(
      () => {
        if (event !== undefined) emit(event);
      },
      (error: unknown) => {
        // What the journal will say of it when it is read again.
        journal.states.set(row, 'unknown');
        this.stop({ reason: 'journal', error });
      },
    );
  }
}
