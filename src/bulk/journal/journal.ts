import type { InputDigest } from '../input/input-digest.js';
import { type JournalFile, journalUnwritable } from './journal-file.js';
import { Int64Map } from './int64-map.js';
import {
  formatPlan,
  type JournalRecord,
  LineChecksum,
  type PlanDetails,
  writeRecord,
} from './journal-format.js';
import { type LoadedJournal, loadJournal } from './load-journal.js';
import { RowStates } from './row-states.js';

/** Space for the outcome of a row, with a reason. */
const OUTCOME_BYTES = 512;
/** Rows that become ready in one turn of the event loop share a sync, which takes longer than the turn. */
const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** The plan of a million rows has 16 MB, so it is written in parts. */
const PLAN_PART_LENGTH = 1 << 20;

/**
 * The log of an import, so that it can resume after a crash. A record is valid once it is on disk. Records that arrive
 * during a write are written together: one line and one sync.
 */
export class Journal {
  readonly path: string;
  readonly #file: JournalFile;
  #checksum: LineChecksum;
  #states: RowStates;
  #createdIds: Int64Map;
  #queue: string[] = [];
  /** Of the words in the queue, with a space after each. */
  #queueLength = 0;
  #nextWrite: Promise<void> | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  /** Moves the draft of a new import to its path, before the first record. */
  #publish: (() => void | Promise<void>) | undefined;

  private constructor(path: string, file: JournalFile, found: LoadResult['found']) {
    this.path = path;
    this.#file = file;
    this.#checksum = found?.checksum ?? new LineChecksum();
    this.#states = found?.states ?? new RowStates(0);
    this.#createdIds = found?.createdIds ?? new Int64Map(0);
  }

  /**
   * Loads a journal file.
   *
   * @throws BulkError `journal-damaged`, `journal-unwritable`.
   */
  static async load(file: JournalFile, path: string): Promise<LoadResult> {
    const {
      loaded: found,
      unstarted,
      isCutOff,
    } = await loadJournal(file, path).catch((error: unknown) => {
      throw journalUnwritable(path, error);
    });
    return {
      journal: new Journal(path, file, found),
      found,
      isUnstarted: unstarted !== undefined,
      isCutOff: isCutOff && !file.isNew,
    };
  }

  get states(): RowStates {
    return this.#states;
  }

  /** The rows of the created pets by their ids. */
  get createdIds(): Int64Map {
    return this.#createdIds;
  }

  /**
   * Writes the plan to a draft: the service and the digest of the rows. The file at the path stays as it is until the first
   * record.
   *
   * @param details.isNext whether to keep the finished imports of the file.
   * @param publish moves the draft to its path.
   */
  async start(
    service: string,
    digest: InputDigest,
    { isNext = false, ...details }: PlanDetails & { isNext?: boolean } = {},
    publish: () => void | Promise<void> = () => this.#file.publish(),
  ): Promise<void> {
    const checksum = new LineChecksum();
    try {
      this.#file.draft(isNext);
      let text = '';
      for (const line of formatPlan(service, digest, details)) {
        text += checksum.add(line);
        if (text.length < PLAN_PART_LENGTH) continue;
        await this.#file.append(text);
        text = '';
      }
      await this.#file.append(text);
      await this.#file.sync();
    } catch (error) {
      throw journalUnwritable(this.path, error);
    }
    this.#publish = publish;
    this.#checksum = checksum;
    this.#states = new RowStates(digest.rows);
    this.#createdIds = new Int64Map(digest.rows, isNext ? this.#createdIds : undefined);
    for (const [row, id] of details.created ?? []) {
      this.#states.set(row, 'already-done');
      this.#createdIds.set(id, row);
    }
  }

  /**
   * Writes records. Resolves when they are on disk. After a failure nothing more is written. A row is recorded as sent
   * only if the disk has space for the outcomes of all rows in flight. Without this space, the other records are still written.
   */
  async write(records: readonly JournalRecord[]): Promise<void> {
    const words = records.map(writeRecord);
    if (records.some(({ kind }) => kind === 'sent')) this.#reserve(words);
    this.#queue.push(...words);
    this.#queueLength += lengthOf(words);
    if (this.#nextWrite === undefined) {
      const write = this.#lastWrite.then(endOfTurn).then(() => this.#writeQueue());
      // Callers handle the error of the promise that they get.
      write.catch(() => undefined);
      this.#nextWrite = write;
      this.#lastWrite = write;
    }
    return this.#nextWrite;
  }

  /**
   * Moves the draft of an import without a record to its path, so that it can resume.
   *
   * @throws BulkError `journal-unwritable`, `lock-lost`.
   */
  async publish(): Promise<void> {
    const publish = this.#publish;
    if (publish === undefined) return;
    try {
      await publish();
    } catch (error) {
      throw journalUnwritable(this.path, error);
    }
    this.#publish = undefined;
  }

  /** Waits for the current write, and closes the file. */
  async close(): Promise<void> {
    await this.#lastWrite.catch(() => undefined);
    await this.#file.close();
  }

  #reserve(words: readonly string[]): void {
    const bytes = this.#queueLength + lengthOf(words) - 1;
    try {
      this.#file.reserve(bytes + (this.#states.count('in-flight') + 1) * OUTCOME_BYTES);
    } catch (error) {
      throw journalUnwritable(this.path, error);
    }
  }

  async #writeQueue(): Promise<void> {
    const body = this.#queue.join(' ');
    this.#queue = [];
    this.#queueLength = 0;
    this.#nextWrite = undefined;
    await this.publish();
    try {
      await this.#file.append(this.#checksum.add(body));
      await this.#file.sync();
      // A process that was suspended meanwhile may have lost the lock. It must not send these rows.
      this.#file.files.assertHeld(this.path);
    } catch (error) {
      throw journalUnwritable(this.path, error);
    }
  }
}

function lengthOf(words: readonly string[]): number {
  return words.reduce((length, word) => length + word.length + 1, 0);
}

/** A journal, and its content. `found` is `undefined` if no import was started. */
interface LoadResult {
  journal: Journal;
  found: LoadedJournal | undefined;
  /** Whether the file has only an import that sent no row. */
  isUnstarted: boolean;
  /** Whether the file exists, and is empty or ends in a plan. */
  isCutOff: boolean;
}
