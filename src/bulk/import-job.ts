import type { Clock, PetStore } from '../client/index.js';
import type { Pet } from '../schema/pet-reader.js';
import type { FiledRows } from './rows/refused-file.js';
import type { Row, RowFault, RowFormat } from './rows/row.js';

/** Where rows come from. A file is read several times; a stream is first written to a private file beside the journal. */
export type ImportInput =
  { kind: 'file'; path: string } | { kind: 'stream'; bytes: AsyncIterable<Uint8Array> };

/** How the input is to be read. */
export interface ReadOptions {
  input: ImportInput;
  /** Default: by the name's extension (`.csv`, `.tsv`, `.json`, `.ndjson`, `.jsonl`), else by the first byte. */
  format?: RowFormat | undefined;
  /** Of CSV. Default: the one of `,` `;` tab `|` that makes the header known names. */
  delimiter?: string | undefined;
  /** True: a leading `'` that guards a cell against spreadsheets is part of the value. Default false: it is taken off. */
  csvRaw?: boolean | undefined;
  /** How many faults are kept; all are counted. Default 100. */
  faultsMax?: number | undefined;
  /** Ends the reading; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Told now and then how far the check has come. */
  onChecked?: ((progress: CheckProgress) => void) | undefined;
}

/** How far a check has come. */
export interface CheckProgress {
  rows: number;
  bytes: number;
  /** Size of the input, where it is known beforehand. */
  bytesTotal?: number;
}

/** What a check found. Rows can be sent only where `faultCount` is 0. */
export interface CheckReport {
  format: RowFormat;
  /** Of CSV, where the header could be read. */
  delimiter?: string;
  /** All rows, the faulty ones included. */
  rows: number;
  /** The first `faultsMax`, in the order of the input. */
  faults: readonly RowFault[];
  faultCount: number;
}

/** What `openImport` takes. */
export interface ImportOptions extends ReadOptions {
  /** Path of the journal. It is made where it is missing; `<journal>.input` lies beside it while a stream's rows are left. */
  journal: string;
  /** Where the rows go: the base URL, without credentials. A journal of another service is refused. */
  service: string;
  /** True: a journal that is not finished is gone on with, one that is missing is begun. Default false: it is refused. */
  resume?: boolean | undefined;
  /** For rates, and for the grace after an abort. */
  clock: Pick<Clock, 'now' | 'setTimeout'>;
}

/** What is done about rows that were sent and whose answer never came. */
export type OnUnknown =
  /** Nothing more is sent until somebody has decided. */
  | 'stop'
  /** They stay unknown, and the others are sent. */
  | 'skip'
  /**
   * After all others those are sent again that the look-up does not find; what may be one of the listed animals stays
   * unknown. A row may be created twice where not all animals can be listed.
   */
  | 'retry';

/** How the rows stand. The six from `created` to `underWay` add up to `rows`. */
export interface ImportCounts {
  rows: number;
  /** By this run. */
  created: number;
  /** By earlier runs of the same journal. */
  alreadyDone: number;
  /** By any run: the service said no, and these are not sent again. */
  refused: number;
  /** By any run: sent, and nobody knows what became of it. */
  unknown: number;
  /** Still to be sent. */
  left: number;
  /** Under way. */
  underWay: number;
  /** Refused, and in no file of refused rows yet: the next run writes it. */
  unfiled: number;
}

/** An import that is checked, locked and ready to be sent. */
export interface ImportJob {
  readonly check: CheckReport;
  /** As they stand now; `left` is what a run will send, one request each. */
  readonly counts: ImportCounts;
  /** Whether an earlier run has begun this journal. */
  readonly resumed: boolean;
  /** Whether `run` was called. */
  readonly hasRun: boolean;
  /** The file that holds the rows: the input itself, or what a stream was written to. */
  readonly inputPath: string;
  /**
   * Sends what is left. Once only. Does not reject for what goes wrong on the way: see `stopped` of the report. The store
   * has to heed `beforeSend` of its calls, by which each row is in the journal before it leaves.
   */
  run(store: Pick<PetStore, 'pets'>, options?: RunOptions): Promise<ImportReport>;
  /** Lets the journal go. What a stream was written to is removed where nothing is left to be done with it. */
  close(): Promise<void>;
}

