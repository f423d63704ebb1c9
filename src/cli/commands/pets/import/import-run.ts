import { quote } from '../../../../schema/control-characters.js';
import {
  BulkError,
  checkRows,
  type CheckReport,
  type ImportCounts,
  type RowInput,
  type ImportJob,
  openImport,
  previewImport,
  requestsOf,
} from '../../../../bulk/internal.js';
import type { PetStore } from '../../../../client/internal.js';
import { isPetStoreError } from '../../../../errors.js';
import type { Session } from '../../../session/session.js';
import { Interruption } from '../../../system/context.js';
import { EXIT } from '../../../errors/exit-codes.js';
import { describeSessionFailure } from '../../../session/session-failure.js';
import { isJsonFormat } from '../../../session/terminal.js';
import { UsageError } from '../../../errors/usage-error.js';
import { counted } from '../../../errors/counted.js';
import { readIdentity } from '../../../../security/service-identity.js';
import { type ImportOptions, SUMMARY_FIELDS } from './import-options.js';
import { noteDuration } from './import-cost.js';
import { ERRORS_MAX, explainBulkError } from './import-errors.js';
import { type ImportLocation, inputPathOf, locateImport } from './import-location.js';
import { refusePipe } from './journal-elsewhere.js';
import { createImportProgress, type ProgressDisplay, noteStep } from './import-progress.js';
import { checkView, reportOutcome } from './import-summary.js';
import { INCOMPLETE_LIST } from './unknown-hint.js';

type OpenOptions = Parameters<typeof openImport>[0];

/** Runs an import, or only validates the rows with --dry-run. */
export async function runImport(options: ImportOptions, session: Session): Promise<number> {
  const { context, global } = session;
  if (global.curl) {
    throw new UsageError(
      'petstore pets import does not support --curl: it sends one request per row',
      'Use --dry-run to validate the rows. For one pet, run "petstore pets create --curl".',
    );
  }
  if (global.mock && options.resume && options.journal === undefined) {
    throw new UsageError(
      'With --mock, there is no import to resume',
      'Run the command without --resume. The service of --mock and its journal end with each command.',
    );
  }
  context.optimizeForBulk?.();
  const progress = createImportProgress(session.status, context.clock);
  const location = locateImport(options, session);
  if (global.dryRun) return checkOnly(location, progress, session);

  const store = await session.client({ fields: SUMMARY_FIELDS, isBulk: true });
  const { baseUrl: service, keyFingerprint } = await readIdentity(store);
  const job = await withExplainedErrors(location, session, () =>
    openOrAsk(
      {
        ...readOptions(options, progress, session),
        journal: location.journal,
        userId: context.userId,
        service,
        keyFingerprint,
        resume: options.resume,
        doneRows: options.resume ? 'skip' : 'stop',
        comparesFolder: location.hasOwnJournal,
        clock: context.clock,
      },
      (error) => explainBulkError(error, location, session).message,
      session,
    ),
  );
  try {
    noteReading(job.check, session);
    if (job.hasOtherKey) checkOtherKey(options, session);
    const resume = location.hasOwnJournal ? location.resumeCommand() : undefined;
    if (resume !== undefined) session.note(`If this import is killed, resume it with: ${resume}`);
    return await send(job, { store, location, progress }, session);
  } finally {
    session.status.clear();
    // After the report of the import, which must not be lost.
    await job.close(location.closeOptions(job.counts, job.hasRun)).catch((error: unknown) => {
      const { message } = describeSessionFailure(error, session);
      session.warn(`Closing the journal failed: ${message}. Do not send these rows again without --resume.`);
    });
  }
}

/**
 * Opens the import. If a finished import created some of the rows, the user chooses on a terminal. --yes does not
 * choose, because it must not send rows again.
 */
