import type { CheckReport, ImportCounts } from './import-job.js';

/** Why an import can't begin. Nothing was sent. */
export type BulkFault =
  /** The input can't be opened or read. */
  | 'unreadable'
  /** Rows are wrong; `check` tells which. */
  | 'rows'
  /** Another import has the journal. */
  | 'journal-in-use'
  /** The journal has rows left, and resuming was not asked for. */
  | 'journal-unfinished'
  /** The file is no journal, or is damaged before its end; `line` tells where. */
  | 'journal-damaged'
  /** The journal is of another service. */
  | 'journal-of-another'
  /** The journal can't be made, read or written. */
  | 'journal-unwritable'
  /** The input is not what the journal was begun with; `line` is the first of the input that differs. */
  | 'input-changed';

/** What a BulkError takes besides its message. */
interface BulkErrorFacts {
  line?: number | undefined;
  check?: CheckReport | undefined;
  counts?: ImportCounts | undefined;
  cause?: unknown;
}

/** An import that can't begin, or go on. */
export class BulkError extends Error {
  override readonly name = 'BulkError';
  /** Stable name of the reason. */
  readonly fault: BulkFault;
  /** The line at fault, of the input or of the journal. */
  declare readonly line?: number;
  /** With `rows`. */
  declare readonly check?: CheckReport;
  /** With `journal-unfinished`: how the rows stand. */
  declare readonly counts?: ImportCounts;

  constructor(fault: BulkFault, message: string, facts: BulkErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.fault = fault;
    if (facts.line !== undefined) this.line = facts.line;
    if (facts.check !== undefined) this.check = facts.check;
    if (facts.counts !== undefined) this.counts = facts.counts;
  }
}
