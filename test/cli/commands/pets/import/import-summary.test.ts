import { describeFailure } from '../../../../../src/cli/errors/describe-failure.js';
import { describe, expect, test } from 'vitest';
import type { ImportCounts, ImportReport, StopReason, UnknownRow } from '../../../../../src/bulk/index.js';
import { Interruption } from '../../../../../src/cli/system/context.js';
import type { ImportOptions } from '../../../../../src/cli/commands/pets/import/import-options.js';
import { locateImport } from '../../../../../src/cli/commands/pets/import/import-location.js';
import { reportOutcome } from '../../../../../src/cli/commands/pets/import/import-summary.js';
import { AuthenticationError, ConnectionError, RateLimitError } from '../../../../../src/errors.js';
import { sessionFor } from '../../../../support/fake-session.js';

const NOTHING: ImportCounts = {
  ...{ rows: 9, created: 0, alreadyDone: 0, rejected: 0, unknown: 0, left: 0, inFlight: 0, unsaved: 0 },
};
const RETRY_AT = new Date(2026, 0, 2, 14, 5, 10);
const limited = new RateLimitError('limited', {
  retryAt: RETRY_AT,
  retryAfterMs: 9_000,
  status: 429,
} as never);

const RESUME = 'petstore pets import pets.csv --resume';
const unknownRow = (more: Partial<UnknownRow> = {}): UnknownRow => ({
  ...{ row: 1, line: 2, pet: { name: 'Rex', categoryId: 7n }, reason: 'a time-out', listed: [], similar: [] },
  ...more,
});

async function runReport(
  counts: Partial<ImportCounts>,
  more: Partial<ImportReport> = {},
  line = 'pets.csv',
  reason?: Error,
) {
  const controller = new AbortController();
  const { session, options, stdout, stderr } = await sessionFor(`pets import ${line}`, {
    currentDirectory: '/nowhere',
    signal: controller.signal,
  });
  if (reason !== undefined) controller.abort(reason);
  // The line is for this command.
  const importOptions = options as ImportOptions;
  const report: ImportReport = { counts: { ...NOTHING, ...counts }, sent: 9, rejectedRows: [], ...more };
  const outcome = await reportOutcome(
    report,
    {
      options: importOptions,
      location: locateImport(importOptions, session),
      format: line.includes('.json') ? 'json' : 'csv',
    },
    session,
  ).then(
    (exitCode) => ({ exitCode, message: undefined, hint: undefined, retryAt: undefined }),
    (error: unknown) => describeFailure(error),
  );
  const { exitCode, message, hint, retryAt } = outcome;
  return { exitCode, message, hint, retryAt, stdout: stdout(), stderr: stderr() };
}

const stop = (reason: StopReason, error?: Error, retryAt?: Date): Partial<ImportReport> => ({
  stopped: { reason, ...(error && { error }), ...(retryAt && { retryAt }) },
});
const PART = { created: 1, left: 8 };
const UNKNOWN = { unknown: 1, left: 8 };
const offline = new ConnectionError('no');

describe('exit codes', () => {
  test.each<[string, Partial<ImportCounts>, Partial<ImportReport>, number]>([
    ['all created', { created: 9 }, {}, 0],
    ['all done before', { alreadyDone: 9 }, {}, 0],
    ['some rejected', { created: 8, rejected: 1 }, {}, 1],
    ['some unknown', { created: 7, rejected: 1, unknown: 1 }, {}, 10],
    ['stopped at unknown', UNKNOWN, stop('unknown-outcome'), 10],
    ['limited', PART, stop('rate-limited', limited, RETRY_AT), 6],
    ['limited, and unknown', UNKNOWN, stop('rate-limited', limited), 10],
    ['no connection, and unknown', UNKNOWN, stop('unavailable', offline), 10],
    ['the disk is full, and unknown', UNKNOWN, stop('journal', new Error('full')), 10],
    ['rejected key', PART, stop('rejected', new AuthenticationError('no', { status: 401 })), 3],
    ['no connection', PART, stop('unavailable', offline), 7],
    ['the disk is full', PART, stop('journal', new Error('full')), 1],
    ['the input changed', PART, stop('input', new Error('changed')), 1],
  ])('%s: %#', async (_, counts, more, exitCode) => {
    const outcome = await runReport(counts, more);
    expect(outcome.exitCode).toBe(exitCode);
    expect(outcome.stdout).toMatch(/^created\t\d\nalready done\t\d\nrejected\t\d\nunknown\t\d\nleft\t\d\n$/);
    expect(outcome.message === undefined).toBe(exitCode === 0);
  });

  test.each([130, 143, 0] as const)('interrupted with %d', async (code) => {
    const outcome = await runReport(PART, stop('aborted'), 'pets.csv', new Interruption(code));
    expect(outcome).toMatchObject({ exitCode: code, message: undefined });
    expect(outcome.stderr).toContain(`To resume, run: ${RESUME}\n`);
  });
});

