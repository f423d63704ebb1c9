import type { VerdictExitCode } from '../../../../domain/index.js';
import type { Session } from '../../../session/action.js';
import {
  checkRenderOptions,
  type Column,
  isTabularFormat,
  noIdError,
  type Row,
  type View,
} from '../../../output/index.js';
import { UsageError } from '../../../errors/usage-error.js';
import type { PageStyle } from '../../../output/table/page.js';
import type { RenderedReport } from './next-commands.js';
import { withLocalTimes } from '../../../output/text/local-time.js';
import { reportsText, reportText } from './report-text.js';
import { briefAdvice, resolverDoubt, stateWords } from './state-words.js';

/** A report with its exit code. */
export interface ReportResult {
  report: RenderedReport;
  exitCode: VerdictExitCode;
}

/** Columns of one row for each domain. */
export const COLUMNS: readonly Column[] = [
  { field: 'domain', header: 'domain', fixed: true },
  { field: 'kind', header: 'kind' },
  { field: 'state', header: 'state', fixed: true, paint: paintState },
  { field: 'todo', header: 'what to do' },
];

/** Fields of a report. `trace` needs -v. */
export const REPORT_FIELDS = [
  ...['domain', 'kind', 'zone', 'decidedBy', 'expected', 'state', 'findings', 'observed', 'estimate'],
  ...['verifiedAt', 'verifiedAtSource', 'certificate', 'redirects', 'platform', 'provider', 'next', 'trace'],
];

const REPORT_COLUMNS = REPORT_FIELDS.map((field): Column => ({ field, header: field }));

/**
 * Checks the output options before any query.
 *
 * @param count Number of domains. Several reports are wrapped in one document.
 * @throws UsageError if an option can't be applied.
 */
export async function checkReportOutput(count: number, session: Session): Promise<void> {
  const { format, global } = session;
  if (format === 'ids') throw noIdError();
  if (global.fields?.includes('trace') === true && !global.verbose && !hasRows(session))
    throw new UsageError('The field "trace" needs -v', 'Add -v, which records every DNS query.');
  const wraps = count > 1 && format !== 'ndjson' && !hasRows(session);
  const fields = wraps
    ? ['domains', 'exitCode']
    : hasRows(session)
      ? COLUMNS.map(({ field }) => field)
      : REPORT_FIELDS;
  await checkRenderOptions({ ...global, format }, fields);
}

/** Prints reports: as text, as Markdown, as a document, or as a row for each domain. */
export async function printReports(results: readonly ReportResult[], session: Session): Promise<void> {
  const { format, global, context } = session;
  if (global.ownFormat === 'markdown') {
    const { reportMarkdown } = await import('./report-markdown.js');
    context.stdout.write(results.map(({ report }) => reportMarkdown(report)).join('\n'));
    return;
  }
  const [first, second] = results;
  const isPlain = global.fields === undefined && global.query === undefined;
  const isText = second === undefined || (global.sort === undefined && global.header);
  if (format !== 'table' || !isPlain || !isText || first === undefined) {
    await session.print(viewOf(results, session));
    return;
  }
  const style = { ...pageStyle(session), verbose: global.verbose };
  const reports = results.map(({ report }) => report);
  context.stdout.write(
    second === undefined ? await reportText(first.report, style) : await reportsText(reports, style),
  );
}

/** The page style of a session. */
export function pageStyle({ terminal, context }: Session): PageStyle {
  return { stdout: terminal.stdout, now: context.clock.now() };
}

/** The most important of several exit codes: invalid, action required, pending, inconclusive, ok. */
export function worstExitCode(codes: readonly VerdictExitCode[]): VerdictExitCode {
  return ([2, 1, 8, 9] as const).find((code) => codes.includes(code)) ?? 0;
}

function viewOf(results: readonly ReportResult[], session: Session): View {
  const { format } = session;
  const [first, second] = results;
  if (hasRows(session)) {
    return { kind: 'list', rows: reportRows(results, session), columns: COLUMNS };
  }
  if (format === 'ndjson') {
    return { kind: 'list', rows: results.map(({ report }) => ({ ...report })), columns: REPORT_COLUMNS };
  }
  if (first !== undefined && second === undefined) {
    return { kind: 'record', row: { ...first.report }, columns: REPORT_COLUMNS };
  }
  const exitCode = worstExitCode(results.map(({ exitCode }) => exitCode));
  const row = { domains: results.map(({ report }) => report), exitCode };
  return { kind: 'record', row, columns: COLUMNS };
}

function reportRows(results: readonly ReportResult[], { format, context }: Session): Row[] {
  return results.map(({ report, exitCode }) => ({
    // A report of an invalid name has only the input.
    domain: (format === 'table' ? report.domain.unicode : report.domain.ascii) || report.domain.input,
    kind: report.kind,
    state: format === 'table' ? stateWords(report.state).words : report.state,
    todo: isDone(report, exitCode)
      ? (resolverDoubt(report) ?? '')
      : withLocalTimes(briefAdvice(report, exitCode), context.clock.now()),
  }));
}

/** A blocking finding about the certificate can occur with exit code 0. */
function isDone({ findings }: RenderedReport, exitCode: VerdictExitCode): boolean {
  return exitCode === 0 && !findings.some(({ severity }) => severity === 'block');
}

/** Whether the output is rows with columns. A query applies to the whole document in every format. */
export function hasRows({ format, global }: Session): boolean {
  return global.query === undefined && isTabularFormat(format);
}

function paintState(words: string): ReturnType<NonNullable<Column['paint']>> {
  const states = ['active', 'verified', 'propagating', 'action-required', 'inconclusive'] as const;
  const state = states.find((candidate) => stateWords(candidate).words === words);
  return state === undefined ? undefined : stateWords(state).style;
}
