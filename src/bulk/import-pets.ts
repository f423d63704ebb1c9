import { resolve } from 'node:path';
import type { PetStore } from '../client/internal.js';
import { AbortedError, ConfigurationError, InvalidInputError } from '../errors.js';
import { foreignMessage, missingDenoFlag } from '../foreign-error.js';
import { checkArgument, checkOptions } from '../options/check-argument.js';
import { type Checks, mustBe, mustBeFunction, mustBeOneOf, mustBeSignal } from '../options/check-options.js';
import { createWarningGuard, emitWarning } from '../options/guard-callback.js';
import { readIdentity } from '../security/service-identity.js';
import { minDurationOf, requestsOf } from './import-duration.js';
import { inputOf, mustBePetSource, type PetSource } from './input/pet-source.js';
import { BulkError, type BulkErrorReason } from './job/bulk-error.js';
import {
  CONCURRENCY_MAX,
  type ImportCounts,
  type ImportEvent,
  type ImportJob,
  type ImportReport,
  type ImportStopped,
  NO_ROWS,
  type OnUnknown,
  rejectedFilesOf,
  type RowCounts,
  type RunOptions,
  UNKNOWN_ACTIONS,
  type UnknownRow,
} from './job/import-job.js';
import { openImport } from './open-import.js';
import type { RejectedFile } from './rows/rejected-file.js';
import { type InputNote, ROW_FORMATS, type RowError, type RowFormat } from './rows/row.js';
import { doneOf } from './send/import-progress.js';