async function openOrAsk(
  options: OpenOptions,
  explain: (error: BulkError) => string,
  session: Session,
): Promise<ImportJob> {
  try {
    return await openImport(options);
  } catch (error) {
    const isQuestion = error instanceof BulkError && error.reason === 'rows-done';
    if (!isQuestion || !session.canPrompt || session.global.yes) throw error;
    session.note(`${explain(error)}.`);
    const prompter = await session.prompter();
    const doneRows = await prompter.choose('Which rows to send?', [
      { name: 'none', value: 'stop' },
      { name: 'only the other rows (--resume)', value: 'skip' },
      { name: 'all rows again (as with another --journal)', value: 'send' },
    ]);
    if (doneRows !== 'skip' && doneRows !== 'send') throw error;
    return openImport({ ...options, doneRows });
  }
}

/**
 * @throws UsageError if rows of unknown outcome would be compared with the pets of another account, where they are not
 * listed.
 */
function checkOtherKey({ onUnknown }: ImportOptions, session: Session): void {
  session.note('Another API key started this journal.');
  if (session.global.yes || (onUnknown !== 'retry' && onUnknown !== 'accept-listed')) return;
  throw new UsageError(
    `--on-unknown ${onUnknown} compares with the pets of this API key, but another key started the journal`,
    'Use the key that started the import. If both keys list the same pets, pass --yes.',
  );
}

/** Validates the rows. With --resume, also reads the journal to count the rows that would be sent. */
async function checkOnly(
  location: ImportLocation,
  progress: ProgressDisplay,
  session: Session,
): Promise<number> {
  const { options } = location;
  // In JSON and for a query the errors are data. For people they are the error message.
  const isData = isJsonFormat(session.format) || session.global.query !== undefined;
  const { check, counts } = await withExplainedErrors(location, session, async () => {
    const reading = {
      ...readOptions(options, progress, session),
      ...(isData ? { errorsMax: ERRORS_MAX } : {}),
    };
    if (!options.resume) return { check: await checkRows(reading), counts: undefined };
    const { journal } = location;
    const { userId } = session.context;
    const service = session.settings.baseUrl === undefined ? undefined : session.baseUrl;
    return previewImport({ ...reading, journal, userId, service, doneRows: 'skip' });
  });
  if (check.errorCount === 0 || isData) await session.print(checkView(check, counts, session));
  if (check.errorCount > 0) throw explainBulkError(new BulkError('rows', '', { check }), location, session);
  noteReading(check, session);
  const verb = check.rows === 1 ? 'is' : 'are';
  session.note(`${counted(check.rows, 'row')} ${verb} valid. ${previewOf(counts, options)}Nothing was sent.`);
  return EXIT.ok;
}

/** Maximum number of ignored columns in a note. */
const IGNORED_SHOWN = 10;

/** Notes what was left out, and what looks changed by another program. */
function noteReading({ ignored = [], notes }: CheckReport, session: Session): void {
  for (const { message } of notes) session.note(message);
  if (ignored.length === 0) return;
  const more = ignored.length > IGNORED_SHOWN ? ', …' : '';
  const names = ignored.slice(0, IGNORED_SHOWN).map((name) => quote(name));
  session.note(`Ignored ${ignored.length === 1 ? 'column' : 'columns'}: ${names.join(', ')}${more}`);
}

function previewOf(counts: ImportCounts | undefined, options: ImportOptions): string {
  if (counts === undefined) return '';
  const { created, alreadyDone, rejected, unknown, left } = counts;
  const requests = requestsOf(counts, options.onUnknown);
  const most = options.onUnknown === 'retry' && unknown > 0 ? 'At most ' : '';
  const states = `${String(created + alreadyDone)} created, ${String(rejected)} rejected, ${String(unknown)} unknown`;
  const stop =
    unknown > 0 && left > 0 && options.onUnknown === 'stop'
      ? ' The unknown rows stop the import. To send only the others, pass --on-unknown skip.'
      : '';
  return `The journal has ${states}. ${most}${counted(requests, 'row')} would be sent.${stop} `;
}

function readOptions(
  { file, format, ignoreColumns }: ImportOptions,
  { onChecked }: ProgressDisplay,
  session: Session,
) {
  const { context, global } = session;
  const { signal } = context;
  return { input: inputOf(file, session), format, ignoreColumns, csvRaw: global.csvRaw, signal, onChecked };
}

