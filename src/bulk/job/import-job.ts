import type { Clock, PetStore } from '../../client/internal.js';
import type { Pet } from '../../schema/pet-reader.js';
import type { RejectedFile } from '../rows/rejected-file.js';
import type { InputNote, Row, RowError, RowFormat, RowSource } from '../rows/row.js';

/**
 * The rows as they are given; `RowSource` is the file that is read. A file is read several times. A stream is first copied to a private file next to the journal.
 */
export type RowInput = { kind: 'file'; path: string } | { kind: 'stream'; bytes: AsyncIterable<Uint8Array> };

/** How to read the input. */
export interface ReadOptions extends Omit<RowSource, 'path' | 'name'> {
  input: RowInput;
  /** Maximum number of errors to keep. All are counted. @default 100 */
  errorsMax?: number | undefined;
  /** Aborts reading. The promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called after each chunk of the input. */
  onChecked?: ((progress: CheckProgress) => void) | undefined;
}

/** Progress of a check. */
export interface CheckProgress {
  rows: number;
  bytes: number;
  /** Size of the input, if known. */
  bytesTotal?: number;
}

/** Result of a check. Rows can be sent only if `errorCount` is 0. */
export interface CheckReport {
  format: RowFormat;
  /** For CSV with a readable header. */
  delimiter?: string;
  /** With `ignoreColumns`: the names of ignored columns or fields, the first 100 of them. */
  ignored?: readonly string[];
  /** All rows, including invalid ones. */
  rows: number;
  /** The first `errorsMax`, in the order of the input. */
  errors: readonly RowError[];
  errorCount: number;
  /** What a person should know of rows that are valid. Empty if there is an error. */
  notes: readonly InputNote[];
}

/** Options of `openImport`. */
export interface OpenImportOptions extends ReadOptions {
  /**
   * Path of the journal, which is created if missing. `<journal>.input` has the rows of a stream until they are done.
   */
  journal: string;
  /**
   * The effective user. A journal that another user owns or can write is an error. Without it, as on Windows, owners and
   * modes are not checked.
   */
  userId?: number | undefined;
  /** The base URL of the service, without credentials. A journal of another service is an error. */
  service: string;
  /**
   * Whether to resume an unfinished journal; otherwise it is an error. With `true`, a missing journal is an error, because
   * its rows would be sent again.
   *
   * @default false
   */
  resume?: boolean | 'if-started' | undefined;
  /**
   * What to do with rows that equal created rows of a finished import with this journal. `stop` fails with `rows-done`,
   * `skip` counts them as done, and `send` sends them again.
   *
   * @default 'stop'
   */
  doneRows?: 'stop' | 'skip' | 'send' | undefined;
  /**
   * Whether the journals of other imports in the folder are compared, too. Rows that one of them has sent, or will send when
   * it resumes, are an error. For journals whose names are used once. @default false
   */
  comparesFolder?: boolean | undefined;
  /** Identifies the API key, which can't be recovered from it. */
  keyFingerprint?: string | undefined;
  /** For progress and for `graceMs`. */
  clock: Pick<Clock, 'now' | 'setTimeout'>;
}

/** All values of `OnUnknown`. */
export const UNKNOWN_ACTIONS: readonly OnUnknown[] = ['stop', 'skip', 'retry', 'accept-listed'];

/** The maximum of `concurrency`. More requests would only wait for the rate limit. */
export const CONCURRENCY_MAX = 64;

/** What to do with rows of unknown outcome, which were sent, and no response shows their outcome. */
export type OnUnknown =
  /** Send nothing more. */
  | 'stop'
  /** Leave them unknown, and send the others. */
  | 'skip'
  /**
   * Send all other rows first. After 30 s, send those of unknown outcome once more, unless a listed pet equals or
   * resembles them. If not all pets can be listed, they stay unknown, because their pets may exist.
   */
  | 'retry'
  /**
   * Send all other rows first. Then count those of unknown outcome as created if exactly their pets are listed. The
   * others stay unknown. Another client may have created an equal pet.
   */
  | 'accept-listed';

