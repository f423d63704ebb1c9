import { resolve } from 'node:path';
import type { PetStore } from '../../client/index.js';
import { BulkError } from '../bulk-error.js';
import { judgeFailure } from './create-outcome.js';
import type {
  ImportCounts,
  ImportEvent,
  ImportOptions,
  ImportReport,
  RunOptions,
  StopReason,
  UnknownReport,
} from '../import-job.js';
import { ImportProgress } from './import-progress.js';
import type { InputDigest } from '../input/input-digest.js';
import type { Journal } from '../journal/journal.js';
import { type LookUp, lookUp, withoutLookUp } from './look-up.js';
import { type FiledRows, isWritten, refusedPathOf, unusedPath, writeRefused } from '../rows/refused-file.js';
import type { Row } from '../rows/row.js';
import { RowSender } from './row-sender.js';
import type { RowLayout } from '../rows/row-writer.js';
import type { RowSource } from '../rows/row-reader.js';
import { verifiedRows } from '../input/verified-rows.js';

/** What a run works on. */
export interface RunInput {
  source: RowSource;
  digest: InputDigest;
  layout: RowLayout;
  journal: Journal;
  /** Where an earlier run was writing refused rows to when it ended. */
  filing: string | undefined;
  /** Where earlier runs have written them to. */
  filed: readonly FiledRows[];
  clock: ImportOptions['clock'];
}

/** With one request under way at a time an import is slow; with many, a kill leaves many rows unknown. */
const CONCURRENCY = 4;
/** How long answers are waited for after an abort. */
const GRACE_MS = 5_000;
/** Each round leaves a fraction of the unknown rows, unless the service loses most answers. */
const RETRY_ROUNDS_MAX = 10;

/** How the rows of a journal stand. */
export function countRows({ states }: Journal): ImportCounts {
  return {
    rows: states.rows,
    created: states.count('created'),
    alreadyDone: states.count('already-done'),
    refused: states.count('refused') + states.count('filed'),
    unknown: states.count('unknown'),
    left: states.count('left'),
    underWay: states.count('under-way'),
    unfiled: states.count('refused'),
  };
}

/** Sends what is left, settles what is unknown as far as it may, and files what was refused. */
export async function runImport(
  store: Pick<PetStore, 'pets'>,
  input: RunInput,
  options: RunOptions,
): Promise<ImportReport> {
  return new ImportRun(store, input, options).run();
}

class ImportRun {
  readonly #store: Pick<PetStore, 'pets'>;
  readonly #input: RunInput;
  readonly #options: RunOptions;
  readonly #progress: ImportProgress;
  readonly #sender: RowSender;
  readonly #filed: FiledRows[];

