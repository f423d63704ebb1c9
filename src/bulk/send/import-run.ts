import { resolve } from 'node:path';
import type { PetStore } from '../../client/internal.js';
import { BulkError } from '../job/bulk-error.js';
import type {
  ImportCounts,
  ImportEvent,
  OpenImportOptions,
  ImportReport,
  OnUnknown,
  RunOptions,
  StopReason,
  UnknownReport,
} from '../job/import-job.js';
import { type InputDigest, readVerifiedRows } from '../input/input-digest.js';
import { journalUnwritable } from '../journal/journal-file.js';
import { LockLostError } from '../../security/locked-file.js';
import type { LockedFiles } from '../../security/locked-files.js';
import type { Journal } from '../journal/journal.js';
import {
  draftRejected,
  isSameContent,
  isWritten,
  publishRejected,
  type RejectedFile,
  rejectedPathOf,
} from '../rows/rejected-file.js';
import type { Row, RowSource } from '../rows/row.js';
import type { RowLayout } from '../rows/row-writer.js';
import { classifyFailure } from './create-failure.js';
import { type ListedMatches, findListedPets, reportUnknown } from './find-listed-pets.js';
import { createProgress } from './import-progress.js';
import { RowSender } from './row-sender.js';

/** The opened import that a run continues. */
export interface RunInput {
  /** The copy of a stream gets another path before the first record. */
  source: RowSource;
  digest: InputDigest;
  layout: RowLayout;
  journal: Journal;
  /** Changes files while the journal is locked. */
  files: LockedFiles;
  /** The rejected-rows file that an earlier run was writing when it ended. */
  savingTo: string | undefined;
  /** The rejected-rows files of earlier runs. */
  rejectedFiles: readonly RejectedFile[];
  clock: OpenImportOptions['clock'];
}

/** Default concurrency. More is faster, but leaves more unknown rows if the process is killed. */
export const CONCURRENCY = 8;
const GRACE_MS = 5_000;
/**
 * Wait before rows of unknown outcome are sent again. A slow service may create their pets meanwhile. Each run waits,
 * because it does not know the last attempt of an earlier run.
 */
const RETRY_AFTER_MS = 30_000;

/** Counts the rows of a journal by state. */
export function countRows({ states }: Pick<Journal, 'states'>): ImportCounts {
  return {
    rows: states.rows,
    created: states.count('created'),
    alreadyDone: states.count('already-done'),
    rejected: states.count('rejected') + states.count('rejected-saved'),
    unknown: states.count('unknown'),
    left: states.count('left'),
    inFlight: states.count('in-flight'),
    unsaved: states.count('rejected'),
  };
}

/** Sends the rows that are left, matches rows of unknown outcome with listed pets, and saves rejected rows. */
export class ImportRun {
  readonly #store: Pick<PetStore, 'pets'>;
  readonly #input: RunInput;
  readonly #options: RunOptions;
  readonly #progress: (isLast?: boolean) => void;
  readonly #sender: RowSender;
  readonly #rejectedFiles: RejectedFile[];

