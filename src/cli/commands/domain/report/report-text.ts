import type { Finding, RecordFields, Severity } from '../../../../domain/index.js';
import { describeDuration } from '../../../text/duration.js';
import type { Column } from '../../../output/index.js';
import { createPage, type Page, type PageStyle } from '../../../output/table/page.js';
import type { RenderedReport } from '../next-commands.js';
import { shownMoment, withLocalMoments } from './moment.js';
import { shownName } from './names.js';
import { showRedirectTable } from './redirect-rows.js';
import { stateSentence, stateWords } from './state-words.js';

/**
 * A report for people: the verdict first, then what to do in order, with the records to type; what it rests on is below.
 */
export async function reportText(report: RenderedReport, style: PageStyle): Promise<string> {
  const page = await createPage(style, report);
  showVerdict(report, page, style.now);
  showWork(report, page, style.now);
  showViews(report, page);
  showProbes(report, page);
  showEvidence(report, page);
  showNext(report, page, style.now);
  return page.toString();
}

/** The records as a provider's form has them. */
export const RECORD_COLUMNS: readonly Column[] = [
  { field: 'type', header: 'type', fixed: true },
  { field: 'label', header: 'name', fixed: true },
  { field: 'value', header: 'value', fixed: true },
  { field: 'ttl', header: 'ttl', fixed: true, align: 'right' },
];

const REMOVE_COLUMNS = RECORD_COLUMNS.slice(0, 3);

function showVerdict(report: RenderedReport, page: Page, now: number): void {
  const { words, symbol, style } = stateWords(report.state);
  const lead = `${page.isTTY ? `${symbol} ` : ''}${shownName(report.domain)}: ${words}`;
  page.text(lead, { lead, style, rest: '  ' });
  page.text(stateSentence(report), { first: '  ' });
  const { estimate } = report;
  if (estimate === null) return;
  const latest = shownMoment(new Date(estimate.latest), now);
  const left = describeDuration(estimate.inSeconds * 1_000);
  page.text(`Visible by ${latest} at the latest (in ${left}), probably earlier.`, { first: '  ' });
}

const SECTIONS: readonly { severity: Severity; title: string }[] = [
  { severity: 'block', title: 'What to do' },
  { severity: 'wait', title: 'What to wait for' },
  { severity: 'unknown', title: 'What could not be told' },
  { severity: 'warn', title: 'Worth a look' },
  { severity: 'info', title: 'What is right' },
];

function showWork(report: RenderedReport, page: Page, now: number): void {
  for (const { severity, title } of SECTIONS) {
    const findings = report.findings.filter((finding) => finding.severity === severity);
    // What is right is of no use to somebody who has something to mend.
    if (findings.length === 0 || (severity === 'info' && report.state === 'action-required')) continue;
    page.heading(title);
    for (const [index, finding] of findings.entries()) {
      showFinding(finding, severity === 'block' ? `${String(index + 1)}. ` : '- ', page, now);
    }
    if (severity === 'block') showWanted(report, findings, page);
  }
}

function showFinding(finding: Finding, mark: string, page: Page, now: number): void {
  const { message, fix, id } = finding;
  const indent = ' '.repeat(2 + mark.length);
  page.text(`${withLocalMoments(message, now)} [${id}]`, { first: `  ${mark}`, rest: indent });
  if (fix === undefined) return;
  page.text(withLocalMoments(fix.text, now), { first: indent });
  if (fix.action === 'remove' && fix.records.length > 0) {
    page.text('Remove:', { first: indent });
    page.table(fix.records.map(recognisable), REMOVE_COLUMNS, `${indent}  `);
  }
}

/** What is to be removed is looked for, not typed: of a long text the beginning does. JSON has it whole. */
function recognisable(record: RecordFields): RecordFields {
  const { value } = record;
  return value.length <= VALUE_SHOWN_MAX
    ? record
    : { ...record, value: `${value.slice(0, VALUE_SHOWN_MAX)}…` };
}

const VALUE_SHOWN_MAX = 60;

