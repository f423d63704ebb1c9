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
  /** The journal is empty, or ends before its first row. It was cut off, because no import leaves such a journal. */
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
  isNoJournal?: boolean;
  remedy?: string;
  cause?: unknown;
}

export const KEEP_JOURNAL = 'Keep this journal: with another one, all rows are sent again.';
const CHECK_JOURNAL = `Check the journal, its owner and its permissions. ${KEEP_JOURNAL}`;
const WITHOUT_FOLDER = 'Check the path of the journal. If the journal is new, create its folder first.';

/** What to do, for the library and the command. The command says more where it knows a command line. */
export const REMEDIES: Readonly<Record<BulkErrorReason, string>> = {
  unreadable: 'Check the path.',
  'too-large': 'Save the rows to a file, then import the file. A file has no limit.',
  rows: 'Fix these rows.',
  'journal-in-use': `Wait until the other import has ended. ${KEEP_JOURNAL}`,
  'lock-lost': 'Wait until the other import has ended.',
  'journal-missing':
    'Check the path of the journal. A new journal does not know which rows were sent, and sends all of them.',
  'journal-empty': 'If it is a copy, copy it again. If no row was sent with it, remove it.',
  'rows-done': `Send only the other rows. ${KEEP_JOURNAL}`,
  'rows-elsewhere': `Resume that import. ${KEEP_JOURNAL}`,
  'journal-unfinished': 'Resume the import.',
  'journal-damaged': CHECK_JOURNAL,
  'journal-of-other-service':
    'To resume at the service of the journal, use its base URL. For another service, use another journal.',
  'journal-linked': CHECK_JOURNAL,
  'journal-foreign': CHECK_JOURNAL,
  'journal-exposed': CHECK_JOURNAL,
  'journal-folder-exposed': CHECK_JOURNAL,
  'journal-unwritable': CHECK_JOURNAL,
  'disk-full': 'Free some space, then import again.',
  'input-changed': `To resume, undo the change, and put new rows into a separate input. ${KEEP_JOURNAL}`,
};

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
  /** Whether the path of the journal, or of a file next to it, has something that is no journal with a sent row. */
  declare readonly isNoJournal?: boolean;
  /** What to do. */
  readonly remedy: string;

  constructor(reason: BulkErrorReason, message: string, { cause, ...details }: BulkErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.remedy = REMEDIES[details.isNoJournal === true ? 'journal-missing' : reason];
    Object.assign(this, details);
  }
}

/** Creates the error for the journal, or a file next to it, that can't be written. */
export function unwritable(file: string, cause: unknown): BulkError {
  const problem = diskProblem(cause);
  if (problem !== undefined) return new BulkError('disk-full', `${problem}: can't write ${file}`, { cause });
  const isWithoutFolder = systemErrorCode(cause) === 'ENOENT';
  return new BulkError('journal-unwritable', `Can't write ${file} (${systemErrorReason(cause)})`, {
    cause,
    ...(isWithoutFolder && { remedy: WITHOUT_FOLDER }),
  });
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