/** What a run takes. */
export interface RunOptions {
  /** Requests under way at most. Default 4. */
  concurrency?: number | undefined;
  /** Default `stop`. */
  onUnknown?: OnUnknown | undefined;
  /** Takes no more rows, and ends the run once those under way have their answers, or after `graceMs`. */
  signal?: AbortSignal | undefined;
  /** How long answers are waited for after an abort, in milliseconds. Default 5,000. */
  graceMs?: number | undefined;
  /** Where refused rows go. Default: `pets.refused.csv` beside `pets.csv`. A file that is there already is kept, and another number taken. */
  refusedPath?: string | undefined;
  /** Told of every step. Must not throw. */
  onEvent?: ((event: ImportEvent) => void) | undefined;
}

/** A step of a run. Waits for the rate limit are events of the client that was handed in. */
export type ImportEvent =
  /** It is in the journal. */
  | { type: 'created'; row: number; line: number; pet: Pet }
  | { type: 'refused'; row: number; line: number; reason: string }
  | { type: 'unknown'; row: number; line: number; reason: string }
  /** At most ten a second, and at the end. `remainingMs` once a rate is known. */
  | {
      type: 'progress';
      counts: ImportCounts;
      elapsedMs: number;
      rowsPerSecond: number;
      remainingMs?: number;
    }
  /** No more rows are taken; those under way end. */
  | { type: 'stopping'; reason: StopReason }
  /** The animals that can be listed are compared with the rows of unknown outcome. */
  | { type: 'looking-up'; unknown: number }
  /** Rows of unknown outcome that the look-up did not find are sent again. */
  | { type: 'retrying'; rows: number };

/** Why a run ended before its rows did. */
export type StopReason =
  /** The rate limit asks for a longer wait than allowed; `retryAt` says until when. */
  | 'rate-limited'
  /** The key is not accepted, or the service refuses everything: not the fault of a row. */
  | 'rejected'
  /** No connection, or one unknown outcome after another. */
  | 'unavailable'
  /** There are rows of unknown outcome, and `onUnknown` is `stop`. */
  | 'unknown-outcome'
  /** The signal. */
  | 'aborted'
  /** The journal can't be written any more. */
  | 'journal'
  /** The input is not what was checked any more. */
  | 'input'
  /** Refused rows can't be written to their file; the next run does it. */
  | 'refused-file';

/** What became of the rows. */
export interface ImportReport {
  counts: ImportCounts;
  /** Requests to create that this run made. */
  sent: number;
  /** Absent where every row was taken. */
  stopped?: { reason: StopReason; error?: unknown; retryAt?: Date };
  /** The first 100 that this run's rows were refused with. */
  refusals: readonly { row: number; line: number; reason: string }[];
  /** Where this run has written the rows that were refused, ready to be mended; each row is in one such file only. */
  refusedFile?: FiledRows;
  /** Where earlier runs of the same journal have written theirs; absent where none has. */
  earlierRefusedFiles?: readonly FiledRows[];
  /** Rows of unknown outcome, by any run; absent where there are none. */
  unknown?: UnknownReport;
}

/** Rows that were sent and whose outcome nobody knows, and what can be listed of them. */
export interface UnknownReport {
  /** The first 100. */
  rows: readonly UnknownRow[];
  /**
   * What the look-up could see: `all` animals, a `part` of them (the service lists no more), or nothing because it
   * `failed` or the run had to end before it.
   */
  seen: 'all' | 'part' | 'failed';
}

/** A row of unknown outcome. What is listed is evidence and no proof: another may have made an animal just like it. */
export interface UnknownRow extends Row {
  /**
   * Animals with this name and category, and this status where the row gives one, that no other row of the journal is
   * known to have made. Each is told for one row only.
   */
  listed: readonly bigint[];
}
