import {
  BulkError,
  checkRows,
  type ImportCounts,
  type ImportEvent,
  type ImportInput,
  type ImportJob,
  openImport,
} from '../../../../bulk/index.js';
import type { PetStore } from '../../../../client/index.js';
import type { Session } from '../../../session/action.js';
import type { Context } from '../../../system/context.js';
import { EXIT } from '../../../errors/exit-codes.js';
import { isJsonFormat } from '../../../session/terminal.js';
import { UsageError } from '../../../errors/usage-error.js';
import type { ImportOptions } from './import-options.js';
import { confirmCost, ROW_WAIT_MAX_MS } from './import-cost.js';
import { explainBulkError } from './import-errors.js';
import { type ImportLocation, inputPathOf, locateImport } from './import-location.js';
import { createImportProgress, type ImportProgress } from './import-progress.js';
import { SUMMARY_FIELDS } from './import-fields.js';
import { checkView, rowsOf, reportOutcome } from './import-summary.js';

/** Runs an import, or with --dry-run its check alone. */
export async function runImport(options: ImportOptions, session: Session): Promise<number> {
  const { context, global } = session;
  if (global.curl) {
    throw new UsageError(
      'petstore pets import sends a request for each row, which is nothing for --curl',
      'check the rows with --dry-run, or take --curl with petstore pets create',
    );
  }
  const progress = createImportProgress(context, global.quiet);
  if (global.dryRun) return checkOnly(options, progress, session);

  const store = await session.client({ fields: SUMMARY_FIELDS, waitMaxMs: ROW_WAIT_MAX_MS });
  const place = locateImport(options, session);
  const job = await orExplain({ options, place, progress }, session, () =>
    openImport({
      ...readOptions(options, progress, session),
      journal: place.journal,
      service: session.baseUrl,
      resume: options.resume,
      clock: context.clock,
    }),
  );
  try {
    return await send(job, { options, store, place, progress }, session);
  } finally {
    progress.clear();
    place.tidy(job.counts, job.hasRun);
    await job.close();
  }
}

async function checkOnly(
  options: ImportOptions,
  progress: ImportProgress,
  session: Session,
): Promise<number> {
  const check = await orExplain({ options, progress }, session, () =>
    checkRows(readOptions(options, progress, session)),
  );
  // As objects the faults are what was asked for; to people they are told as the run tells them.
  if (check.errorCount === 0 || isJsonFormat(session.format)) await session.print(checkView(check));
  if (check.errorCount > 0)
    throw explainBulkError(new BulkError('rows', '', { check }), options, undefined, session);
  session.note(`${rowsOf(check.rows)} ${check.rows === 1 ? 'is' : 'are'} right; nothing was sent`);
  return EXIT.ok;
}

function readOptions(
  { file, format }: ImportOptions,
  { onChecked }: ImportProgress,
  { context, global }: Session,
) {
  const { signal } = context;
  return { input: inputOf(file, context), format, csvRaw: global.csvRaw, signal, onChecked };
}

function inputOf(file: string, context: Context): ImportInput {
  if (file !== '-') return { kind: 'file', path: inputPathOf(file, context) };
  if (context.stdin.isTTY) {
    throw new UsageError(
      'stdin is a terminal, so there is nothing to read',
      'pipe the rows in, or name a file instead of -',
    );
  }
  return { kind: 'stream', bytes: context.stdin.read(context.signal) };
}

/** Reads all rows, which may take a while, and says what is wrong with them or the journal. */
async function orExplain<T>(
  { options, place, progress }: { options: ImportOptions; place?: ImportLocation; progress: ImportProgress },
  session: Session,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BulkError ? explainBulkError(error, options, place, session) : error;
  } finally {
    progress.clear();
  }
}

/** What an import works with. */
interface Running {
  options: ImportOptions;
  store: PetStore;
  place: ImportLocation;
  progress: ImportProgress;
}

async function send(
  job: ImportJob,
  { options, store, place, progress }: Running,
  session: Session,
): Promise<number> {
  const { signal } = session.context;
  const requests = requestsOf(job.counts, options);
  if (requests > 0) progress.expect(await confirmCost(requests, store, session));
  session.showLiveLine(progress);
  const report = await job.run(store, {
    concurrency: options.concurrency,
    onUnknown: options.onUnknown,
    refusedPath: place.refusedPath(job.check),
    signal,
    onEvent(event) {
      progress.onImportEvent(event);
      tellStep(event, session);
    },
  });
  progress.clear();
  return reportOutcome(report, { options, place, format: job.check.format }, session);
}

/** How many rows the run will send at the most. */
function requestsOf({ left, unknown }: ImportCounts, { onUnknown }: ImportOptions): number {
  if (onUnknown === 'retry') return left + unknown;
  return onUnknown === 'stop' && unknown > 0 ? 0 : left;
}

function tellStep(event: ImportEvent, session: Session): void {
  if (event.type === 'stopping' && event.reason === 'aborted')
    session.note('stopping: the answers under way are waited for, up to 5 s; ^C again ends at once');
  if (event.type === 'matching')
    session.note(
      `looking for ${rowsOf(event.unknown)} of unknown outcome among the animals that can be listed`,
    );
  if (event.type === 'retrying')
    session.note(`sending ${rowsOf(event.rows)} again that ${event.rows === 1 ? 'was' : 'were'} not found`);
}