/** The rows of an import by state, of all calls with the same journal. */
export interface RowCounts {
  /** All rows. */
  rows: number;
  /** Rows whose pets this call created. */
  created: number;
  /** Rows whose pets earlier calls created. */
  alreadyDone: number;
  /** Rows that the service rejected. They are not sent again. */
  rejected: number;
  /** Rows that were sent without a response. Their pets may or may not exist. */
  unknown: number;
  /** Rows that were not sent. */
  left: number;
}

/** The counts of an import in progress. The six from `created` to `inFlight` add up to `rows`. */
export interface ImportCounts extends RowCounts {
  /** Sent, waiting for the response. */
  inFlight: number;
  /** Rejected, but not in a rejected-rows file yet. The next run writes it. */
  unsaved: number;
}

/** The counts of an import without rows. */
export const NO_ROWS: ImportCounts = {
  rows: 0,
  created: 0,
  alreadyDone: 0,
  rejected: 0,
  unknown: 0,
  left: 0,
  inFlight: 0,
  unsaved: 0,
};

/** An import with checked rows and a locked journal. */
export interface ImportJob {
  readonly check: CheckReport;
  /** The current counts. A run sends one request for each row in `left`. */
  readonly counts: ImportCounts;
  /** Whether an earlier run started this journal. */
  readonly resumed: boolean;
  /** The path of the finished journal of other rows, from the first record on. `close` restores it if no row was sent. */
  readonly keptJournal: string | undefined;
  /** Whether the journal was started with another API key. */
  readonly hasOtherKey: boolean;
  /** Whether `run` was called. */
  readonly hasRun: boolean;
  /** The file with the rows: the input, or the copy of a stream. */
  readonly inputPath: string;
  /**
   * Sends the rows that are left. Call it once. Does not reject if the import stops early; see `stopped` of the report.
   * The store must await `beforeSend`, so that each row is in the journal before it is sent.
   */
  run(store: Pick<PetStore, 'pets'>, options?: RunOptions): Promise<ImportReport>;
  /**
   * Releases the journal. Removes the copy of a stream if no row needs it. Changes nothing if the lock is lost.
   *
   * @param options what to remove in addition.
   */
  close(options?: CloseOptions): Promise<void>;
}

/** Options of `close`. */
export interface CloseOptions {
  /** Whether to keep the journal. @default true */
  isKept?: boolean;
  /** Files that belong to a journal that is not kept. @default none */
  own?: readonly string[];
}

/** Options of `run`. */
export interface RunOptions {
  /** Maximum number of requests in flight. @default 8 */
  concurrency?: number | undefined;
  /** @default 'stop' */
  onUnknown?: OnUnknown | undefined;
  /** Stops sending rows. The run ends when the requests in flight have ended, or after `graceMs`. */
  signal?: AbortSignal | undefined;
  /** How long to wait for responses after an abort. @default 5,000 */
  graceMs?: number | undefined;
  /**
   * File for rejected rows. If it exists, a number is added to its name.
   *
   * @default `pets.rejected.csv` next to `pets.csv`
   */
  rejectedPath?: string | undefined;
  /**
   * Whether `retry` sends rows that match no listed pet, although not all pets can be listed. Their pets may exist, so
   * that duplicates are created. @default none is sent
   */
  confirmIncomplete?: ((rows: number) => Promise<boolean>) | undefined;
  /** How long the run takes at least because of the rate limit, in milliseconds. For progress. @default 0 */
  minDurationMs?: number | undefined;
  /** Receives the events of the run. Must not throw. */
  onEvent?: ((event: ImportEvent) => void) | undefined;
}

