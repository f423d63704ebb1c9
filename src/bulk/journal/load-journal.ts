import { BulkError } from '../job/bulk-error.js';
import { BLOCK_ROWS, type BlockDigest, InputDigest, TAG_BYTES } from '../input/input-digest.js';
import type { RejectedFile } from '../rows/rejected-file.js';
import type { JournalFile } from './journal-file.js';
import {
  type Header,
  type JournalLine,
  type JournalRecord,
  LINE_MAX,
  LineChecksum,
  MAGIC,
  PLAN_BLOCK,
  PLAN_CREATED,
  readJournalHeader,
  readRecord,
  READY,
  splitLines,
} from './journal-format.js';
import { Int64Map } from './int64-map.js';
import { REASONS_MAX, RowStates } from './row-states.js';

/** The content of a journal to resume. */
export interface LoadedJournal {
  service: string;
  /** Identifies the API key, if it is known. */
  keyFingerprint: string | undefined;
  digest: InputDigest;
  states: RowStates;
  /** The rows of the created pets by their ids. */
  createdIds: Int64Map;
  /** The import before, in the same journal. */
  earlier: LoadedJournal | undefined;
  /** The rejected-rows file that was being written when the import ended. */
  savingTo: string | undefined;
  /** The rejected-rows files of earlier runs. */
  rejectedFiles: RejectedFile[];
  /** Continues the checksums of the lines. */
  checksum: LineChecksum;
}

/** The start of a line after the plan. */
const RECORD_START = /^[>=!?@[\]-]/;

/** The content of a journal, and how to repair its end. */
interface ReadResult {
  loaded: LoadedJournal | undefined;
  /** The import, if it is the only one of the file and has sent no row. It counts as no import. */
  unstarted: LoadedJournal | undefined;
  /**
   * Whether the file is empty, or ends in a plan. No import leaves such a file: it is published after its plan. So the file
   * was cut off, and rows may have been sent.
   */
  isCutOff: boolean;
  truncateAt: number | undefined;
  /** Whether the last line is complete but for its line break. */
  lacksLineBreak: boolean;
}

/**
 * Reads a journal, and removes an incomplete line that a crash left at the end. A journal can have several imports, one
 * after the other. The last one that sent a row counts. Without one, the file stays as it is.
 *
 * @throws BulkError `journal-damaged` if the file is not a journal, or a line before the last is damaged.
 */
export async function loadJournal(
  file: JournalFile,
  path: string,
): Promise<Pick<ReadResult, 'loaded' | 'unstarted' | 'isCutOff'>> {
  const { loaded, unstarted, isCutOff, truncateAt, lacksLineBreak } = await readJournal(file, path);
  if (truncateAt !== undefined) {
    await file.truncate(truncateAt);
    if (lacksLineBreak) await file.append('\n');
    await file.sync();
  }
  return { loaded, unstarted, isCutOff };
}

/**
 * Reads a journal and changes nothing.
 *
 * @returns the journal, and the length to which `loadJournal` truncates the file.
 * @throws BulkError `journal-damaged`.
 */
export async function readJournal(file: Pick<JournalFile, 'read'>, path: string): Promise<ReadResult> {
  const loader = new JournalLoader(path);
  for await (const lines of splitLines(file.read())) for (const line of lines) loader.addLine(line);
  return loader.end();
}

