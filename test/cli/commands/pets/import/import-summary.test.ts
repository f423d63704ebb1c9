import { describeFailure } from '../../../../../src/cli/errors/describe-failure.js';
import { beforeAll, expect, test } from 'vitest';
import type { ImportCounts, ImportReport, StopReason, UnknownRow } from '../../../../../src/bulk/internal.js';
import { NO_ROWS } from '../../../../../src/bulk/job/import-job.js';
import { Interruption } from '../../../../../src/cli/system/context.js';
import type { ImportOptions } from '../../../../../src/cli/commands/pets/import/import-options.js';
import { locateImport } from '../../../../../src/cli/commands/pets/import/import-location.js';
import { reportOutcome } from '../../../../../src/cli/commands/pets/import/import-summary.js';
import { AuthenticationError, ConnectionError, RateLimitError } from '../../../../../src/errors.js';
import { sessionFor } from '../../../../support/fake-session.js';

const retryAt = new Date(Date.UTC(2026, 0, 2, 14, 5, 10));
const limited = new RateLimitError('limited', { retryAt, retryAfterMs: 9_000, status: 429 } as never);
const refused = new AuthenticationError('no', { status: 401 });
const offline = new ConnectionError('no');
const denied = Object.assign(new Error("EACCES: permission denied, open '/x'"), { code: 'EACCES' });
const stop = (reason: StopReason, error?: Error): Partial<ImportReport> => ({
  stopped: { reason, ...(error && { error }), ...(error === limited && { retryAt }) },
});

const PART = { created: 1, left: 8 };
const UNKNOWN = { unknown: 1, left: 8 };
const row: UnknownRow = {
  row: 1,
  line: 2,
  pet: { name: 'Rex\n', categoryId: 9007199254740993n },
  reason: 'a time-out',
  listed: [],
  similar: [],
};
const match = { ...row, listed: [5n] };
const matches = { ...row, listed: [5n, 6n, 7n, 8n] };
const similar = { ...row, similar: [9n] };
const compared = (coverage: 'all' | 'part' | 'failed', ...rows: UnknownRow[]): Partial<ImportReport> => ({
  unknown: { coverage, rows },
});
const file = (name: string, rows: number) => ({ path: `/nowhere/${name}`, rows });
const rejectedRows = Array.from({ length: 12 }, (_, at) => ({
  row: at + 1,
  line: at + 2,
  reason: `\u001b[2J ${String(at)}`,
}));
const earlier = { earlierRejectedFiles: [file('pets.rejected.csv', 2)] };

type Reported = readonly [
  line: string,
  counts: Partial<ImportCounts>,
  more?: Partial<ImportReport>,
  interruption?: Error,
];

