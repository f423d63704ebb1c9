import type { OnUnknown, RowFormat } from '../../../../bulk/index.js';
import { choice, wholeNumber } from '../../../command-line/flag-values.js';
import { UsageError } from '../../../errors/usage-error.js';

/** What `pets import` is asked for. */
export interface ImportOptions {
  /** A file of rows, or `-` for stdin. */
  file: string;
  format?: RowFormat;
  /** Where the journal is. Default: beside the file. */
  journal?: string;
  resume: boolean;
  /** Requests under way at most. */
  concurrency?: number;
  onUnknown: OnUnknown;
}

/** What `--format` takes. */
export const ROW_FORMATS = ['csv', 'json', 'ndjson'] as const satisfies readonly RowFormat[];
const UNKNOWN_WAYS = ['stop', 'skip', 'retry'] as const satisfies readonly OnUnknown[];
/** More would only wait for one another at the rate limit. */
export const CONCURRENCY_MAX = 64;

/** Checks what the parser has read. */
export function readImportOptions(file: string, flags: Readonly<Record<string, unknown>>): ImportOptions {
  const { format, journal, concurrency } = flags;
  const resume = flags.resume === true;
  if (resume && file === '-' && journal === undefined) {
    throw new UsageError(
      '--resume of stdin needs the journal that it was begun with',
      'name it with --journal; the line that was printed when it stopped does',
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
    onUnknown: choice('--on-unknown', UNKNOWN_WAYS, String(flags.onUnknown)),
  };
}