describe('hints', () => {
  test('nothing was sent: no resume command', async () => {
    const { stderr } = await runReport({ left: 9 }, stop('unavailable', offline));
    expect(stderr).not.toContain('--resume');
  });

  test('rejected rows without a file: exit code 1, and the command that writes it', async () => {
    const error = Object.assign(new Error("EACCES: permission denied, open '/x'"), { code: 'EACCES' });
    expect(await runReport({ created: 8, rejected: 1 }, stop('rejected-file', error))).toMatchObject({
      exitCode: 1,
      message: "Can't write the rejected rows to a file (permission denied)",
      hint: `To resume, run: ${RESUME}`,
    });
  });

  const RETRY = `To send these rows again unless a listed pet matches, run: ${RESUME} --on-unknown retry`;
  const ACCEPT = `To count rows as created whose pets are listed, run: ${RESUME} --on-unknown accept-listed`;
  const BY_HAND = 'The list of pets is incomplete, so compare these rows in the service by hand';
  const ONLY_IF =
    'If none of the pets exists, run the command with --on-unknown retry on a terminal, which prompts';
  const MATCH = unknownRow({ listed: [5n] });
  const SIMILAR = unknownRow({ similar: [5n] });
  const compared = (coverage: 'all' | 'part', ...rows: UnknownRow[]) => ({ unknown: { coverage, rows } });
  const COMPARE =
    'Rows that match a listed pet are not sent again. Compare them with: petstore pets list --all';
  test.each<[string, Partial<ImportCounts>, Partial<ImportReport>, string]>([
    [
      '',
      { unknown: 1, left: 3 },
      {},
      `To send only the other rows, run: ${RESUME} --on-unknown skip. ${RETRY}`,
    ],
    ['', { unknown: 1 }, {}, RETRY],
    ['--on-unknown skip', { unknown: 1, left: 3 }, {}, RETRY],
    ['--on-unknown retry', { unknown: 1 }, {}, COMPARE],
    ['', { unknown: 1 }, compared('all', MATCH), ACCEPT],
    ['--on-unknown retry', { unknown: 1 }, compared('part', MATCH), ACCEPT],
    ['', { unknown: 2 }, compared('all', MATCH, unknownRow()), `${ACCEPT}. ${RETRY}`],
    ['--on-unknown retry', { unknown: 1 }, compared('all', SIMILAR), COMPARE],
    ['--on-unknown accept-listed', { unknown: 2 }, compared('all', MATCH, unknownRow()), RETRY],
    ['', { unknown: 1 }, compared('part', unknownRow()), `${BY_HAND}. ${ONLY_IF}`],
    ['--on-unknown retry --yes', { unknown: 1 }, compared('part', unknownRow()), `${BY_HAND}. ${ONLY_IF}`],
    [
      '',
      { unknown: 2, left: 3 },
      compared('part', MATCH, unknownRow()),
      `${BY_HAND}. ${ACCEPT}. To send only the other rows, run: ${RESUME} --on-unknown skip. ${ONLY_IF}`,
    ],
    [
      '--on-unknown retry --base-url https://b.test/v1 --csv-raw',
      { unknown: 1 },
      {},
      `${COMPARE} --base-url https://b.test/v1`,
    ],
    [
      '--csv-raw --on-unknown retry --base-url https://b.test/v1',
      { rejected: 1, created: 8 },
      { rejectedFile: { path: '/nowhere/pets.rejected.csv', rows: 1 } },
      'Fix these rows, then run: petstore pets import pets.rejected.csv --on-unknown retry --base-url https://b.test/v1 --csv-raw',
    ],
  ])('%s with %j', async (flags, counts, more, hint) => {
    const expected = counts.unknown === 1 ? hint.replaceAll('these rows', 'this row') : hint;
    expect((await runReport(counts, more, `pets.csv ${flags}`)).hint).toBe(expected);
  });

  test('rows rejected earlier too: every file, and a command for each', async () => {
    const earlierRejectedFiles = [{ path: '/nowhere/pets.rejected.csv', rows: 2 }];
    const rejectedFile = { path: '/nowhere/pets.rejected-2.csv', rows: 1 };
    const both = await runReport({ alreadyDone: 6, rejected: 3 }, { earlierRejectedFiles, rejectedFile });
    expect(both.stderr).toContain(
      'Rejected rows and reasons of an earlier import: pets.rejected.csv (2 rows)\n' +
        'Rejected rows and reasons: pets.rejected-2.csv (1 row)\n',
    );
    expect(both.hint).toBe(
      'Fix these rows, then run: petstore pets import pets.rejected.csv; petstore pets import pets.rejected-2.csv',
    );
    const line = 'pets.csv --json rejectedFile,rejectedFiles';
    const earlier = await runReport({ alreadyDone: 7, rejected: 2 }, { earlierRejectedFiles }, line);
    expect(earlier.stdout).toBe('{"rejectedFile":null,"rejectedFiles":["pets.rejected.csv"]}\n');
    expect(earlier.hint).toBe('Fix these rows, then run: petstore pets import pets.rejected.csv');
  });
});