class JournalLoader {
  readonly #path: string;
  #checksum = new LineChecksum();
  #blocks: BlockDigest[] = [];
  #header: Header | undefined;
  #states: RowStates | undefined;
  /** The states before the plan is complete. */
  #planned: RowStates | undefined;
  /** Rows that are created by the plan. */
  #plannedCount = 0;
  #createdIds = new Int64Map(0);
  #savingTo: string | undefined;
  #rejectedFiles: RejectedFile[] = [];
  /** The import before, and where it ends. */
  #previous: ReadResult | undefined;
  #tornLine: JournalLine | undefined;
  /** The end of the last line, if it lacks only its line break. */
  #unendedAt: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  addLine(line: JournalLine): void {
    if (line.number === 1) this.#checkMagic(line);
    if (line.text.length > LINE_MAX) this.#damaged(line);
    if (this.#tornLine !== undefined) {
      // Other lines after a torn one are damage: a crash tears only the last write. A plan may be torn in several
      // lines.
      if (this.#states !== undefined || RECORD_START.test(line.text)) this.#damaged(this.#tornLine);
      return;
    }
    if (this.#states !== undefined && line.text.startsWith(MAGIC)) this.#startNext(line);
    // Reserved space follows the last line.
    const text = line.isEnded ? line.text : withoutZeros(line.text);
    const body = this.#checksum.verify(text);
    if (body !== undefined) {
      this.#read(body, line);
      if (!line.isEnded) this.#unendedAt = line.offset + text.length;
    } else if (this.#states !== undefined && !isTorn(line)) this.#damaged(line);
    else this.#tornLine = line;
  }

  end(): ReadResult {
    const [header, states] = [this.#header, this.#states];
    const none = {
      loaded: undefined,
      unstarted: undefined,
      isCutOff: false,
      truncateAt: undefined,
      lacksLineBreak: false,
    };
    if (header === undefined || states === undefined)
      return { ...(this.#previous ?? none), isCutOff: true, truncateAt: undefined };
    states.moveAll('in-flight', 'unknown');
    const loaded: LoadedJournal = {
      service: header.service,
      keyFingerprint: header.keyFingerprint,
      digest: InputDigest.of(header.rows, this.#blocks),
      states,
      createdIds: this.#createdIds,
      earlier: this.#previous?.loaded,
      savingTo: this.#savingTo,
      rejectedFiles: this.#rejectedFiles,
      checksum: this.#checksum,
    };
    if (isAllLeft(states, this.#plannedCount)) return this.#previous ?? { ...none, unstarted: loaded };
    return {
      loaded,
      unstarted: undefined,
      isCutOff: false,
      truncateAt: this.#tornLine?.offset ?? this.#unendedAt,
      lacksLineBreak: this.#unendedAt !== undefined,
    };
  }

  /** Starts the next import. If it has sent no row, the import before counts. */
  #startNext({ offset }: JournalLine): void {
    this.#previous = { ...this.end(), truncateAt: offset };
    this.#checksum = new LineChecksum();
    this.#blocks = [];
    this.#header = undefined;
    this.#states = undefined;
    this.#planned = undefined;
    this.#plannedCount = 0;
    this.#savingTo = undefined;
    this.#rejectedFiles = [];
  }

  #checkMagic({ text, isEnded }: JournalLine): void {
    if (text.startsWith(MAGIC)) return;
    // A crash can leave the size of the first write without its data. Other files must not be truncated.
    if (!isEnded && MAGIC.startsWith(withoutZeros(text))) return;
    if (text.startsWith(MAGIC.slice(0, MAGIC.indexOf('/') + 1)))
      throw new BulkError('journal-damaged', `Journal ${this.#path} was written by another version`, {
        line: 1,
      });
    throw new BulkError('journal-damaged', `${this.#path} is not an import journal`, {
      line: 1,
      isNoJournal: true,
    });
  }

  #read(body: string, line: JournalLine): void {
    if (this.#header === undefined) this.#header = readJournalHeader(body) ?? this.#damaged(line);
    else if (this.#states === undefined) this.#readPlan(body, this.#header.rows, line);
    else this.#readRecords(body, this.#states, line);
  }

  #readRecords(body: string, states: RowStates, line: JournalLine): void {
    for (const word of body.split(' ')) {
      const record = readRecord(word) ?? this.#damaged(line);
      if ('row' in record && record.row > states.rows) this.#damaged(line);
      if ('reason' in record && record.reason >= REASONS_MAX) this.#damaged(line);
      this.#apply(record, states);
    }
  }

  #readPlan(body: string, rows: number, line: JournalLine): void {
    const [, digest, tags = ''] = PLAN_BLOCK.exec(body) ?? [];
    if (digest !== undefined) {
      // A part of a text keeps the whole text in memory.
      const copy = Buffer.from(digest).toString('latin1');
      const block = { digest: copy, tags: Buffer.from(tags, 'base64url') };
      const blockRows = Math.min(rows - this.#blocks.length * BLOCK_ROWS, BLOCK_ROWS);
      if (block.tags.length !== blockRows * TAG_BYTES) this.#damaged(line);
      this.#blocks.push(block);
      return;
    }
    if (this.#blocks.length !== Math.ceil(rows / BLOCK_ROWS)) this.#damaged(line);
    if (this.#planned === undefined) {
      this.#planned = new RowStates(rows);
      this.#createdIds = new Int64Map(rows, this.#previous?.loaded?.createdIds);
    }
    const created = PLAN_CREATED.exec(body)?.[1];
    if (created !== undefined) this.#readRecords(created, this.#planned, line);
    else if (body === READY) {
      this.#states = this.#planned;
      this.#plannedCount = this.#planned.count('already-done');
    } else this.#damaged(line);
  }

  #apply(record: JournalRecord, states: RowStates): void {
    switch (record.kind) {
      case 'sent':
        states.set(record.row, 'in-flight');
        break;
      case 'created':
        states.set(record.row, 'already-done');
        this.#createdIds.set(record.id, record.row);
        break;
      case 'rejected':
      case 'unknown':
        states.set(record.row, record.kind, record.reason);
        break;
      case 'not-created':
        states.set(record.row, 'left');
        break;
      case 'reason':
        states.setReason(record.reason, record.text);
        break;
      case 'saving':
        this.#savingTo = record.path;
        break;
      case 'saved':
        if (this.#savingTo !== undefined)
          this.#rejectedFiles.push({ path: this.#savingTo, rows: states.count('rejected') });
        states.moveAll('rejected', 'rejected-saved');
        this.#savingTo = undefined;
    }
  }

  #damaged(line: JournalLine): never {
    const message = `Journal ${this.#path} is damaged in line ${String(line.number)}`;
    throw new BulkError('journal-damaged', message, { line: line.number });
  }
}

/** Whether no row of an import was sent, or each was sent without effect, such as without a connection. */
function isAllLeft(states: RowStates, planned: number): boolean {
  const left = states.count('left');
  return left > 0 && left === states.rows - planned;
}

/** Checks whether a crash can leave such a line: without its end, or with zeros that were not overwritten. */
function isTorn({ isEnded, text }: JournalLine): boolean {
  return !isEnded || text.includes('\0');
}

/** Removes zeros from the end. */
function withoutZeros(text: string): string {
  const at = text.indexOf('\0');
  return at !== -1 && text.slice(at) === '\0'.repeat(text.length - at) ? text.slice(0, at) : text;
}