function inputOf(file: string, session: Session): RowInput {
  const { context } = session;
  if (file !== '-') {
    refusePipe(file, session);
    return { kind: 'file', path: inputPathOf(file, context) };
  }
  if (context.stdin.isTTY) {
    throw new UsageError(
      'stdin is a terminal, so there are no rows to read',
      'Pipe the rows into the command, or pass a file instead of -.',
    );
  }
  return { kind: 'stream', bytes: context.stdin.read(context.signal) };
}

/** Runs the work, and replaces its BulkError by an error for the user. */
async function withExplainedErrors<T>(
  location: ImportLocation,
  session: Session,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BulkError ? explainBulkError(error, location, session) : error;
  } finally {
    session.status.clear();
  }
}

/** The parts of a running import. */
interface ImportParts {
  store: PetStore;
  location: ImportLocation;
  progress: ProgressDisplay;
}

async function send(
  job: ImportJob,
  { store, location, progress }: ImportParts,
  session: Session,
): Promise<number> {
  const { options } = location;
  const { signal } = session.context;
  const requests = requestsOf(job.counts, options.onUnknown);
  const minDurationMs = requests > 0 ? await noteDuration(requests, store, session) : 0;
  const onAbort = (): void => {
    const reason: unknown = signal.reason;
    if (!(reason instanceof Interruption)) return;
    reason.onRepeated = () => session.note(stoppedAtOnce(job.counts, location));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  let isCompared = false;
  const noteFailure = noteOnce(session);
  const report = await job.run(store, {
    concurrency: options.concurrency,
    onUnknown: options.onUnknown,
    rejectedPath: location.rejectedPath(job.check),
    confirmIncomplete: (rows) => confirmIncomplete(rows, session),
    minDurationMs,
    signal,
    onEvent(event) {
      progress.onImportEvent(event);
      if (event.type === 'matching') isCompared = true;
      if (event.type === 'unknown') {
        const { error, reason } = event;
        noteFailure(isPetStoreError(error) ? describeSessionFailure(error, session).message : reason);
      }
      noteStep(event, session);
    },
  });
  session.status.clear();
  if (job.keptJournal !== undefined && report.counts.left < report.counts.rows)
    session.note(`The journal of the finished import is now ${location.shown(job.keptJournal)}.`);
  if (isCompared && report.unknown?.coverage === 'failed')
    session.note('The list request failed, so the rows are not compared.');
  return reportOutcome(report, location, job.check.format, session);
}

/** Whether rows are sent again although their pets may exist. Not with --yes: nightly jobs always pass it. */
async function confirmIncomplete(rows: number, session: Session): Promise<boolean> {
  if (!session.canPrompt) return false;
  session.status.clear();
  session.note(INCOMPLETE_LIST);
  const prompter = await session.prompter();
  const answer = await prompter.choose('Which rows to send again?', [
    { name: 'none', value: 'none' },
    { name: `${counted(rows, 'row')} (this can create duplicates)`, value: 'all' },
  ]);
  return answer === 'all';
}

/** The journal stays, also if no row was sent. */
function stoppedAtOnce({ rows, unknown, left, inFlight }: ImportCounts, location: ImportLocation): string {
  const resume = location.resumeCommand();
  const sent = unknown + inFlight;
  const done = `${String(rows - left - sent)} of ${counted(rows, 'row')} ${rows === 1 ? 'has' : 'have'} a response`;
  const command = resume === undefined ? '' : ` To resume, run: ${resume}`;
  return `Stopped at once. ${done}; ${String(sent)} may have been sent without one.${command}`;
}

/** Maximum number of different failures on stderr. */
const FAILURES_SHOWN = 10;

/** Returns a function that notes each text once. */
function noteOnce(session: Session): (text: string) => void {
  const noted = new Set<string>();
  return (text) => {
    if (noted.has(text) || noted.size >= FAILURES_SHOWN) return;
    noted.add(text);
    session.note(text);
  };
}
