import type { VerdictExitCode } from '../../../../domain/index.js';
import type { OutputFields } from '../../../command-line/command-tree.js';
import { UsageError } from '../../../errors/usage-error.js';
import type { Column, PaintStyle, Row } from '../../../output/index.js';
import { withLocalTimes } from '../../../output/text/local-time.js';
import type { Session } from '../../../session/session.js';
import { outputFields } from '../../../session/command.js';
import { checkOutput, outputShape, present, type Presentation } from '../../../session/present.js';
import { shownName } from '../input/names.js';
import type { RenderedReport, ReportResult } from './next-commands.js';
import { showDetails } from './report-details.js';
import { showReports } from './report-page.js';
import { briefAdvice, resolverDoubt, stateWords } from './state-words.js';

/** Columns of one row for each domain. */
const COLUMNS: readonly Column[] = [
  { field: 'domain', header: 'domain', fixed: true },
  { field: 'kind', header: 'kind' },
  { field: 'state', header: 'state', fixed: true, paint: (_, { style }) => style as PaintStyle },
  { field: 'todo', header: 'what to do' },
];

/** Fields of a report. `trace` needs -v. */
const REPORT_FIELDS = [
  'domain',
  'kind',
  'zone',
  'decidedBy',
  'expected',
  'state',
  'findings',
  'observed',
  'estimate',
  'verifiedAt',
  'verifiedAtSource',
  'certificate',
  'redirects',
  'platform',
  'provider',
  'todo',
  'next',
  'trace',
];

/** The fields of one report, or of several in one document. */
export function reportFields(count: number): OutputFields {
  return outputFields(COLUMNS, count > 1 ? ['domains', 'exitCode'] : REPORT_FIELDS, REPORT_FIELDS);
}

/**
 * Checks the output options before any query.
 *
 * @throws UsageError if an option can't be applied.
 */
export async function checkReportOutput(count: number, session: Session): Promise<void> {
  const { global } = session;
  const hasTrace = ['document', 'lines'].includes(outputShape(session));
  if (hasTrace && global.fields?.includes('trace') === true && !global.verbose)
    throw new UsageError('The field "trace" needs -v', 'Add -v, which records every DNS query.');
  await checkOutput(reportFields(count), session);
}

/** Prints reports: as text, as Markdown, as a document, or as a row for each domain. */
export async function printReports(results: readonly ReportResult[], session: Session): Promise<void> {
  const { global, context } = session;
  const reports = results.map(({ report }) => report);
  if (global.ownFormat === 'markdown') {
    const { reportMarkdown } = await import('./report-markdown.js');
    context.stdout.write(results.map(reportMarkdown).join('\n'));
    return;
  }
  const exitCode = worstExitCode(results.map((result) => result.exitCode));
  const [document = {}] = reports.length === 1 ? reports : [{ domains: reports, exitCode }];
  const result: Presentation = {
    fields: reportFields(reports.length),
    columns: COLUMNS,
    rows: reportRows(results, session),
    document,
    lines: reports,
    page(page) {
      showReports(results, page, global.verbose);
    },
    details(page) {
      for (const report of reports) {
        page.heading(shownName(report.domain));
        showDetails(report, page);
      }
    },
  };
  await present(result, session);
}

/** The most important of several exit codes: invalid, action required, inconclusive, pending, ok. */
export function worstExitCode(codes: readonly VerdictExitCode[]): VerdictExitCode {
  return ([2, 1, 9, 8] as const).find((code) => codes.includes(code)) ?? 0;
}

function reportRows(results: readonly ReportResult[], { format, context }: Session): Row[] {
  return results.map(({ report, exitCode }) => ({
    // No column has it: the state is painted as the exit code says.
    style: stateWords(report.state, exitCode).style,
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