test.each([
  ['all open rows match listed pets after retry: no resume command', [5n], false],
  ['an open row matches no listed pet', [], true],
  ['an open row may be an unlisted pet', [], false, 'part'],
] as const)('%s', async (_, listed, isResumable, coverage: 'all' | 'part' = 'all') => {
  const more = { unknown: { rows: [unknownRow({ listed })], coverage } };
  const line = 'pets.csv --on-unknown retry';
  const { exitCode, stderr } = await runReport({ created: 8, unknown: 1 }, more, line);
  expect(exitCode).toBe(10);
  expect(stderr.includes(`To resume, run: ${RESUME} --on-unknown retry\n`)).toBe(isResumable);
});

test('interrupted, as JSON: no unexpected error', async () => {
  const error = new Interruption(130);
  const { stdout } = await runReport(PART, stop('aborted', error), 'pets.csv --json stopped', error);
  expect(stdout).toBe('{"stopped":{"reason":"aborted","message":"interrupted","retryAt":null}}\n');
});

describe('rows on stderr', () => {
  const rejectedRows = Array.from({ length: 12 }, (_, at) => ({
    row: at + 1,
    line: at + 2,
    reason: `\u001b[2J ${String(at)}`,
  }));

  test('rejected: ten rows and a count of the others, escaped', async () => {
    const rejectedFile = { path: '/nowhere/pets.rejected.csv', rows: 12 };
    const { stderr } = await runReport({ rejected: 12 }, { rejectedRows, rejectedFile });
    expect(stderr.match(/^line \d+: rejected: \^\[\[2J \d+$/gm)).toHaveLength(10);
    expect(stderr).toContain('and 2 more\nRejected rows and reasons: pets.rejected.csv (12 rows)\n');
  });

  test('by row number in JSON, because one line can have many rows', async () => {
    const row = unknownRow({ row: 7, line: 1 });
    const { stderr } = await runReport(
      { rejected: 1, unknown: 1 },
      { rejectedRows: [{ row: 3, line: 1, reason: 'no' }], unknown: { rows: [row], coverage: 'all' } },
      'pets.json',
    );
    expect(stderr).toContain('row 3: rejected: no\n');
    expect(stderr).toContain('row 7: unknown: Rex, category 7: ');
  });

  test.each([
    ['all', [], 'matches no listed pet', false],
    ['part', [], 'matches no listed pet', true],
    ['failed', [], 'not compared with the listed pets yet', false],
    ['all', [5], 'matches pet 5', false],
    ['all', [5, 6, 7, 8], 'matches pets 5, 6, 7, …', false],
    ['all', [], 'resembles pet 9', false, [9]],
  ] as const)('unknown: %s, %j', async (seen, listed, words, isPart, similar: readonly number[] = []) => {
    const row = unknownRow({
      pet: { name: 'Rex\n', categoryId: 7n },
      listed: listed.map(BigInt),
      similar: similar.map(BigInt),
    });
    const { stderr } = await runReport({ unknown: 1 }, { unknown: { rows: [row], coverage: seen } });
    expect(stderr).toContain(`line 2: unknown: Rex^J, category 7: ${words}\n`);
    expect(stderr.includes('The list of pets is incomplete, so a pet may exist')).toBe(isPart);
  });
});

test('all fields as JSON', async () => {
  const row = unknownRow({ pet: { name: 'Rex', categoryId: 9007199254740993n }, listed: [5n] });
  const { stdout, stderr } = await runReport(
    { created: 1, unknown: 1, left: 6, inFlight: 1 },
    { ...stop('rate-limited', limited, RETRY_AT), unknown: { rows: [row], coverage: 'part' } },
    'pets.csv --json -q',
  );
  expect(stdout).toBe(
    '{"created":1,"alreadyDone":0,"rejected":0,"unknown":1,"left":7,"rows":9,"sent":9,"journal":"pets.csv.journal",' +
      '"rejectedFile":null,"rejectedFiles":[],"stopped":{"reason":"rate-limited","message":"limited","retryAt":"' +
      RETRY_AT.toISOString() +
      '"},"rejectedRows":[],"unknownRows":[{"row":1,"line":2,"name":"Rex","categoryId":9007199254740993,"reason":"a time-out","listed":[5],"similar":[]}],' +
      '"unknownSeen":"part"}\n',
  );
  expect(stderr).toBe('');
});