/** Once, below: several findings may come down to the same record. */
function showWanted({ expected }: RenderedReport, findings: readonly Finding[], page: Page): void {
  if (expected.length === 0 || findings.every(({ axis }) => axis !== 'record')) return;
  page.text('The record to have:', { first: '  ' });
  page.table(expected, RECORD_COLUMNS, '    ');
}

function showViews({ observed, zone, kind, decidedBy }: RenderedReport, page: Page): void {
  if (observed.authoritative.length > 0) {
    const by = { 'zone-cut': '', 'public-suffix': ', by the public suffix list', override: ', as told' };
    const what = kind === 'apex' ? 'the domain is its top' : 'the domain is a name in it';
    page.heading(`Name servers of ${zone}: ${what}${by[decidedBy]}`);
    const rows = observed.authoritative.map((seen) => ({ ...seen, records: recordsCell(seen.records) }));
    const serials = new Set(observed.authoritative.map(({ serial }) => serial));
    const columns = SERVER_COLUMNS.filter(({ field }) => field !== 'serial' || serials.size > 1);
    page.table(rows, columns, '  ');
  }
  if (observed.recursive.length > 0) {
    page.heading('Resolvers, as visitors see it');
    const rows = observed.recursive.map((seen) => ({
      ...seen,
      records: recordsCell(seen.records),
      remaining: seen.remaining === undefined ? '' : `stale for ${describeDuration(seen.remaining * 1_000)}`,
    }));
    page.table(rows, RESOLVER_COLUMNS, '  ');
  }
}

/** The serial is shown where it says something: where the servers have different ones. */
const SERVER_COLUMNS: readonly Column[] = [
  { field: 'server', header: 'server', fixed: true },
  { field: 'address', header: 'address', fixed: true },
  { field: 'answer', header: 'answer' },
  { field: 'serial', header: 'serial', align: 'right' },
  { field: 'records', header: 'records' },
  { field: 'ttl', header: 'ttl', align: 'right' },
];

const RESOLVER_COLUMNS: readonly Column[] = [
  { field: 'resolver', header: 'resolver', fixed: true },
  { field: 'answer', header: 'answer' },
  { field: 'records', header: 'records' },
  { field: 'remaining', header: 'remembers', fixed: true },
];

/** One under the other. */
function recordsCell(records: readonly string[]): readonly string[] {
  return records.length === 0 ? ['none'] : records;
}

function showProbes({ certificate, redirects }: RenderedReport, page: Page): void {
  if (certificate !== undefined) {
    page.heading(`Certificate: ${certificate.status}`);
    page.table(certificate.addresses, CERTIFICATE_COLUMNS, '  ');
  }
  if (redirects === undefined) return;
  page.heading('Redirects');
  showRedirectTable(redirects, page);
}

/** The certificate by address. */
export const CERTIFICATE_COLUMNS: readonly Column[] = [
  { field: 'address', header: 'address', fixed: true },
  { field: 'result', header: 'result' },
  { field: 'issuer', header: 'issuer' },
  { field: 'validTo', header: 'valid to', fixed: true },
];

/** The proofs: of what stands in the way or, where nothing does, of what is right. Each command once. */
function showEvidence({ findings }: RenderedReport, page: Page): void {
  const weighty = findings.filter(({ severity }) => severity !== 'info');
  const proofs = (weighty.length > 0 ? weighty : findings).flatMap(({ evidence }) => evidence);
  const byText = new Map(proofs.map((proof) => [`${proof.command ?? ''} ${proof.text}`, proof]));
  if (byText.size === 0) return;
  page.heading('Evidence');
  let shown: string | undefined;
  for (const { text, command } of byText.values()) {
    if (command !== undefined && command !== shown) page.command(command, '  ');
    // What no command shows stands beside the commands, and under none.
    const indent = command === undefined ? '  ' : '    ';
    page.text(text, { first: indent, rest: `${indent}  ` });
    shown = command;
  }
}

function showNext({ next }: RenderedReport, page: Page, now: number): void {
  if (next.length === 0) return;
  page.heading('Next');
  for (const { command, when } of next) {
    page.text(`${withLocalMoments(when, now)}:`, { first: '  ' });
    page.command(command, '    ');
  }
}
