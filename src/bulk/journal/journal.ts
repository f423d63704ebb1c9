import { BulkError } from '../bulk-error.js';
import type { InputDigest } from '../input/input-digest.js';
import { type JournalFile, journalUnwritable } from './journal-file.js';
import { LineChecksum, splitLines } from './journal-line.js';
import { type JournalRecord, readRecord, writeRecord } from './journal-record.js';
import { loadJournal, formatPlan } from './load-journal.js';
import { RowStates } from './row-states.js';

/**
 * The log of an import, so that it can resume after a crash. A record is valid once it is on disk. Records that arrive
 * during a write are written together: one line and one sync.
 */
export class Journal {
  readonly path: string;
  readonly #file: JournalFile;
  #checksum: LineChecksum;
  #states: RowStates;
  #queue: string[] = [];
  #nextWrite: Promise<void> | undefined;
  #lastWrite: Promise<void> = Promise.resolve();

  private constructor(path: string, file: JournalFile, checksum: LineChecksum, states: RowStates) {
    this.path = path;
    this.#file = file;
    this.#checksum = checksum;
    this.#states = states;
  }

  /**
   * Loads a journal file.
   *
   * @throws BulkError `journal-damaged`, `journal-unwritable`.
   */
  static async load(file: JournalFile, path: string): Promise<LoadResult> {
    const found = await loadJournal(file, path).catch((error: unknown) => {
      throw error instanceof BulkError ? error : journalUnwritable(path, error);
    });
    if (found === undefined)
      return { journal: new Journal(path, file, new LineChecksum(), new RowStates(0)), found };
    return { journal: new Journal(path, file, found.checksum, found.states), found };
  }

  get states(): RowStates {
    return this.#states;
  }

  /** Writes the plan: the service and the digest of the rows. Call it before the first `write`. */
  async start(service: string, digest: InputDigest): Promise<void> {
    const checksum = new LineChecksum();
    const text = formatPlan(service, digest)
      .map((line) => checksum.add(line))
      .join('');
    try {
      await this.#file.append(text);
      await this.#file.sync();
    } catch (error) {
      throw journalUnwritable(this.path, error);
    }
    this.#checksum = checksum;
    this.#states = new RowStates(digest.rows);
  }

  /** Writes records. Resolves when they are on disk. After a failure nothing more is written. */
  write(records: readonly JournalRecord[]): Promise<void> {
    for (const record of records) this.#queue.push(writeRecord(record));
    if (this.#nextWrite === undefined) {
      const write = this.#lastWrite.then(() => this.#writeQueue());
      // Callers handle the error of the promise that they get.
      write.catch(() => undefined);
      this.#nextWrite = write;
      this.#lastWrite = write;
    }
    return this.#nextWrite;
  }

  /** Returns the given ids that belong to pets created by rows of this journal. */
  async findCreated(ids: ReadonlySet<bigint>): Promise<Set<bigint>> {
    const known = new Set<bigint>();
    await this.#lastWrite;
    for await (const lines of splitLines(this.#file.read())) {
      for (const { text } of lines) {
        for (const word of text.split(' ')) {
          const record = word.startsWith('=') ? readRecord(word) : undefined;
          if (record?.kind === 'created' && ids.has(record.id)) known.add(record.id);
        }
      }
    }
    return known;
  }

  /** Waits for the current write, and closes the file. */
  async close(): Promise<void> {
    await this.#lastWrite.catch(() => undefined);
    await this.#file.close();
  }

  async #writeQueue(): Promise<void> {
    const body = this.#queue.join(' ');
    this.#queue = [];
    this.#nextWrite = undefined;
    try {
      await this.#file.append(this.#checksum.add(body));
      await this.#file.sync();
    } catch (error) {
      throw journalUnwritable(this.path, error);
    }
  }
}

/** A journal, and its content. `found` is `undefined` if no import was started. */
interface LoadResult {
  journal: Journal;
  found: Awaited<ReturnType<typeof loadJournal>>;
}
