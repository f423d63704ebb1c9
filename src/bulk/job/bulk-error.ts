import type { CheckReport, ImportCounts } from './import-job.js';
import { systemErrorCode, systemErrorReason } from '../../security/system-error.js';

/** Why an import can't start or continue. */
export type BulkErrorReason =
  /** The input can't be opened or read. */
  | 'unreadable'
  /** A stream is longer than 1 GiB. */
  | 'too-large'
  /** Some rows are invalid; see `check`. */
  | 'rows'
  /** Another import uses the journal. */
  | 'journal-in-use'
  /** Another process has broken the lock of the journal, or has changed or removed the journal. Nothing was changed. */
  | 'lock-lost'
  /** There is no journal to resume. */
  | 'journal-missing'
  /** The journal to resume is empty, or ends before its first row. */
  | 'journal-empty'
  /** A finished import of this journal created some of the rows. */
  | 'rows-done'
  /** Other journals of the folder have some of the rows; see `journals`. */
  | 'rows-elsewhere'
  /** The journal has unfinished rows, and `resume` is not set. */
  | 'journal-unfinished'
  /** The file is not a journal, or it is damaged before its end; see `line`. */
  | 'journal-damaged'
  /** The journal belongs to another service. */
  | 'journal-of-other-service'
  /** The journal is a symbolic link, or has a second hard link. */
  | 'journal-linked'
  /** Another user owns the journal. */
  | 'journal-foreign'
  /** Other users can write the journal. */
  | 'journal-exposed'
  /** All users can write the folder of the journal, and thus replace the journal. */
  | 'journal-folder-exposed'
  /** The journal can't be created, read or written. */
  | 'journal-unwritable'
  /** The disk is full: the journal or the copy of a stream can't be written. */
  | 'disk-full'
  /** The input differs from the input of the journal; `line` is the first different line. */
  | 'input-changed';

interface BulkErrorDetails {
  line?: number | undefined;
  check?: CheckReport | undefined;
  counts?: ImportCounts | undefined;
  journals?: readonly string[];
  hint?: string;
  cause?: unknown;
}

/** An import can't start or continue. */
export class BulkError extends Error {
  override readonly name = 'BulkError';
  readonly reason: BulkErrorReason;
  /** The line of the error in the input or the journal, from 1. */
  declare readonly line?: number;
  /** With `rows`. */
  declare readonly check?: CheckReport;
  /** With `journal-unfinished`; with `rows` if the journal was started. */
  declare readonly counts?: ImportCounts;
  /** With `rows-elsewhere`: the paths of the other journals. */
  declare readonly journals?: readonly string[];
  /** What to do. */
  declare readonly hint?: string;

  constructor(reason: BulkErrorReason, message: string, { cause, ...details }: BulkErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    Object.assign(this, details);
  }
}

/** Creates the error for the journal, or a file next to it, that can't be written. */
export function unwritable(file: string, cause: unknown): BulkError {
  const problem = diskProblem(cause);
  if (problem !== undefined) return new BulkError('disk-full', `${problem}: can't write ${file}`, { cause });
  return new BulkError('journal-unwritable', `Can't write ${file} (${systemErrorReason(cause)})`, { cause });
}

/** Codes of system errors after which no file of this size can be written. */
const FULL_DISK_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Describes an error of a full disk as the start of a sentence, such as `The disk is full`. Returns `undefined` for other
 * errors.
 */
export function diskProblem(error: unknown): string | undefined {
  if (!FULL_DISK_CODES.has(systemErrorCode(error))) return undefined;
  const reason = systemErrorReason(error);
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
}
