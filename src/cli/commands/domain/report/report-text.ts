import {
  type AdvicePart,
  type Finding,
  type Fix,
  type RecordFields,
  type Severity,
  type TodoLine,
  todoLines,
} from '../../../../domain/index.js';
import { counted } from '../../../errors/counted.js';
import { describeDuration } from '../../../../time/duration.js';
import type { Column } from '../../../output/index.js';
import type { Page } from '../../../output/table/page.js';
import type { RenderedReport, ReportResult } from './next-commands.js';
import { shownName } from '../input/names.js';
import { showRedirectLines } from './redirect-rows.js';
import { showDetails } from './report-details.js';
import {
  cdnSentence,
  certificateText,
  panelTitle,
  recordText,
  resolverDoubt,
  stateSentence,
  stateWords,
  stepText,
  waitingHelps,
} from './state-words.js';

/**
 * Shows reports for people. A correct domain: verdict, record, certificate, time of the next check. A domain that needs
 * action: where to change what, the record to paste, the reasons and the next command. Of several: the steps of each
 * domain, then a summary.
 *
 * @param verbose Shows servers, evidence, queries, correct findings and all next commands too.
 */
export function showReports(results: readonly ReportResult[], page: Page, verbose: boolean): void {
  const isSingle = results.length === 1;
  for (const result of results) {
    const { report } = result;
    if (verbose) page.gap();
    if (isSingle || verbose) showTodo(report, page, verbose);
    showHeadline(result, page, isSingle || verbose);
    if (isSingle || verbose) showReport(report, page, verbose);
    else showBriefSteps(report, page);
  }
  if (isSingle) return;
  page.gap();
  page.text(summaryText(results.map(({ report }) => report)));
}

/** Shows what to do, the records to paste, and how to do it in the panel of the DNS provider. */
function showTodo(report: RenderedReport, page: Page, verbose: boolean): void {
  const { findings, provider, todo } = report;
  showTodoLines(todoLines(report), page);
  // The panel's steps for a new record do not fit an existing one.
  const isNew = todo.some(
    ({ action, record: { type }, replaces = [] }) =>
      type !== 'CAA' && (action === 'add' || replaces.some((one) => one.type !== type)),
  );
  if (isNew) showProviderSteps(report, page, verbose);
  const problems = findings.filter(({ axis, severity }) => axis === 'record' && severity === 'block');
  const { cdn } = provider ?? {};
  const isNamed = problems.some(({ message }) => cdn !== undefined && message.includes(cdn.name));
  if (cdn !== undefined && problems.length > 0 && !isNamed) page.text(cdnSentence(cdn), { first: '  ' });
  if (verbose) page.gap();
}

/** Shows each change, with the records to paste or to remove. */
export function showTodoLines(lines: readonly TodoLine[], page: Page): void {
  for (const { text, fix, isRemoval, shown } of lines) {
    const [{ text: lead } = { text }, ...rest] = fix?.parts ?? [];
    page.text(lead, { lead, style: 'bold', rest: '  ' });
    showParts(rest, page, '  ');
    if (shown.length > 0)
      page.table(isRemoval ? shown.map(truncated) : shown, isRemoval ? REMOVE_COLUMNS : RECORD_COLUMNS, '  ');
  }
}

function showReport(report: RenderedReport, page: Page, verbose: boolean): void {
  showVerdict(report, page);
  const isDone = report.state === 'verified' || report.state === 'active';
  if (isDone && !verbose) showSummary(report, page);
  showFindings(report, page, verbose);
  if (verbose) showDetails(report, page);
  if (!isDone || verbose) showNext(report, page, verbose);
}

/** Records as in a provider's form. */
export const RECORD_COLUMNS: readonly Column[] = [
  { field: 'type', header: 'type', fixed: true },
  { field: 'label', header: 'name', fixed: true },
  { field: 'value', header: 'value', fixed: true },
  { field: 'ttl', header: 'ttl', fixed: true, align: 'right' },
];

const REMOVE_COLUMNS = RECORD_COLUMNS.slice(0, 3);

