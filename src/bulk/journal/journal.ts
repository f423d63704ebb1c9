import { BulkError } from '../bulk-error.js';
import type { InputDigest } from '../input/input-digest.js';
import { type JournalFile, unwritable } from './journal-file.js';
import { LineSeal, splitLines } from './journal-line.js';
import { type JournalRecord, readRecord, writeRecord } from './journal-record.js';
import { loadJournal, planLines } from './load-journal.js';
import { RowStates } from './row-states.js';

/**
 * What an import has done and is about to do, kept so that it can end at any moment. A record counts once it is on the
 * disk; those that come while others are being written go together, in one line and one wait for the disk.
 */
export class Journal {
  readonly path: string;
  readonly #file: JournalFile;
  #seal: LineSeal;
  #states: RowStates;
  #waiting: string[] = [];
  #nextWrite: Promise<void> | undefined;
  #lastWrite: Promise<void> = Promise.resolve();

  private constructor(path: string, file: JournalFile, seal: LineSeal, states: RowStates) {
    this.path = path;
    this.#file = file;
    this.#seal = seal;
    this.#states = states;
  }

  /** Takes over a file; see `loadJournal` for what it finds and refuses. */
  static async load(file: JournalFile, path: string): Promise<LoadedJournalAndFile> {
    const found = await loadJournal(file, path).catch((error: unknown) => {
      throw error instanceof BulkError ? error : unwritable(path, error);
    });
    if (found === undefined)
      return { journal: new Journal(path, file, new LineSeal(), new RowStates(0)), found };
    return { journal: new Journal(path, file, found.seal, found.states), found };
  }

  get states(): RowStates {
    return this.#states;
  }

  /** Writes down where rows will go and what they are. Nothing may be sent before. */
  async begin(service: string, digest: InputDigest): Promise<void> {
    const seal = new LineSeal();
    const text = planLines(service, digest)
      .map((line) => seal.seal(line))
      .join('');
    try {
      await this.#file.append(text);
      await this.#file.sync();
    } catch (error) {
      throw unwritable(this.path, error);
    }
    this.#seal = seal;
    this.#states = new RowStates(digest.rows);
  }

  /** Resolves once these are on the disk. After a failure nothing is written any more. */
  write(records: readonly JournalRecord[]): Promise<void> {
    for (const record of records) this.#waiting.push(writeRecord(record));
    if (this.#nextWrite === undefined) {
      const write = this.#lastWrite.then(() => this.#writeWaiting());
      // Each caller hears of it by its own promise.
      write.catch(() => undefined);
      this.#nextWrite = write;
      this.#lastWrite = write;
    }
    return this.#nextWrite;
  }

  /** Those of these identifiers that a row is known to have made. */
  async createdAmong(ids: ReadonlySet<bigint>): Promise<Set<bigint>> {
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

  /** Waits for what is being written, and lets the file go. */
  async close(): Promise<void> {
    await this.#lastWrite.catch(() => undefined);
    await this.#file.close();
  }

  async #writeWaiting(): Promise<void> {
    const body = this.#waiting.join(' ');
    this.#waiting = [];
    this.#nextWrite = undefined;
    try {
      await this.#file.append(this.#seal.seal(body));
      await this.#file.sync();
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }
}

/** A journal, and what it told of an import that has begun. */
interface LoadedJournalAndFile {
  journal: Journal;
  found: Awaited<ReturnType<typeof loadJournal>>;
}