  constructor(store: Pick<PetStore, 'pets'>, input: RunInput, options: RunOptions) {
    const { journal, clock } = input;
    const { onEvent } = options;
    const emit = (event: ImportEvent): void => onEvent?.(event);
    this.#store = store;
    this.#input = input;
    this.#filed = [...input.filed];
    this.#options = options;
    this.#progress = new ImportProgress(clock, emit, () => countRows(journal));
    this.#sender = new RowSender({
      store,
      journal,
      clock,
      concurrency: Math.max(1, options.concurrency ?? CONCURRENCY),
      onUnknown: options.onUnknown ?? 'stop',
      signal: options.signal,
      graceMs: options.graceMs ?? GRACE_MS,
      emit: (event) => {
        emit(event);
        this.#progress.note();
      },
    });
  }

  async run(): Promise<ImportReport> {
    const { journal } = this.#input;
    const { onUnknown = 'stop' } = this.#options;
    await this.#guarded(() => this.#endFiling());
    this.#progress.note(true);
    if (onUnknown === 'stop' && this.#unknown > 0) this.#sender.stop({ reason: 'unknown-outcome' });
    if (journal.states.count('left') > 0) await this.#send((row) => journal.states.get(row) === 'left');
    const unknown = this.#unknown === 0 ? undefined : await this.#settleUnknown(onUnknown === 'retry');
    const refusedFile = await this.#guarded(() => this.#fileRefused(), 'refused-file');
    this.#progress.note(true);
    const { stopped, sent, refusals } = this.#sender;
    return {
      counts: countRows(journal),
      sent,
      refusals,
      ...(stopped === undefined ? {} : { stopped }),
      ...(refusedFile === undefined ? {} : { refusedFile }),
      ...(this.#filed.length === 0 ? {} : { earlierRefusedFiles: this.#filed }),
      ...(unknown === undefined ? {} : { unknown }),
    };
  }

  get #unknown(): number {
    return this.#input.journal.states.count('unknown');
  }

  #rows(isWanted: (row: number) => boolean): AsyncGenerator<Row> {
    return verifiedRows(this.#input.source, this.#input.digest, isWanted);
  }

  #unknownRows(): AsyncGenerator<Row> {
    const { states } = this.#input.journal;
    return this.#rows((row) => states.get(row) === 'unknown');
  }

  async #send(isWanted: (row: number) => boolean): Promise<void> {
    await this.#sender.send(this.#rows(isWanted));
  }

  /** Looks rows of unknown outcome up and, where that was asked for, sends those again that are not found. */
  async #settleUnknown(isRetry: boolean): Promise<UnknownReport | undefined> {
    for (let round = 0; ; round += 1) {
      const found = await this.#guarded(() => this.#lookUp());
      if (found === undefined) return this.#guarded(() => withoutLookUp(this.#unknownRows()));
      const again = this.#unknown - found.listed.size;
      if (!isRetry || again === 0 || round === RETRY_ROUNDS_MAX || this.#sender.stopped !== undefined)
        return found.report;
      this.#options.onEvent?.({ type: 'retrying', rows: again });
      const { states } = this.#input.journal;
      await this.#send((row) => states.get(row) === 'unknown' && !found.listed.has(row));
      if (this.#unknown === 0) return undefined;
    }
  }

  /** `undefined` where nothing can be looked up any more. */
  async #lookUp(): Promise<LookUp | undefined> {
    const { stopped } = this.#sender;
    if (stopped !== undefined && stopped.reason !== 'unknown-outcome') return undefined;
    this.#options.onEvent?.({ type: 'looking-up', unknown: this.#unknown });
    try {
      return await lookUp(this.#store, this.#input.journal, this.#unknownRows(), this.#options.signal);
    } catch (error) {
      if (error instanceof BulkError) throw error;
      const outcome = judgeFailure(error);
      this.#sender.stop(outcome.kind === 'undone' ? outcome.stop : { reason: 'unavailable', error });
      return undefined;
    }
  }

  /** A file that is there was written whole; one that is not was never begun, and its rows are filed with this run's. */
  async #endFiling(): Promise<void> {
    const { filing, journal } = this.#input;
    if (filing === undefined || !(await isWritten(filing))) return;
    await journal.write([{ kind: 'filed' }]);
    this.#filed.push({ path: filing, rows: journal.states.count('refused') });
    journal.states.moveAll('refused', 'filed');
  }

  async #fileRefused(): Promise<FiledRows | undefined> {
    const { journal, layout, source } = this.#input;
    const { states } = journal;
    const rows = states.count('refused');
    if (rows === 0) return undefined;
    const wanted = this.#options.refusedPath ?? refusedPathOf(source.path, layout.format, layout.delimiter);
    // Absolute: the run that goes on from here may be started elsewhere.
    const path = await unusedPath(resolve(wanted));
    await journal.write([{ kind: 'filing', path }]);
    const refused = this.#rows((row) => states.get(row) === 'refused');
    await writeRefused(path, refused, (row) => states.reason(row), layout);
    await journal.write([{ kind: 'filed' }]);
    states.moveAll('refused', 'filed');
    return { path, rows };
  }

  /** What goes wrong beside the requests stops the run, and its report is given all the same. */
  async #guarded<T>(work: () => Promise<T>, otherwise: StopReason = 'journal'): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const known =
        error instanceof BulkError ? (error.fault === 'journal-unwritable' ? 'journal' : 'input') : otherwise;
      this.#sender.stop({ reason: known, error });
      return undefined;
    }
  }
}
