import { BulkError } from '../bulk-error.js';
import { type BlockDigest, InputDigest } from '../input/input-digest.js';
import type { JournalFile } from './journal-file.js';
import { LineSeal, MAGIC, type PlacedLine, splitLines } from './journal-line.js';
import { type JournalRecord, readRecord, toWord } from './journal-record.js';
import { RowStates } from './row-states.js';
import type { FiledRows } from '../rows/refused-file.js';

/** What an import is told by a journal that it goes on with. */
export interface LoadedJournal {
  service: string;
  digest: InputDigest;
  states: RowStates;
  /** Where refused rows were being written to when the import ended. */
  filing: string | undefined;
  /** Where refused rows were written to before. */
  filed: FiledRows[];
  /** Seals the lines to come. */
  seal: LineSeal;
}

const PLAN = /^p ([\w-]{43}) ([\w-]{4,1024})$/;
const READY = 'ready';
/** What only stands behind the plan. */
const RECORDS = /^[>=!?@[\]-]/;

/** The lines that a journal begins with: where the rows go, and what they were. */
export function planLines(service: string, digest: InputDigest): string[] {
  return [
    `${MAGIC}${toWord({ service, rows: digest.rows })}`,
    ...digest.blocks.map((block) => `p ${block.digest} ${block.tags}`),
    READY,
  ];
}

/**
 * Reads a journal back, and cuts off what a crash left half written at its end. `undefined` where it was not begun, or
 * its plan was not finished: then nothing was ever sent, and it is empty now.
 *
 * @throws BulkError `journal-damaged` where the file is no journal, or a line before its last is not what was written.
 */
export async function loadJournal(file: JournalFile, path: string): Promise<LoadedJournal | undefined> {
  const loading = new Loading(path);
  for await (const lines of splitLines(file.read())) for (const line of lines) loading.take(line);
  const { loaded, cutAt } = loading.end();
  if (cutAt !== undefined) {
    await file.truncate(cutAt);
    await file.sync();
  }
  return loaded;
}

class Loading {
  readonly #path: string;
  readonly #seal = new LineSeal();
  readonly #blocks: BlockDigest[] = [];
  #header: { service: string; rows: number } | undefined;
  #states: RowStates | undefined;
  #filing: string | undefined;
  readonly #filed: FiledRows[] = [];
  #torn: PlacedLine | undefined;
  #isEmpty = true;

  constructor(path: string) {
    this.#path = path;
  }

  take(line: PlacedLine): void {
    this.#isEmpty = false;
    if (line.number === 1) this.#recognise(line);
    if (this.#torn !== undefined) {
      // A crash tears what was written last, and requests leave only when all before them is on the disk.
      if (this.#states !== undefined || RECORDS.test(line.text)) this.#damaged(this.#torn);
      return;
    }
    const body = line.isEnded ? this.#seal.open(line.text) : undefined;
    if (body !== undefined) this.#read(body, line);
    else if (this.#states !== undefined && !isTorn(line)) this.#damaged(line);
    else this.#torn = line;
  }

  end(): { loaded: LoadedJournal | undefined; cutAt: number | undefined } {
    const [header, states] = [this.#header, this.#states];
    if (header === undefined || states === undefined)
      return { loaded: undefined, cutAt: this.#isEmpty ? undefined : 0 };
    states.moveAll('under-way', 'unknown');
    const digest = InputDigest.of(header.rows, this.#blocks);
    return {
      loaded: {
        service: header.service,
        digest,
        states,
        filing: this.#filing,
        filed: this.#filed,
        seal: this.#seal,
      },
      cutAt: this.#torn?.offset,
    };
  }

  #recognise({ text, isEnded }: PlacedLine): void {
    if (text.startsWith(MAGIC) || (!isEnded && MAGIC.startsWith(text))) return;
    const message = text.startsWith(MAGIC.slice(0, MAGIC.indexOf('/') + 1))
      ? `the journal ${this.#path} was written by another version`
      : `${this.#path} is not the journal of an import`;
    throw new BulkError('journal-damaged', message, { line: 1 });
  }

  #read(body: string, line: PlacedLine): void {
    if (this.#header === undefined) this.#header = readHeader(body) ?? this.#damaged(line);
    else if (this.#states === undefined) this.#readPlan(body, this.#header.rows, line);
    else {
      for (const word of body.split(' ')) {
        const record = readRecord(word) ?? this.#damaged(line);
        if ('row' in record && record.row > this.#states.rows) this.#damaged(line);
        this.#apply(record, this.#states);
      }
    }
  }

  #readPlan(body: string, rows: number, line: PlacedLine): void {
    const [, digest, tags] = PLAN.exec(body) ?? [];
    if (digest !== undefined && tags !== undefined) this.#blocks.push({ digest, tags });
    else if (body === READY) this.#states = new RowStates(rows);
    else this.#damaged(line);
  }

  #apply(record: JournalRecord, states: RowStates): void {
    switch (record.kind) {
      case 'sent':
        states.set(record.row, 'under-way');
        break;
      case 'created':
        states.set(record.row, 'already-done');
        break;
      case 'refused':
      case 'unknown':
        states.set(record.row, record.kind, record.reason);
        break;
      case 'undone':
        states.set(record.row, 'left');
        break;
      case 'reason':
        states.setReason(record.reason, record.text);
        break;
      case 'filing':
        this.#filing = record.path;
        break;
      case 'filed':
        if (this.#filing !== undefined)
          this.#filed.push({ path: this.#filing, rows: states.count('refused') });
        states.moveAll('refused', 'filed');
        this.#filing = undefined;
    }
  }

  #damaged(line: PlacedLine): never {
    const message = `the journal ${this.#path} is damaged in line ${String(line.number)}`;
    throw new BulkError('journal-damaged', message, { line: line.number });
  }
}

/** Whether a crash can have left a line so: without its end, or with zeros where the disk had not got to. */
function isTorn({ isEnded, text }: PlacedLine): boolean {
  return !isEnded || text.includes('\0');
}

function readHeader(body: string): { service: string; rows: number } | undefined {
  try {
    const header = JSON.parse(body.slice(MAGIC.length)) as { service?: unknown; rows?: unknown };
    const { service, rows } = header;
    if (typeof service === 'string' && Number.isSafeInteger(rows)) return { service, rows: rows as number };
  } catch {
    // Told by the caller, with the line.
  }
  return undefined;
}
