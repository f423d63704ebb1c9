import {
  type RenderedReport,
  renderNextSteps,
} from '../../../../src/cli/commands/domain/report/next-commands.js';
import { reportMarkdown } from '../../../../src/cli/commands/domain/report/report-markdown.js';
import { showReports } from '../../../../src/cli/commands/domain/report/report-page.js';
import { createPage, type PageStyle } from '../../../../src/cli/output/table/page.js';
import type { Finding, Report } from '../../../../src/domain/index.js';

/** A report of a correct domain, with overrides. */
export function buildReport(parts: Partial<Report> = {}): Report {
  return {
    domain: { input: 'a.example', ascii: 'a.example', unicode: 'a.example' },
    kind: 'subdomain',
    zone: 'example',
    decidedBy: 'zone-cut',
    expected: [{ type: 'CNAME', name: 'a.example', label: 'a', value: 't.example', ttl: 3600 }],
    estimate: null,
    state: 'verified',
    findings: [],
    observed: { authoritative: [], recursive: [] },
    todo: [],
    next: [],
    ...parts,
  };
}

/** A report for output, as after a command line without flags. */
export function rendered(report: Report): RenderedReport {
  return renderNextSteps(report, { given: [], global: { mock: false } });
}

/** A report of a correct domain for output, with overrides. */
export function buildTextReport(parts: Partial<Report> = {}): RenderedReport {
  return rendered(buildReport(parts));
}

/** A finding that the record is correct, with overrides. */
export function buildFinding(parts: Partial<Finding> = {}): Finding {
  return { id: 'record.ok', axis: 'record', severity: 'info', message: 'right', evidence: [], ...parts };
}

/** Draws reports on a page. */
export async function reportsText(
  reports: readonly RenderedReport[],
  { verbose, ...style }: PageStyle & { verbose: boolean },
): Promise<string> {
  const page = await createPage(style, reports);
  showReports(
    reports.map((report) => ({ report, exitCode: 0 })),
    page,
    verbose,
  );
  return page.toString();
}

/** A report as Markdown. */
export function markdownText(report: RenderedReport): string {
  return reportMarkdown({ report, exitCode: 0 });
}
