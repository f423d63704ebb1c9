import type { OnUnknown, RowFormat } from '../../../../bulk/internal.js';
import { argument, between, oneOf, option, toggle, type ValuesOf } from '../../../command-line/flag.js';
import type { Column } from '../../../output/index.js';

/** The values of `--format`. */
const ROW_FORMATS = ['csv', 'json', 'ndjson'] as const satisfies readonly RowFormat[];
/** The values of `--on-unknown`. */
const UNKNOWN_ACTIONS = ['stop', 'skip', 'retry', 'accept-listed'] as const satisfies readonly OnUnknown[];
/** More requests would only wait for the rate limit. */
const CONCURRENCY_MAX = 64;

export const IMPORT_ARGUMENTS = {
  file: argument('<file>', 'Rows with name, category and optional status; - reads stdin'),
};

export const IMPORT_FLAGS = {
  format: option(
    '--format <format>',
    `Format: ${ROW_FORMATS.join(', ')} (detected by default)`,
    oneOf(ROW_FORMATS),
  ),
  ignoreColumns: toggle('--ignore-columns', 'Ignore unknown columns, and list them'),
  journal: option('--journal <file>', 'Log of requests and responses (default FILE.journal)'),
  resume: toggle('--resume', 'Continue an import that was stopped'),
  concurrency: option(
    '--concurrency <n>',
    `Maximum requests in flight, 1 to ${String(CONCURRENCY_MAX)} (default 8)`,
    between(1, CONCURRENCY_MAX),
  ),
  onUnknown: option(
    '--on-unknown <action>',
    'For rows without a response: stop, skip, retry or accept-listed',
    oneOf(UNKNOWN_ACTIONS),
    'stop',
  ),
};

/** Options of `pets import`. */
export type ImportOptions = ValuesOf<typeof IMPORT_ARGUMENTS> & ValuesOf<typeof IMPORT_FLAGS>;

/** The summary for people. */
export const SUMMARY_COLUMNS: readonly Column[] = [
  { field: 'created', header: 'created' },
  { field: 'alreadyDone', header: 'already done' },
  { field: 'rejected', header: 'rejected' },
  { field: 'unknown', header: 'unknown' },
  { field: 'left', header: 'left' },
];

/** The fields of the summary in JSON. */
export const SUMMARY_FIELDS = [
  ...SUMMARY_COLUMNS.map(({ field }) => field),
  'rows',
  'sent',
  'journal',
  'rejectedFile',
  'rejectedFiles',
  'stopped',
  'rejectedRows',
  'unknownRows',
  'unknownSeen',
];
