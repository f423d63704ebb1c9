import type { AdvicePart, RecordFields, TodoLine } from '../../../../domain/index.js';
import { counted } from '../../../errors/counted.js';
import type { Column } from '../../../output/index.js';
import type { Page } from '../../../output/table/page.js';
import type { RenderedReport, ReportResult } from './next-commands.js';
import { showDetails } from './report-details.js';
import { type ReportDocument, reportDocument, type SectionItem } from './report-document.js';
import { stateWords } from './state-words.js';

/**
 * Shows reports for people. A correct domain: verdict, record, certificate, time of the next check. A domain that needs
 * action: where to change what, the record to paste, the reasons and the next command. Of several: the steps of each
 * domain, then a summary.
 *
 * @param verbose Shows servers, evidence, queries, correct findings and all next commands too.
 */
export function showReports(results: readonly ReportResult[], page: Page, verbose: boolean): void {
  const isWhole = results.length === 1 || verbose;
  for (const result of results) {
    const document = reportDocument(result);
    if (verbose) page.gap();
    if (isWhole) showTodo(document, page, verbose);
    showHeadline(document, page, isWhole);
    if (isWhole) showReport(document, result.report, page, verbose);
    else showBriefSteps(document, page);
  }
  if (results.length === 1) return;
  page.gap();
  page.text(summaryText(results.map(({ report }) => report)));
}

/** Shows what to do, the records to paste, and how to do it in the panel of the DNS provider. */
function showTodo({ steps, panel, cdn }: ReportDocument, page: Page, verbose: boolean): void {
  showTodoLines(steps, page);
  if (panel !== undefined) {
    const { title, besideRecord } = panel;
    page.text(`${title}:${verbose ? '' : ` ${besideRecord.join(' ')}`}`, { first: '  ', rest: '    ' });
    for (const step of verbose ? panel.steps : []) page.text(step, { first: '    ', rest: '      ' });
  }
  if (cdn !== undefined) page.text(cdn, { first: '  ' });
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

/** Records as in a provider's form. */
export const RECORD_COLUMNS: readonly Column[] = [
  { field: 'type', header: 'type', fixed: true },
  { field: 'label', header: 'name', fixed: true },
  { field: 'value', header: 'value', fixed: true },
  { field: 'ttl', header: 'ttl', fixed: true, align: 'right' },
];

const REMOVE_COLUMNS = RECORD_COLUMNS.slice(0, 3);

function showHeadline({ name, state, waitingHelps }: ReportDocument, page: Page, isWhole: boolean): void {
  const { words, symbol, style } = state;
  const lead = `${page.isTTY ? `${symbol} ` : ''}${name}: ${words}`;
  const isVain = isWhole && !waitingHelps;
  page.text(`${lead}${isVain ? '; waiting will not help' : ''}`, { lead, style, rest: '  ' });
}

function showReport(document: ReportDocument, report: RenderedReport, page: Page, verbose: boolean): void {
  const { sentence, visible, summary, again } = document;
  const isDone = report.state === 'verified' || report.state === 'active';
  // The first line says that a change is needed.
  if (report.state !== 'action-required') page.text(sentence, { first: '  ' });
  if (visible !== undefined) page.text(`${visible.by}${visible.howLong}.`, { first: '  ' });
  if (isDone && !verbose) {
    page.gap();
    for (const { title, text } of summary) page.text(`${title}: ${text}`, { first: '  ', rest: '    ' });
    if (again !== undefined) page.command(again.command, '    ');
  }
  showSections(document, report, page, verbose);
  if (verbose) showDetails(report, page);
  if (verbose) showAllNext(report, page);
  else if (!isDone && again !== undefined) {
    page.text(`${again.when} (-v shows servers and evidence):`);
    page.command(again.command, '  ');
  }
}

function showSections(
  { sections }: ReportDocument,
  { state }: RenderedReport,
  page: Page,
  verbose: boolean,
): void {
  for (const { severity, title, items: all } of sections) {
    const items = all.filter(({ isBrief }) => verbose || isBrief);
    // Correct findings do not help while a change is needed.
    if (items.length === 0 || (severity === 'info' && state === 'action-required')) continue;
    if (severity !== 'block') page.heading(title);
    for (const [index, item] of items.entries()) {
      const number = items.length === 1 ? '' : `${String(index + 1)}. `;
      showItem(item, severity === 'block' ? number : '- ', page);
    }
  }
}

export function showItem({ message, id, left }: SectionItem, bullet: string, page: Page): void {
  const indent = ' '.repeat(2 + bullet.length);
  page.text(`${message} [${id}]`, { first: `  ${bullet}`, rest: indent });
  showParts(left, page, indent);
}

/** Shows an advice: one paragraph, then each choice on its own line. */
function showParts(parts: readonly AdvicePart[], page: Page, indent: string): void {
  const text = parts.flatMap((part) => (part.kind === 'choice' ? [] : [part.text])).join(' ');
  if (text !== '') page.text(text, { first: indent });
  for (const part of parts)
    if (part.kind === 'choice') page.text(part.text, { first: `${indent}- `, rest: `${indent}  ` });
}

/** Truncates the value of a record to remove, which the user finds and does not type. JSON has the whole value. */
export function truncated<T extends RecordFields>(record: T): T {
  const { value } = record;
  return value.length <= VALUE_SHOWN_MAX
    ? record
    : { ...record, value: `${value.slice(0, VALUE_SHOWN_MAX)}…` };
}

const VALUE_SHOWN_MAX = 60;

/** Shows the steps of one of several domains. Without a step: the reason of its state. */
function showBriefSteps({ steps, brief }: ReportDocument, page: Page): void {
  if (brief.bullet !== '')
    for (const { text, records } of steps) if (records.length > 0) page.text(text, { first: '  ' });
  for (const [index, text] of brief.texts.entries()) {
    const bullet = brief.bullet === 'number' ? `${String(index + 1)}. ` : brief.bullet;
    page.text(text, { first: `  ${bullet}`, rest: ' '.repeat(2 + bullet.length) });
  }
}

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

function showAllNext({ next }: RenderedReport, page: Page): void {
  if (next.length > 0) page.heading('Next');
  for (const { command, when } of next) {
    page.text(`${when}:`, { first: '  ' });
    page.command(command, '    ');
  }
}