  constructor(store: Pick<PetStore, 'pets'>, input: RunInput, options: RunOptions) {
    const { journal, clock } = input;
    const { onEvent, minDurationMs } = options;
    const emit = (event: ImportEvent): void => onEvent?.(event);
    this.#store = store;
    this.#input = input;
    this.#rejectedFiles = [...input.rejectedFiles];
    this.#options = options;
    this.#progress = createProgress(clock, emit, () => countRows(journal), minDurationMs);
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
        this.#progress();
      },
    });
  }

  async run(): Promise<ImportReport> {
    const { journal } = this.#input;
    const { onUnknown = 'stop' } = this.#options;
    await this.#stopOnError(() => this.#completeSaving(), 'rejected-file');
    this.#progress(true);
    if (onUnknown === 'stop' && this.#unknown > 0) this.#sender.stop({ reason: 'unknown-outcome' });
    if (journal.states.count('left') > 0) await this.#send((row) => journal.states.get(row) === 'left');
    const unknown = this.#unknown === 0 ? undefined : await this.#resolveUnknown(onUnknown);
    const rejectedFile = await this.#stopOnError(() => this.#saveRejected(), 'rejected-file');
    this.#progress(true);
    const { stopped, sent, rejectedRows } = this.#sender;
    return {
      counts: countRows(journal),
      sent,
      rejectedRows,
      ...(stopped === undefined ? {} : { stopped }),
      ...(rejectedFile === undefined ? {} : { rejectedFile }),
      ...(this.#rejectedFiles.length === 0 ? {} : { earlierRejectedFiles: this.#rejectedFiles }),
      ...(unknown === undefined ? {} : { unknown }),
    };
  }

  get #unknown(): number {
    return this.#input.journal.states.count('unknown');
  }

  #rows(isWanted: (row: number) => boolean): AsyncGenerator<Row> {
    return readVerifiedRows(this.#input.source, this.#input.digest, isWanted);
  }

  #unknownRows(): AsyncGenerator<Row> {
    const { states } = this.#input.journal;
    return this.#rows((row) => states.get(row) === 'unknown');
  }

  async #send(isWanted: (row: number) => boolean): Promise<void> {
    await this.#sender.send(this.#rows(isWanted));
  }

  /** Matches rows of unknown outcome with listed pets. Sends the unmatched rows again, or accepts the matched ones. */
  async #resolveUnknown(onUnknown: OnUnknown): Promise<UnknownReport | undefined> {
    const isRetry = onUnknown === 'retry' && this.#sender.stopped === undefined;
    if (isRetry) {
      this.#options.onEvent?.({ type: 'waiting', rows: this.#unknown, delayMs: RETRY_AFTER_MS });
      await this.#sender.wait(RETRY_AFTER_MS);
    }
    let found = await this.#stopOnError(() => this.#findListed());
    if (isRetry && found !== undefined && (await this.#retry(found))) {
      if (this.#unknown === 0) return undefined;
      found = await this.#stopOnError(() => this.#findListed());
    }
    if (found === undefined)
      return this.#stopOnError(() => reportUnknown(this.#unknownRows(), this.#input.journal));
    const listed = found;
    return onUnknown === 'accept-listed'
      ? this.#stopOnError(() => this.#acceptListed(listed))
      : listed.report;
  }

  /** Sends each row that no listed pet may belong to once more. Returns whether it sent rows. */
  async #retry({ matches: { similar }, report }: ListedMatches): Promise<boolean> {
    const rows = this.#unknown - similar.size;
    if (rows === 0 || (report.coverage === 'part' && !(await this.#confirmIncomplete(rows)))) return false;
    this.#options.onEvent?.({ type: 'retrying', rows });
    const { states } = this.#input.journal;
    await this.#send((row) => states.get(row) === 'unknown' && !similar.has(row));
    return true;
  }

  async #confirmIncomplete(rows: number): Promise<boolean> {
    const { confirmIncomplete } = this.#options;
    return (await this.#stopOnError(async () => confirmIncomplete?.(rows), 'aborted')) === true;
  }

  /** Records rows of unknown outcome as created if it is certain which listed pet is theirs. */
  async #acceptListed({ exact, report, matches }: ListedMatches): Promise<UnknownReport | undefined> {
    const { journal } = this.#input;
    if (exact.size === 0) return report;
    await journal.write([...exact].map(([row, id]) => ({ kind: 'created', row, id })));
    for (const [row, id] of exact) {
      journal.states.set(row, 'created');
      journal.createdIds.set(id, row);
    }
    this.#options.onEvent?.({ type: 'accepted', rows: exact.size });
    if (this.#unknown === 0) return undefined;
    return reportUnknown(this.#unknownRows(), journal, report.coverage, matches);
  }

  /** Matches rows of unknown outcome with listed pets. Returns `undefined` if pets can't be listed. */
  async #findListed(): Promise<ListedMatches | undefined> {
    const { stopped } = this.#sender;
    if (stopped !== undefined && stopped.reason !== 'unknown-outcome') return undefined;
    this.#options.onEvent?.({ type: 'matching', unknown: this.#unknown });
    try {
      return await findListedPets(
        this.#store,
        this.#input.journal,
        this.#unknownRows(),
        this.#options.signal,
      );
    } catch (error) {
      if (error instanceof BulkError) throw error;
      const outcome = classifyFailure(error);
      this.#sender.stop(outcome.kind === 'not-created' ? outcome.stop : { reason: 'unavailable', error });
      return undefined;
    }
  }

  /**
   * Records a rejected-rows file that an earlier run wrote without recording it. A file with other content may belong to
   * another import. Then, or without a file, this run saves the rows.
   */
  async #completeSaving(): Promise<void> {
    const { savingTo, journal } = this.#input;
    if (savingTo === undefined || !(await isWritten(savingTo))) return;
    const draft = await this.#draftRejected();
    const isOwn = await isSameContent(draft, savingTo);
    this.#input.files.remove(draft);
    if (!isOwn) return;
    await journal.write([{ kind: 'saved' }]);
    this.#rejectedFiles.push({ path: savingTo, rows: journal.states.count('rejected') });
    journal.states.moveAll('rejected', 'rejected-saved');
  }

  async #saveRejected(): Promise<RejectedFile | undefined> {
    const { journal, layout, source, files } = this.#input;
    const { states } = journal;
    const rows = states.count('rejected');
    if (rows === 0) return undefined;
    const { rejectedPath = rejectedPathOf(source.path, layout.format, layout.delimiter) } = this.#options;
    // Absolute: the next run can have another current directory.
    const wanted = resolve(rejectedPath);
    const draft = await this.#draftRejected();
    // The journal must not be more durable than the name of the file.
    const path = await publishRejected(files, draft, wanted, (next) =>
      journal.write([{ kind: 'saving', path: next }]),
    );
    await journal.write([{ kind: 'saved' }]);
    states.moveAll('rejected', 'rejected-saved');
    return { path, rows };
  }

  #draftRejected(): Promise<string> {
    const { journal, files, layout } = this.#input;
    const { states } = journal;
    const rows = this.#rows((row) => states.get(row) === 'rejected');
    return draftRejected(files, rows, (row) => states.reason(row), layout);
  }

  /**
   * Runs work outside of requests. An error stops the run instead of rejecting, so that the report is still returned.
   *
   * @param reason for errors other than a `BulkError`.
   */
  async #stopOnError<T>(work: () => Promise<T>, reason: StopReason = 'journal'): Promise<T | undefined> {
    try {
      return await work();
    } catch (cause) {
      const isLost = cause instanceof LockLostError;
      const error = isLost ? journalUnwritable(this.#input.journal.path, cause) : cause;
      this.#sender.stop({ reason: error instanceof BulkError ? stopOf(error) : reason, error });
      return undefined;
    }
  }
}

function stopOf({ reason }: BulkError): StopReason {
  const isJournal = ['journal-unwritable', 'lock-lost', 'disk-full'].includes(reason);
  return isJournal ? 'journal' : 'input';
}
