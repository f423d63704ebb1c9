import { BulkError } from '../bulk-error.js';
import { BLOCK_ROWS, type BlockDigest, InputDigest } from '../input/input-digest.js';
import type { RejectedFile } from '../rows/rejected-file.js';
import type { JournalFile } from './journal-file.js';
import { LINE_MAX, LineChecksum, MAGIC, type JournalLine, splitLines } from './journal-line.js';
import { type JournalRecord, readRecord, toJsonWord } from './journal-record.js';
import { REASONS_MAX, RowStates } from './row-states.js';

/** The content of a journal to resume. */
export interface LoadedJournal {
  service: string;
  digest: InputDigest;
  states: RowStates;
  /** The rejected-rows file that was being written when the import ended. */
  savingTo: string | undefined;
  /** The rejected-rows files of earlier runs. */
  rejectedFiles: RejectedFile[];
  /** Continues the checksums of the lines. */
  checksum: LineChecksum;
}

const PLAN_BLOCK = /^p ([\w-]{43}) ([\w-]{4,1024})$/;
const READY = 'ready';
/** The start of a line after the plan. */
const RECORD_START = /^[>=!?@[\]-]/;

/** Formats the plan, the first lines of a journal: the service and the digest of the rows. */
export function formatPlan(service: string, digest: InputDigest): string[] {
  return [
    `${MAGIC}${toJsonWord({ service, rows: digest.rows })}`,
    ...digest.blocks.map((block) => `p ${block.digest} ${block.tags}`),
    READY,
  ];
}

/**
 * Reads a journal, and removes an incomplete line that a crash left at the end. If the plan is incomplete, nothing was
 * sent: then empties the journal and returns `undefined`.
 *
 * @throws BulkError `journal-damaged` if the file is not a journal, or a line before the last is damaged.
 */
export async function loadJournal(file: JournalFile, path: string): Promise<LoadedJournal | undefined> {
  const { loaded, truncateAt } = await readJournal(file, path);
  if (truncateAt !== undefined) {
    await file.truncate(truncateAt);
    await file.sync();
  }
  return loaded;
}

/**
 * Reads a journal and changes nothing.
 *
 * @returns the journal, and the length to which `loadJournal` truncates the file.
 * @throws BulkError `journal-damaged`.
 */
export async function readJournal(
  file: Pick<JournalFile, 'read'>,
  path: string,
): Promise<{ loaded: LoadedJournal | undefined; truncateAt: number | undefined }> {
  const loader = new JournalLoader(path);
  for await (const lines of splitLines(file.read())) for (const line of lines) loader.addLine(line);
  return loader.end();
}

class JournalLoader {
  readonly #path: string;
  readonly #checksum = new LineChecksum();
  readonly #blocks: BlockDigest[] = [];
  #header: { service: string; rows: number } | undefined;
  #states: RowStates | undefined;
  #savingTo: string | undefined;
  readonly #rejectedFiles: RejectedFile[] = [];
  #tornLine: JournalLine | undefined;
  #isEmpty = true;

  constructor(path: string) {
    this.#path = path;
  }

  addLine(line: JournalLine): void {
    this.#isEmpty = false;
    if (line.number === 1) this.#checkMagic(line);
    if (line.text.length > LINE_MAX) this.#damaged(line);
    if (this.#tornLine !== undefined) {
      // Other lines after a torn one are damage: a crash tears only the last write. A plan may be torn in several
      // lines.
      if (this.#states !== undefined || RECORD_START.test(line.text)) this.#damaged(this.#tornLine);
      return;
    }
    const body = line.isEnded ? this.#checksum.verify(line.text) : undefined;
    if (body !== undefined) this.#read(body, line);
    else if (this.#states !== undefined && !isTorn(line)) this.#damaged(line);
    else this.#tornLine = line;
  }

  end(): { loaded: LoadedJournal | undefined; truncateAt: number | undefined } {
    const [header, states] = [this.#header, this.#states];
    if (header === undefined || states === undefined)
      return { loaded: undefined, truncateAt: this.#isEmpty ? undefined : 0 };
    states.moveAll('in-flight', 'unknown');
    const digest = InputDigest.of(header.rows, this.#blocks);
    return {
      loaded: {
        service: header.service,
        digest,
        states,
        savingTo: this.#savingTo,
        rejectedFiles: this.#rejectedFiles,
        checksum: this.#checksum,
      },
      truncateAt: this.#tornLine?.offset,
    };
  }

  #checkMagic({ text, isEnded }: JournalLine): void {
    if (text.startsWith(MAGIC)) return;
    // A crash can leave the size of the first write without its data. Other files must not be truncated.
    if (!isEnded && MAGIC.startsWith(withoutZeros(text))) return;
    const message = text.startsWith(MAGIC.slice(0, MAGIC.indexOf('/') + 1))
      ? `Journal ${this.#path} was written by another version`
      : `${this.#path} is not an import journal`;
    throw new BulkError('journal-damaged', message, { line: 1 });
  }

  #read(body: string, line: JournalLine): void {
    if (this.#header === undefined) this.#header = readHeader(body) ?? this.#damaged(line);
    else if (this.#states === undefined) this.#readPlan(body, this.#header.rows, line);
    else {
      for (const word of body.split(' ')) {
        const record = readRecord(word) ?? this.#damaged(line);
        if ('row' in record && record.row > this.#states.rows) this.#damaged(line);
        if ('reason' in record && record.reason >= REASONS_MAX) this.#damaged(line);
        this.#apply(record, this.#states);
      }
    }
  }

  #readPlan(body: string, rows: number, line: JournalLine): void {
    const [, digest, tags] = PLAN_BLOCK.exec(body) ?? [];
    if (digest !== undefined && tags !== undefined) this.#blocks.push({ digest, tags });
    else if (body === READY && this.#blocks.length === Math.ceil(rows / BLOCK_ROWS))
      this.#states = new RowStates(rows);
    else this.#damaged(line);
  }

  #apply(record: JournalRecord, states: RowStates): void {
    switch (record.kind) {
      case 'sent':
        states.set(record.row, 'in-flight');
        break;
      case 'created':
        states.set(record.row, 'already-done');
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

/** Checks whether a crash can leave such a line: without its end, or with zeros that were not overwritten. */
function isTorn({ isEnded, text }: JournalLine): boolean {
  return !isEnded || text.includes('\0');
}

/** Removes zeros from the end. */
function withoutZeros(text: string): string {
  const at = text.indexOf('\0');
  return at !== -1 && text.slice(at) === '\0'.repeat(text.length - at) ? text.slice(0, at) : text;
}

function readHeader(body: string): { service: string; rows: number } | undefined {
  try {
    const header = JSON.parse(body.slice(MAGIC.length)) as { service?: unknown; rows?: unknown };
    const { service, rows } = header;
    if (typeof service === 'string' && Number.isSafeInteger(rows) && Number(rows) >= 0)
      return { service, rows: Number(rows) };
  } catch {
    // The caller reports the line.
  }
  return undefined;
}