/** A step of a run. Waits for the rate limit are events of the client. */
export type ImportEvent =
  /** The row is in the journal as created. */
  | { type: 'created'; row: number; line: number; pet: Pet }
  | { type: 'rejected'; row: number; line: number; reason: string }
  | { type: 'unknown'; row: number; line: number; reason: string; error: unknown }
  /**
   * Emitted at most ten times per second, and at the end. `remainingMs` is set once the rate is known. It includes waits
   * for the rate limit.
   */
  | {
      type: 'progress';
      counts: ImportCounts;
      elapsedMs: number;
      rowsPerSecond: number;
      remainingMs?: number;
    }
  /** No more rows are sent. Requests in flight continue. */
  | { type: 'stopping'; reason: StopReason }
  /** Listed pets are compared with the rows of unknown outcome. */
  | { type: 'matching'; unknown: number }
  /** A slow service may still create pets, so rows of unknown outcome are not sent again for this time. */
  | { type: 'waiting'; rows: number; delayMs: number }
  /** Rows of unknown outcome that match no listed pet are sent again. */
  | { type: 'retrying'; rows: number }
  /** Rows of unknown outcome are in the journal as created, because exactly their pets are listed. */
  | { type: 'accepted'; rows: number };

/** Why a run stopped early. */
export type StopReason =
  /** The rate limit requires a longer wait than allowed, until `retryAt`. */
  | 'rate-limited'
  /** The service rejects the key or the address, so it would reject every row. */
  | 'rejected'
  /** No connection, or too many unknown outcomes in a row. */
  | 'unavailable'
  /** A row has an unknown outcome, and `onUnknown` is `stop`. */
  | 'unknown-outcome'
  /** The signal was aborted. */
  | 'aborted'
  /** The journal can't be written. */
  | 'journal'
  /** The input has changed since the check. */
  | 'input'
  /** The rejected-rows file can't be written. The next run writes it. */
  | 'rejected-file';

/** Why an import stopped early. */
export interface ImportStopped {
  reason: StopReason;
  /** The error of the client, of the file system, or the reason of the signal. */
  error?: unknown;
  /** With `rate-limited`: when the next request is allowed. */
  retryAt?: Date;
}

/** Result of a run. */
export interface ImportReport {
  counts: ImportCounts;
  /** Create requests of this run. */
  sent: number;
  /** Absent if every row was sent. */
  stopped?: ImportStopped;
  /** The first 100 rejected rows of this run. */
  rejectedRows: readonly { row: number; line: number; reason: string }[];
  /** The rejected-rows file of this run. Each row is in one such file only. */
  rejectedFile?: RejectedFile;
  /** The rejected-rows files of earlier runs of the same journal, if any. */
  earlierRejectedFiles?: readonly RejectedFile[];
  /** Rows of unknown outcome of any run, if any. */
  unknown?: UnknownReport;
}

/** Returns the files with rejected rows of this import, those of earlier runs first. */
export function rejectedFilesOf({
  earlierRejectedFiles = [],
  rejectedFile,
}: ImportReport): readonly RejectedFile[] {
  return rejectedFile === undefined ? earlierRejectedFiles : [...earlierRejectedFiles, rejectedFile];
}

/** Rows of unknown outcome, and the listed pets that match them. */
export interface UnknownReport {
  /** The first 100. */
  rows: readonly UnknownRow[];
  /**
   * The pets that could be listed: `all`, `part` of them (the service lists no more), or none because listing `failed`
   * or the run ended before it.
   */
  coverage: 'all' | 'part' | 'failed';
}

/**
 * A row of unknown outcome. A listed pet does not prove that the row created it: another client may have created it.
 */
export interface UnknownRow extends Row {
  /** Why the outcome is unknown, such as a time-out. */
  reason: string;
  /**
   * Ids of listed pets with the same name and category, and the same status if the row has one. A pet that another row
   * created, or that matches an earlier row, is not included.
   */
  listed: readonly bigint[];
  /**
   * Ids of other listed pets in the same category, with any status and a similar name. Names are similar if they differ in
   * case, blanks around them and Unicode form (NFKC) only. A pet that another row created is not included.
   */
  similar: readonly bigint[];
}