/** Options of `importPets`. */
export interface ImportPetsOptions {
  /**
   * Path of the journal, which records each row before its request and after its response. The command `petstore pets
   * import` has the same journal. `<journal>.input` has the rows of a stream or iterable until they are done.
   *
   * @default `<input>.journal` for a path; required for other inputs
   */
  journal?: string | undefined;
  /** For text. @default by the extension of a path, otherwise by the first character */
  format?: RowFormat | undefined;
  /** Maximum number of requests in flight, 1 to 64. @default 8 */
  concurrency?: number | undefined;
  /**
   * What to do with rows that were sent without a response.
   *
   * - `stop`: sends no more rows.
   * - `skip`: sends the other rows.
   * - `retry`: sends the other rows. After 30 s, sends these once more, unless a listed pet is alike or not all
   *   pets can be listed.
   * - `accept-listed`: sends the other rows. Counts these as created if exactly their pets are listed.
   *
   * @default 'stop'
   */
  onUnknown?: OnUnknown | undefined;
  /** Stops sending. The call ends when the requests in flight have ended, or after 5 seconds. */
  signal?: AbortSignal | undefined;
  /**
   * Called at most ten times per second while rows are sent, and at the end. Before 20 rows or more, one pet is listed
   * if the rate limit is not known. An error is a warning of the process, and the import continues.
   */
  onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** Progress of `importPets`. */
export interface ImportProgress {
  /** Rows with an outcome, or with an unknown one, of all calls. */
  done: number;
  /** All rows. */
  total: number;
  /** The mean of this call. */
  rowsPerSecond: number;
  /** Milliseconds, with waits for the rate limit. Absent while unknown. */
  remainingMs?: number;
}

/** The result of `importPets`. The counts cover all calls with the same journal. */
export interface ImportResult extends RowCounts {
  /** Errors of rows in the input. If there is one, nothing was sent. */
  invalid: number;
  /** Whether each row was created or rejected. If `false`, another call with the same journal continues. */
  complete: boolean;
  /** The first 100 errors: of invalid rows, otherwise of rows that the service rejected in this call. */
  errors: readonly RowError[];
  /** What was skipped, and what looks changed by the program that wrote the input. Such rows are sent as they are. */
  notes: readonly InputNote[];
  /** The first 100 rows of unknown outcome, with the listed pets that match them. */
  unknownRows: readonly UnknownRow[];
  /** Files with the rejected rows and the reasons. Fix a row there, and import that file. */
  rejectedFiles: readonly RejectedFile[];
  /** Absent if every row was sent. */
  stopped?: ImportStopped;
}

const CHECKS: Checks = {
  journal: mustBe(
    'the path of a file',
    (value) => typeof value === 'string' && value !== '' && !/[/\\]$/.test(value),
  ),
  format: mustBeOneOf(...ROW_FORMATS),
  concurrency: mustBe(
    `a whole number from 1 to ${String(CONCURRENCY_MAX)}`,
    (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= CONCURRENCY_MAX,
  ),
  onUnknown: mustBeOneOf(...UNKNOWN_ACTIONS),
  signal: mustBeSignal,
  onProgress: mustBeFunction,
};

/**
 * Creates a pet for each row. Validates every row before the first request. Sends no row again that has a response. Called
 * again with the same journal, it continues; so does `petstore pets import --resume`.
 *
 * Invalid and rejected rows are in the result, and so is the reason if the import stops early. A row waits for the rate limit
 * at most `retry.waitMaxMs` of the client.
 *
 * @param store a client of `createPetStore`. The caller closes it.
 * @param input the path of a file, a Readable of its text, or an iterable or async iterable of pets.
 * @throws InvalidInputError for an invalid argument, or if the input can't be read or differs from that of the journal.
 * @throws ConfigurationError if the journal can't be used: it belongs to another service or another import uses it
 *   (`retryable`).
 * @throws AbortedError if the signal aborts before the first row is sent.
 * @example
 * ```ts
 * const { created, errors, complete } = await importPets(store, 'pets.csv');
 * ```
 */
export async function importPets(
  store: PetStore,
  input: PetSource,
  options: ImportPetsOptions = {},
): Promise<ImportResult> {
  checkArgument(input, 'input', mustBePetSource);
  const read = checkOptions(options, CHECKS);
  const { format, onUnknown = 'stop', signal } = read;
  const journal = journalOf(input, read);
  const { baseUrl: service, reservePercent, ...identity } = await readIdentity(store);
  let job: ImportJob;
  try {
    job = await openImport({
      ...identity,
      input: inputOf(input, format),
      format,
      journal,
      service,
      signal,
      userId: process.geteuid?.(),
      resume: 'if-started',
      doneRows: 'skip',
    });
  } catch (error) {
    const { check, counts } = error instanceof BulkError ? error : {};
    if (check === undefined) throw startError(error, signal);
    const { rows, errors, errorCount: invalid } = check;
    return resultOf({ ...NO_ROWS, rows, left: rows, ...counts }, { errors, invalid });
  }
  try {
    if (job.hasOtherKey && (onUnknown === 'retry' || onUnknown === 'accept-listed'))
      throw otherKey(onUnknown);
    const progress = await reportProgress(job, store, { ...read, onUnknown, reservePercent });
    const { concurrency } = read;
    const report = await job.run(store, { concurrency, onUnknown, signal, ...progress });
    return resultOf(report.counts, { report, notes: job.check.notes });
  } finally {
    // As the command: after a run, the next one finds the journal, and the copy of a stream.
    const { rows, left } = job.counts;
    const isFile = typeof input === 'string' && resolve(input) !== resolve(`${journal}.input`);
    const isKept = left !== rows || rows === 0 || job.hasRun;
    // The result must not be lost.
    await job.close({ isKept, own: isFile ? [] : [`${journal}.input`] }).catch((error: unknown) => {
      const message = `Closing the journal failed: ${foreignMessage(error)}. The result of the import is complete.`;
      emitWarning({ code: 'journal-not-closed', message });
    });
  }
}

function journalOf(input: PetSource, { journal }: ImportPetsOptions): string {
  if (journal !== undefined) return journal;
  if (typeof input === 'string') return `${input}.journal`;
  throw new InvalidInputError('journal is missing', {
    field: 'journal',
    hint: 'Pass the path of a file, which is created if missing.',
  });
}

function resultOf(
  { rows, created, alreadyDone, rejected, unknown, left, inFlight, unsaved }: ImportCounts,
  {
    report,
    errors,
    invalid = 0,
    notes = [],
  }: {
    report?: ImportReport;
    errors?: readonly RowError[];
    invalid?: number;
    notes?: readonly InputNote[];
  },
): ImportResult {
  const { stopped, rejectedRows = [] } = report ?? {};
  return {
    rows,
    created,
    alreadyDone,
    rejected,
    unknown,
    left: left + inFlight,
    invalid,
    complete: left + inFlight + unknown + unsaved + invalid === 0,
    errors: errors ?? rejectedRows.map(({ reason, ...place }) => ({ ...place, message: reason })),
    notes,
    unknownRows: report?.unknown?.rows ?? [],
    rejectedFiles: report === undefined ? [] : rejectedFilesOf(report),
    ...(stopped === undefined ? {} : { stopped }),
  };
}

/** Returns the options of a run that report its progress. An error of the callback never reaches the import. */
async function reportProgress(
  { counts }: ImportJob,
  store: PetStore,
  {
    onProgress,
    onUnknown,
    signal,
    reservePercent,
  }: ImportPetsOptions & { onUnknown: OnUnknown; reservePercent: number },
): Promise<RunOptions> {
  if (onProgress === undefined) return {};
  // The rows show a failure of the service, too.
  const requests = requestsOf(counts, onUnknown);
  const minDurationMs = await minDurationOf(requests, store, { reservePercent, signal }).catch(() => 0);
  const guard = createWarningGuard('The import continues.');
  const onEvent = (event: ImportEvent): void => {
    if (event.type !== 'progress') return;
    const { counts, rowsPerSecond, remainingMs } = event;
    const remaining = remainingMs === undefined ? {} : { remainingMs };
    const progress = { done: doneOf(counts), total: counts.rows, rowsPerSecond, ...remaining };
    guard('onProgress', (): unknown => onProgress(progress));
  };
  return { minDurationMs, onEvent };
}

/** Rows of unknown outcome would be compared with the pets of another account, where they are not listed. */
function otherKey(onUnknown: OnUnknown): ConfigurationError {
  return new ConfigurationError(
    `onUnknown '${onUnknown}' compares with the pets of this API key, but another key started the journal`,
    {
      option: 'apiKey',
      hint: 'Use the key that started the import. If both keys list the same pets, run petstore pets import with --resume and --yes.',
    },
  );
}

const INPUT_REASONS: ReadonlySet<BulkErrorReason> = new Set<BulkErrorReason>([
  'unreadable',
  'too-large',
  'input-changed',
]);

/** The error of an import that can't start. Nothing was sent. */
function startError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true && error === signal.reason)
    return new AbortedError('The import was aborted; nothing was sent', { cause: error });
  const flag = missingDenoFlag(error);
  if (flag !== undefined)
    return new ConfigurationError(`The import needs a permission: ${foreignMessage(error)}`, {
      option: 'journal',
      cause: error,
      hint: `Run Deno with ${flag}.`,
    });
  if (!(error instanceof BulkError)) return error;
  const { message, reason, remedy: hint } = error;
  if (INPUT_REASONS.has(reason))
    return new InvalidInputError(message, { cause: error, hint, field: 'input' });
  return new ConfigurationError(message, {
    cause: error,
    hint,
    option: 'journal',
    retryable: reason === 'journal-in-use' || reason === 'lock-lost',
  });
}
