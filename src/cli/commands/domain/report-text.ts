import type { Finding, Report, Severity } from '../../../domain/index.js';
import type { Column } from '../../output/index.js';
import { describeDuration } from '../../duration.js';
import { shownMoment, withLocalMoments } from './moment.js';
import { shownName } from './names.js';
import { createPage, type Page, type PageStyle } from './page.js';
import { stateSentence, stateWords } from './state-words.js';

/**
 * A report for people: the verdict first, then what to do in order, with the records to type; what it rests on is below.
 */
export async function reportText(report: Report, style: PageStyle): Promise<string> {
  const page = await createPage(style, report);
  showVerdict(report, page, style.now);
  await showWork(report, page, style.now);
  await showViews(report, page);
  await showProbes(report, page);
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

function showVerdict(report: Report, page: Page, now: number): void {
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

async function showWork(report: Report, page: Page, now: number): Promise<void> {
  for (const { severity, title } of SECTIONS) {
    const findings = report.findings.filter((finding) => finding.severity === severity);
    // What is right is of no use to somebody who has something to mend.
    if (findings.length === 0 || (severity === 'info' && report.state === 'action-required')) continue;
    page.heading(title);
    for (const [index, finding] of findings.entries()) {
      await showFinding(finding, severity === 'block' ? `${String(index + 1)}. ` : '- ', page, now);
    }
    if (severity === 'block') await showWanted(report, findings, page);
  }
}

async function showFinding(finding: Finding, mark: string, page: Page, now: number): Promise<void> {
  const { message, fix, id } = finding;
  const indent = ' '.repeat(2 + mark.length);
  page.text(`${withLocalMoments(message, now)} [${id}]`, { first: `  ${mark}`, rest: indent });
  if (fix === undefined) return;
  page.text(withLocalMoments(fix.text, now), { first: indent });
  if (fix.action === 'remove' && fix.records.length > 0) {
    page.text('Remove:', { first: indent });
    await page.table(fix.records, REMOVE_COLUMNS, `${indent}  `);
  }
}

/** Once, below: several findings may come down to the same record. */
async function showWanted({ expected }: Report, findings: readonly Finding[], page: Page): Promise<void> {
  if (expected.length === 0 || findings.every(({ axis }) => axis !== 'record')) return;
  page.text('The record to have:', { first: '  ' });
  await page.table(expected, RECORD_COLUMNS, '    ');
}

async function showViews({ observed, zone, kind, decidedBy }: Report, page: Page): Promise<void> {
  if (observed.authoritative.length > 0) {
    const by = { 'zone-cut': '', 'public-suffix': ', by the public suffix list', override: ', as told' };
    const what = kind === 'apex' ? 'the domain is its top' : 'the domain is a name in it';
    page.heading(`Name servers of ${zone}: ${what}${by[decidedBy]}`);
    const rows = observed.authoritative.map((seen) => ({ ...seen, records: recordsCell(seen.records) }));
    const serials = new Set(observed.authoritative.map(({ serial }) => serial));
    const columns = SERVER_COLUMNS.filter(({ field }) => field !== 'serial' || serials.size > 1);
    await page.table(rows, columns, '  ');
  }
  if (observed.recursive.length > 0) {
    page.heading('Resolvers, as visitors see it');
    const rows = observed.recursive.map((seen) => ({
      ...seen,
      records: recordsCell(seen.records),
      remaining: seen.remaining === undefined ? '' : `stale for ${describeDuration(seen.remaining * 1_000)}`,
    }));
    await page.table(rows, RESOLVER_COLUMNS, '  ');
  }
}

/** The serial is shown where it says something: where the servers have different ones. */
const SERVER_COLUMNS: readonly Column[] = [
  { field: 'server', header: 'server' },
  { field: 'address', header: 'address' },
  { field: 'answer', header: 'answer' },
  { field: 'serial', header: 'serial' },
  { field: 'records', header: 'records' },
  { field: 'ttl', header: 'ttl' },
];

const RESOLVER_COLUMNS: readonly Column[] = [
  { field: 'resolver', header: 'resolver' },
  { field: 'answer', header: 'answer' },
  { field: 'records', header: 'records' },
  { field: 'remaining', header: 'remembers' },
];

function recordsCell(records: readonly string[]): string {
  return records.length === 0 ? 'none' : records.join(', ');
}

async function showProbes({ certificate, redirects }: Report, page: Page): Promise<void> {
  if (certificate !== undefined) {
    page.heading(`Certificate: ${certificate.status}`);
    await page.table(certificate.addresses, CERTIFICATE_COLUMNS, '  ');
  }
  if (redirects === undefined) return;
  page.heading('Redirects');
  await page.table(redirectRows(redirects), REDIRECT_COLUMNS, '  ');
}

/** The certificate by address. */
export const CERTIFICATE_COLUMNS: readonly Column[] = [
  { field: 'address', header: 'address', fixed: true },
  { field: 'result', header: 'result' },
  { field: 'issuer', header: 'issuer' },
  { field: 'validTo', header: 'valid to' },
];

/** One row a URL that was asked. */
export const REDIRECT_COLUMNS: readonly Column[] = [
  { field: 'entry', header: 'entry' },
  { field: 'url', header: 'asked' },
  { field: 'answer', header: 'answer' },
];

export function redirectRows(redirects: NonNullable<Report['redirects']>): Record<string, unknown>[] {
  return redirects.flatMap(({ from, to, status, observed }) => {
    const entry = `${from} -> ${to} (${String(status)})`;
    if (observed.length === 0) return [{ entry, url: '', answer: 'not asked' }];
    return observed.map((seen, index) => ({
      entry: index === 0 ? entry : '',
      url: withoutPath(seen.url),
      answer: seen.trouble ?? `${String(seen.status ?? '')} ${seen.location ?? ''}`.trim(),
    }));
  });
}

function withoutPath(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** The proofs: of what stands in the way or, where nothing does, of what is right. Each command once. */
function showEvidence({ findings }: Report, page: Page): void {
  const weighty = findings.filter(({ severity }) => severity !== 'info');
  const proofs = (weighty.length > 0 ? weighty : findings).flatMap(({ evidence }) => evidence);
  const byText = new Map(proofs.map((proof) => [`${proof.command ?? ''} ${proof.text}`, proof]));
  if (byText.size === 0) return;
  page.heading('Evidence');
  let shown: string | undefined;
  for (const { text, command } of byText.values()) {
    if (command !== undefined && command !== shown) page.command(command, '  ');
    page.text(text, { first: '    ', rest: '      ' });
    shown = command;
  }
}

function showNext({ next }: Report, page: Page, now: number): void {
  if (next.length === 0) return;
  page.heading('Next');
  for (const { command, when } of next) {
    page.text(`${withLocalMoments(when, now)}:`, { first: '  ' });
    page.command(command, '    ');
  }
}