function showHeadline({ report, exitCode }: ReportResult, page: Page, isWhole: boolean): void {
  const { words, symbol, style } = stateWords(report.state, exitCode);
  const lead = `${page.isTTY ? `${symbol} ` : ''}${shownName(report.domain)}: ${words}`;
  const isVain = isWhole && !waitingHelps(report);
  page.text(`${lead}${isVain ? '; waiting will not help' : ''}`, { lead, style, rest: '  ' });
}

function showVerdict(report: RenderedReport, page: Page): void {
  // The first line says that a change is needed.
  if (report.state !== 'action-required') page.text(stateSentence(report), { first: '  ' });
  const { estimate } = report;
  if (estimate === null) return;
  const left = describeDuration(estimate.inSeconds * 1_000);
  page.text(`Visible by ${estimate.latest} at the latest (in ${left}), probably earlier.`, { first: '  ' });
}

/** Shows what a user wants to know of a correct domain. */
function showSummary(report: RenderedReport, page: Page): void {
  const row = (title: string, text: string): void => {
    page.text(`${title} ${text}`, { first: '  ', rest: '    ' });
  };
  page.gap();
  row('Record:', recordText(report));
  row('Certificate:', certificateText(report));
  const { proof } = report.platform ?? {};
  if (proof !== undefined) row('Served by:', `the platform (same ${proof.by} as the target).`);
  showRedirectLines(report.redirects ?? [], report.findings, page);
  const unknown = givenByFlags(report.findings);
  if (unknown.length > 0) row('Not checked:', `${unknown.join(' and ')}.`);
  const again = verifyCommand(report);
  if (again === undefined) row('Check again:', 'after the next change of DNS.');
  else {
    row('Check again:', 'in a few minutes, or wait for the certificate:');
    page.command(again.command, '    ');
  }
}

const FLAGS: Partial<Record<Finding['id'], string>> = {
  'plan.unknown': 'the plan (--plan)',
  'deploy.unknown': 'the deploy (--deployed)',
};

/** What only flags say, in words. It says nothing about DNS. */
function givenByFlags(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ id }) => FLAGS[id] ?? []);
}

/** The findings of a report by severity. */
export const SECTIONS: readonly { severity: Severity; title: string }[] = [
  { severity: 'block', title: 'What to do' },
  { severity: 'wait', title: 'What to wait for' },
  { severity: 'unknown', title: 'What could not be checked' },
  { severity: 'warn', title: 'Warnings' },
  { severity: 'info', title: 'What is correct' },
];

function showFindings(report: RenderedReport, page: Page, verbose: boolean): void {
  const shown = todoLines(report);
  for (const { severity, title } of SECTIONS) {
    const findings = report.findings.filter(
      (finding) => finding.severity === severity && (verbose || isShownBriefly(finding, report)),
    );
    // Correct findings do not help while a change is needed.
    if (findings.length === 0 || (severity === 'info' && report.state === 'action-required')) continue;
    if (severity !== 'block') page.heading(title);
    const isOne = severity === 'block' && findings.length === 1;
    for (const [index, finding] of findings.entries()) {
      showFinding(
        finding,
        severity === 'block' ? (isOne ? '' : `${String(index + 1)}. `) : '- ',
        page,
        shown,
      );
    }
  }
}

/** Whether a finding is shown without -v: not if the summary has it, and nothing that is correct or needs no decision. */
function isShownBriefly({ id, severity, axis }: Finding, { state }: RenderedReport): boolean {
  if (severity === 'info' || id in FLAGS) return false;
  return !(severity === 'wait' && axis === 'certificate' && state === 'verified');
}

/** @param shown What the page has already. */
export function showFinding(finding: Finding, bullet: string, page: Page, shown: readonly TodoLine[]): void {
  const { message, fix, id } = finding;
  const indent = ' '.repeat(2 + bullet.length);
  page.text(`${message} [${id}]`, { first: `  ${bullet}`, rest: indent });
  if (fix === undefined || shown.some(({ text }) => text === fix.text)) return;
  const isShown = isChangeShown(fix, shown);
  const parts = fix.parts.filter(({ kind }) => !isShown || kind !== 'change');
  showParts(parts, page, indent);
}

