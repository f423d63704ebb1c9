import type { Finding, RecordFields, Severity } from '../../../../domain/index.js';
import { describeDuration } from '../../../text/duration.js';
import type { Column } from '../../../output/index.js';
import { createPage, type Page, type PageStyle } from '../../../output/table/page.js';
import type { RenderedReport } from '../next-commands.js';
import { localTime, withLocalTimes } from './local-time.js';
import { shownName } from './names.js';
import { showRedirectTable } from './redirect-rows.js';
import { stateSentence, stateWords } from './state-words.js';

/** Formats a report for people: verdict, numbered steps, records to add, then servers, evidence and next commands. */
export async function reportText(report: RenderedReport, style: PageStyle): Promise<string> {
  const page = await createPage(style, report);
  showVerdict(report, page, style.now);
  showFindings(report, page, style.now);
  showViews(report, page);
  showProbes(report, page);
  showEvidence(report, page);
  showNext(report, page, style.now);
  return page.toString();
}

/** Records as in a provider's form. */
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
  const latest = localTime(new Date(estimate.latest), now);
  const left = describeDuration(estimate.inSeconds * 1_000);
  page.text(`Visible by ${latest} at the latest (in ${left}), probably earlier.`, { first: '  ' });
}

const SECTIONS: readonly { severity: Severity; title: string }[] = [
  { severity: 'block', title: 'What to do' },
  { severity: 'wait', title: 'What to wait for' },
  { severity: 'unknown', title: 'What could not be checked' },
  { severity: 'warn', title: 'Warnings' },
  { severity: 'info', title: 'What is correct' },
];

function showFindings(report: RenderedReport, page: Page, now: number): void {
  for (const { severity, title } of SECTIONS) {
    const findings = report.findings.filter((finding) => finding.severity === severity);
    // What is correct does not help while a change is needed.
    if (findings.length === 0 || (severity === 'info' && report.state === 'action-required')) continue;
    page.heading(title);
    for (const [index, finding] of findings.entries()) {
      showFinding(finding, severity === 'block' ? `${String(index + 1)}. ` : '- ', page, now);
    }
    if (severity === 'block') showRecordToSet(report, findings, page);
  }
}

function showFinding(finding: Finding, bullet: string, page: Page, now: number): void {
  const { message, fix, id } = finding;
  const indent = ' '.repeat(2 + bullet.length);
  page.text(`${withLocalTimes(message, now)} [${id}]`, { first: `  ${bullet}`, rest: indent });
  if (fix === undefined) return;
  page.text(withLocalTimes(fix.text, now), { first: indent });
  if (fix.action === 'remove' && fix.records.length > 0) {
    page.text('Remove:', { first: indent });
    page.table(fix.records.map(truncated), REMOVE_COLUMNS, `${indent}  `);
  }
}

/** Truncates the value of a record to remove, which the user finds and does not type. JSON has the whole value. */
function truncated(record: RecordFields): RecordFields {
  const { value } = record;
  return value.length <= VALUE_SHOWN_MAX
    ? record
    : { ...record, value: `${value.slice(0, VALUE_SHOWN_MAX)}…` };
}

const VALUE_SHOWN_MAX = 60;

/** Shows the record once, since several findings may need the same one. */
function showRecordToSet({ expected }: RenderedReport, findings: readonly Finding[], page: Page): void {
  if (expected.length === 0 || findings.every(({ axis }) => axis !== 'record')) return;
  page.text('Record to set:', { first: '  ' });
  page.table(expected, RECORD_COLUMNS, '    ');
}

function showViews({ observed, zone, kind, decidedBy }: RenderedReport, page: Page): void {
  if (observed.authoritative.length > 0) {
    const by = {
      'zone-cut': '',
      'public-suffix': ' (from the public suffix list)',
      override: ' (set by a flag)',
    };
    const position = kind === 'apex' ? 'the apex of this zone' : 'a subdomain';
    page.heading(`Name servers of ${zone}`);
    page.text(`The domain is ${position}${by[decidedBy]}.`, { first: '  ' });
    const rows = observed.authoritative.map((seen) => ({ ...seen, records: recordsCell(seen.records) }));
    const serials = new Set(observed.authoritative.map(({ serial }) => serial));
    const columns = SERVER_COLUMNS.filter(({ field }) => field !== 'serial' || serials.size > 1);
    page.table(rows, columns, '  ');
  }
  if (observed.recursive.length > 0) {
    page.heading('Resolvers, as visitors use them');
    const rows = observed.recursive.map((seen) => ({
      ...seen,
      records: recordsCell(seen.records),
      remaining: seen.remaining === undefined ? '' : `for ${describeDuration(seen.remaining * 1_000)}`,
    }));
    page.table(rows, RESOLVER_COLUMNS, '  ');
  }
}

/** The serial is shown only if the servers differ. */
const SERVER_COLUMNS: readonly Column[] = [
  { field: 'server', header: 'server', fixed: true },
  { field: 'address', header: 'address', fixed: true },
  { field: 'answer', header: 'response' },
  { field: 'serial', header: 'serial', align: 'right' },
  { field: 'records', header: 'records' },
  { field: 'ttl', header: 'ttl', align: 'right' },
];

const RESOLVER_COLUMNS: readonly Column[] = [
  { field: 'resolver', header: 'resolver', fixed: true },
  { field: 'answer', header: 'response' },
  { field: 'records', header: 'records' },
  { field: 'remaining', header: 'caches', fixed: true },
];

/** One record a line. */
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

/** The certificate of each address. */
export const CERTIFICATE_COLUMNS: readonly Column[] = [
  { field: 'address', header: 'address', fixed: true },
  { field: 'result', header: 'result' },
  { field: 'issuer', header: 'issuer' },
  { field: 'validTo', header: 'valid to', fixed: true },
];

/** Shows the evidence of all problems or, without a problem, of all findings. Removes duplicates. */
function showEvidence({ findings }: RenderedReport, page: Page): void {
  const problems = findings.filter(({ severity }) => severity !== 'info');
  const proofs = (problems.length > 0 ? problems : findings).flatMap(({ evidence }) => evidence);
  const byText = new Map(proofs.map((proof) => [`${proof.command ?? ''} ${proof.text}`, proof]));
  if (byText.size === 0) return;
  page.heading('Evidence');
  let shown: string | undefined;
  for (const { text, command } of byText.values()) {
    if (command !== undefined && command !== shown) page.command(command, '  ');
    // Evidence without a command is not indented below one.
    const indent = command === undefined ? '  ' : '    ';
    page.text(text, { first: indent, rest: `${indent}  ` });
    shown = command;
  }
}

function showNext({ next }: RenderedReport, page: Page, now: number): void {
  if (next.length === 0) return;
  page.heading('Next');
  for (const { command, when } of next) {
    page.text(`${withLocalTimes(when, now)}:`, { first: '  ' });
    page.command(command, '    ');
  }
}
