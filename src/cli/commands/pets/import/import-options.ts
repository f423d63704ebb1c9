import type { OnUnknown, RowFormat } from '../../../../bulk/index.js';
import { choice, wholeNumber } from '../../../command-line/flag-values.js';
import { UsageError } from '../../../errors/usage-error.js';

/** Options of `pets import`. */
export interface ImportOptions {
  /** A file of rows, or `-` for stdin. */
  file: string;
  format?: RowFormat;
  /** Path of the journal. Default: next to the file. */
  journal?: string;
  resume: boolean;
  /** Maximum number of requests in flight. */
  concurrency?: number;
  onUnknown: OnUnknown;
  /** Whether unknown columns are ignored. */
  ignoreColumns: boolean;
}

/** The values of `--format`. */
export const ROW_FORMATS = ['csv', 'json', 'ndjson'] as const satisfies readonly RowFormat[];
/** The values of `--on-unknown`. */
export const UNKNOWN_ACTIONS = [
  'stop',
  'skip',
  'retry',
  'accept-listed',
] as const satisfies readonly OnUnknown[];
/** More requests would only wait for the rate limit. */
export const CONCURRENCY_MAX = 64;

/** Validates the flags. */
export function readImportOptions(file: string, flags: Readonly<Record<string, unknown>>): ImportOptions {
  const { format, journal, concurrency } = flags;
  const resume = flags.resume === true;
  if (resume && file === '-' && journal === undefined) {
    throw new UsageError(
      '--resume with stdin needs a journal',
      'Pass --journal. The command that was printed when the import stopped has it.',
    );
  }
  return {
    file,
    ...(typeof format === 'string' ? { format: choice('--format', ROW_FORMATS, format) } : {}),
    ...(typeof journal === 'string' ? { journal } : {}),
    resume,
    ...(typeof concurrency === 'string'
      ? { concurrency: wholeNumber('--concurrency', 1, CONCURRENCY_MAX, concurrency) }
      : {}),
    onUnknown: choice('--on-unknown', UNKNOWN_ACTIONS, String(flags.onUnknown)),
    ignoreColumns: flags.ignoreColumns === true,
  };
}