/** Shows an advice: one paragraph, then each choice on its own line. */
function showParts(parts: readonly AdvicePart[], page: Page, indent: string): void {
  const text = parts.flatMap((part) => (part.kind === 'choice' ? [] : [part.text])).join(' ');
  if (text !== '') page.text(text, { first: indent });
  for (const part of parts)
    if (part.kind === 'choice') page.text(part.text, { first: `${indent}- `, rest: `${indent}  ` });
}

/** Whether a change of an advice is shown already, so that only what to check first, and hints, are left to say. */
function isChangeShown({ action, remove, add }: Fix, shown: readonly TodoLine[]): boolean {
  return shown.some(({ records }) =>
    action === 'remove'
      ? records.some((one) => isIn(one, remove))
      : // The change at another provider is in no fix, because it is the same record.
        records.some((one) => one.ttl !== undefined && (action === 'other' || isIn(one, add))),
  );
}

function isIn({ name, type, value }: RecordFields, records: readonly RecordFields[]): boolean {
  return records.some((one) => one.name === name && one.type === type && one.value === value);
}

/** Truncates the value of a record to remove, which the user finds and does not type. JSON has the whole value. */
export function truncated<T extends RecordFields>(record: T): T {
  const { value } = record;
  return value.length <= VALUE_SHOWN_MAX
    ? record
    : { ...record, value: `${value.slice(0, VALUE_SHOWN_MAX)}…` };
}

const VALUE_SHOWN_MAX = 60;

/** Shows how to set the record in the panel of the DNS provider. */
function showProviderSteps({ provider }: RenderedReport, page: Page, verbose: boolean): void {
  const { dns } = provider ?? {};
  if (dns === undefined || dns.steps.length === 0) return;
  // The record is above.
  const steps = verbose ? dns.steps : dns.steps.filter((step) => !/: \S+$| seconds, |^Save /.test(step));
  page.text(`${panelTitle(dns)}:${verbose ? '' : ` ${steps.join(' ')}`}`, { first: '  ', rest: '    ' });
  for (const step of verbose ? steps : []) page.text(step, { first: '    ', rest: '      ' });
}

/** Shows the steps of one of several domains. Without a step: the reason of its state. */
function showBriefSteps(report: RenderedReport, page: Page): void {
  const { state, findings, observed } = report;
  if (state === 'verified' || state === 'active') {
    const doubt = resolverDoubt({ findings, observed });
    if (doubt !== undefined) page.text(doubt, { first: '  ' });
    return;
  }
  const blocks = findings.filter(({ severity }) => severity === 'block');
  const others = findings.filter(({ id, severity }) => DECIDING.has(severity) && !(id in FLAGS));
  const texts = blocks.map((finding) => `${stepText(finding)} [${finding.id}]`);
  for (const line of todoLines(report)) if (line.records.length > 0) page.text(line.text, { first: '  ' });
  const steps = texts.length > 0 ? texts : others.map(({ id, message }) => `${message} [${id}]`);
  for (const [index, text] of steps.entries()) {
    const bullet = blocks.length > 0 ? `${String(index + 1)}. ` : '- ';
    page.text(text, {
      first: `  ${bullet}`,
      rest: ' '.repeat(2 + bullet.length),
    });
  }
}

const DECIDING: ReadonlySet<Severity> = new Set<Severity>(['wait', 'unknown']);

/** Counts the domains by state. */
function summaryText(reports: readonly RenderedReport[]): string {
  const counts = new Map<string, number>();
  for (const { state } of reports) {
    const { words } = stateWords(state);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const parts = [...counts].map(([words, count]) => `${String(count)} ${words}`);
  return `${counted(reports.length, 'domain')}: ${parts.join(', ')}.`;
}

function showNext(report: RenderedReport, page: Page, verbose: boolean): void {
  const first = verifyCommand(report);
  if (!verbose) {
    if (first === undefined) return;
    page.text(`${first.when} (-v shows servers and evidence):`);
    page.command(first.command, '  ');
    return;
  }
  if (report.next.length > 0) page.heading('Next');
  for (const { command, when } of report.next) {
    page.text(`${when}:`, { first: '  ' });
    page.command(command, '    ');
  }
}

/** The command that checks again. */
export function verifyCommand({ next }: RenderedReport): RenderedReport['next'][number] | undefined {
  return next.find(({ step }) => step === 'verify');
}
