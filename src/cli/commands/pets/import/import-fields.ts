import type { Column } from '../../../output/index.js';

/** The summary of an import, as people see it. */
export const SUMMARY_COLUMNS: readonly Column[] = [
  { field: 'created', header: 'created' },
  { field: 'alreadyDone', header: 'already done' },
  { field: 'refused', header: 'refused' },
  { field: 'unknown', header: 'unknown' },
  { field: 'left', header: 'left' },
];

/** What a summary has in JSON. */
export const SUMMARY_FIELDS = [
  ...SUMMARY_COLUMNS.map(({ field }) => field),
  ...[
    'rows',
    'sent',
    'journal',
    'refusedFile',
    'refusedFiles',
    'stopped',
    'refusals',
    'unknownRows',
    'unknownSeen',
  ],
];