const REPORTS: Readonly<Record<string, readonly Reported[]>> = {
  'Nothing to do': [
    ['pets.csv', { created: 9 }],
    ['pets.csv', { alreadyDone: 9 }],
  ],
  'A stop, and what wins if rows are unknown': [
    ['pets.csv', UNKNOWN, stop('unknown-outcome')],
    ['pets.csv', PART, stop('rate-limited', limited)],
    ['pets.csv', UNKNOWN, stop('rate-limited', limited)],
    ['pets.csv', PART, stop('rejected', refused)],
    ['pets.csv', PART, stop('unavailable', offline)],
    ['pets.csv', UNKNOWN, stop('unavailable', offline)],
    ['pets.csv', PART, stop('journal', new Error('full'))],
    ['pets.csv', UNKNOWN, stop('journal', new Error('full'))],
    ['pets.csv', PART, stop('input', new Error('changed'))],
    ['pets.csv', { created: 8, rejected: 1 }, stop('rejected-file', denied)],
  ],
  'Nothing was sent: no command to resume': [['pets.csv', { left: 9 }, stop('unavailable', offline)]],
  Interrupted: [
    ['pets.csv', PART, stop('aborted'), new Interruption(130)],
    ['pets.csv', PART, stop('aborted'), new Interruption(143)],
    ['pets.csv', PART, stop('aborted'), new Interruption(0)],
    ['pets.csv --json stopped', PART, stop('aborted', new Interruption(130)), new Interruption(130)],
  ],
  'Unknown rows that were not compared with a list': [
    ['pets.csv', { unknown: 1, left: 3 }],
    ['pets.csv', { unknown: 1 }],
    ['pets.csv --on-unknown skip', { unknown: 1, left: 3 }],
    ['pets.csv --on-unknown retry', { unknown: 1 }],
    ['pets.csv --on-unknown retry --base-url https://b.test/v1 --csv-raw', { unknown: 1 }],
    ['pets.csv', { unknown: 1 }, compared('failed', row)],
  ],
  'Unknown rows that were compared with the list': [
    ['pets.csv', { unknown: 1 }, compared('all', match)],
    ['pets.csv', { unknown: 1 }, compared('all', matches)],
    ['pets.csv', { unknown: 2 }, compared('all', match, row)],
    ['pets.csv --on-unknown retry', { unknown: 1 }, compared('all', similar)],
    ['pets.csv --on-unknown accept-listed', { unknown: 2 }, compared('all', match, row)],
  ],
  'Unknown rows, compared with a list that is incomplete': [
    ['pets.csv', { unknown: 1 }, compared('part', row)],
    ['pets.csv --on-unknown retry --yes', { unknown: 1 }, compared('part', row)],
    ['pets.csv --on-unknown retry', { unknown: 1 }, compared('part', match)],
    ['pets.csv --on-unknown accept-listed', { unknown: 2 }, compared('part', matches, row)],
    ['pets.csv', { unknown: 2, left: 3 }, compared('part', match, row)],
  ],
  'After retry: a command to resume only if a row has no listed pet': [
    ['pets.csv --on-unknown retry', { created: 8, unknown: 1 }, compared('all', match)],
    ['pets.csv --on-unknown retry', { created: 8, unknown: 1 }, compared('all', row)],
  ],
  'Rejected rows: ten of them, and a file to fix': [
    ['pets.csv', { rejected: 12 }, { rejectedRows, rejectedFile: file('pets.rejected.csv', 12) }],
    [
      'pets.csv --csv-raw --on-unknown retry --base-url https://b.test/v1',
      { rejected: 1, created: 8 },
      { rejectedFile: file('pets.rejected.csv', 1) },
    ],
    [
      'pets.csv',
      { alreadyDone: 6, rejected: 3 },
      { ...earlier, rejectedFile: file('pets.rejected-2.csv', 1) },
    ],
    ['pets.csv --json rejectedFile,rejectedFiles', { alreadyDone: 7, rejected: 2 }, earlier],
  ],
  'JSON: rows have a number, because one line can have many': [
    [
      'pets.json',
      { rejected: 1, unknown: 1 },
      { rejectedRows: [{ row: 3, line: 1, reason: 'no' }], ...compared('all', { ...row, row: 7, line: 1 }) },
    ],
  ],
  'A query that fails hides no outcome': [
    ['pets.csv --query abs(journal)', { created: 9 }],
    ['pets.csv --query abs(journal)', { unknown: 1 }, compared('all', row)],
    ['pets.csv --query abs(journal)', PART, stop('rejected', refused)],
    ['pets.csv --query abs(journal)', PART, stop('aborted'), new Interruption(130)],
  ],
  'All fields': [
    [
      'pets.csv --json -q',
      { created: 1, unknown: 1, left: 6, inFlight: 1 },
      { ...stop('rate-limited', limited), ...compared('part', match) },
    ],
  ],
};

beforeAll(() => {
  // The time of the next try is printed in local time.
  process.env.TZ = 'UTC';
});

// After an intended change: npx vitest run test/cli/commands/pets/import --update
test('reports of imports', async () => {
  const written: string[] = [];
  for (const [subject, reports] of Object.entries(REPORTS)) {
    written.push(`## ${subject}`);
    for (const each of reports) written.push(await reported(...each));
  }
  await expect(`${written.join('\n\n')}\n`).toMatchFileSnapshot('import-summary.txt');
});

async function reported(...[line, counts, more = {}, interruption]: Reported): Promise<string> {
  const controller = new AbortController();
  const world = { currentDirectory: '/nowhere', signal: controller.signal };
  const { session, options, stdout, stderr } = await sessionFor(`pets import ${line}`, world);
  if (interruption !== undefined) controller.abort(interruption);
  const report: ImportReport = {
    counts: { ...NO_ROWS, rows: 9, ...counts },
    sent: 9,
    rejectedRows: [],
    ...more,
  };
  // The line is for this command.
  const location = locateImport(options as ImportOptions, session);
  const format = line.includes('.json') ? 'json' : 'csv';
  const end = await reportOutcome(report, location, format, session).then(
    (exitCode) => `exitCode: ${String(exitCode)}`,
    (failure: unknown) => {
      const { message, hint = 'none', moreHints = [], exitCode } = describeFailure(failure);
      const hints = [hint, ...moreHints].map((each) => `hint: ${each}`);
      return `error: ${message}\n${hints.join('\n')}\nexitCode: ${String(exitCode)}`;
    },
  );
  return `$ petstore pets import ${line}\n${stdout()}${stderr()}${end}`.trimEnd();
}
