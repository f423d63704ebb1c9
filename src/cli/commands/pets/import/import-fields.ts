import type { Column } from '../../../output/index.js';

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
  ...[
    'rows',
    'sent',
    'journal',
    'rejectedFile',
    'rejectedFiles',
    'stopped',
    'rejectedRows',
    'unknownRows',
    'unknownSeen',
  ],
];
