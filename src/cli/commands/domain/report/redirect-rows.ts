import type { Finding, RedirectReport, Severity } from '../../../../domain/index.js';
import type { Column } from '../../../output/index.js';
import type { Page } from '../../../output/table/page.js';
import { asciiOf } from './names.js';

/** Columns of one row for each requested URL. */
export const REDIRECT_COLUMNS: readonly Column[] = [
  { field: 'from', header: 'from', fixed: true },
  { field: 'to', header: 'to', fixed: true },
  { field: 'status', header: 'status', fixed: true },
  { field: 'url', header: 'url' },
  { field: 'answer', header: 'response' },
  { field: 'result', header: 'result', fixed: true },
  { field: 'reason', header: 'reason' },
];

const PAGE_COLUMNS: readonly Column[] = [
  { field: 'entry', header: 'entry' },
  { field: 'url', header: 'url', fixed: true },
  { field: 'answer', header: 'response', fixed: true },
];

const RESULTS: readonly { severity: Severity; result: string }[] = [
  { severity: 'block', result: 'wrong' },
  { severity: 'wait', result: 'pending' },
  { severity: 'unknown', result: 'unknown' },
  { severity: 'warn', result: 'warning' },
];

/**
 * Returns one row for each requested URL, for programs. `result` and `reason` are those of the whole entry. `result` is
 * `ok`, `wrong`, `pending`, `unknown` or `warning`. `reason` has the findings by severity.
 */
export function redirectRows(
  redirects: readonly RedirectReport[],
  findings: readonly Finding[],
): Record<string, unknown>[] {
  const byEntry = findingsByEntry(findings);
  return redirects.flatMap((entry) => {
    const { from, to, status } = entry;
    const own = byEntry.get(identityOf(asciiOf(from) ?? from, asciiOf(to) ?? to, status)) ?? [];
    const found = RESULTS.flatMap(({ severity, result }) =>
      own.filter((finding) => finding.severity === severity).map((finding) => ({ finding, result })),
    );
    const result = found[0]?.result ?? (own.length > 0 ? 'ok' : 'unknown');
    const reason = found.map(({ finding }) => reasonOf(finding)).join(' ');
    return observedRows(entry).map((seen) => ({ from, to, status, ...seen, result, reason }));
  });
}

/** Shows the entries, without their findings. */
export function showRedirectTable(redirects: readonly RedirectReport[], page: Page): void {
  const rows = redirects.flatMap((entry) => {
    const { from, to, status } = entry;
    const text = `${from} -> ${to} (${String(status)})`;
    return observedRows(entry).map((seen, index) => ({ entry: index === 0 ? text : '', ...seen }));
  });
  page.table(rows, PAGE_COLUMNS, '  ');
}

/** The findings of each entry, by its identity. An index, because a project may have thousands of entries. */
function findingsByEntry(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const index = new Map<string, Set<Finding>>();
  for (const finding of findings) {
    for (const { from, to, status } of finding.entries ?? []) {
      const identity = identityOf(from, to, status);
      const own = index.get(identity);
      if (own === undefined) index.set(identity, new Set([finding]));
      else own.add(finding);
    }
  }
  return new Map([...index].map(([identity, own]) => [identity, [...own]]));
}

function identityOf(from: string, to: string, status: number): string {
  return JSON.stringify([from, to, status]);
}

/** The text of a finding without the hosts, which have their own columns. */
function reasonOf({ id, message }: Finding): string {
  return `${id}: ${message.replace(/^\S+ → [^\s,:]+[,:] /, '')}`;
}

function observedRows({ observed }: RedirectReport): { url: string; answer: string }[] {
  if (observed.length === 0) return [{ url: '', answer: 'not checked' }];
  return observed.map(({ url, status, location, trouble }) => ({
    url: withoutPath(url),
    answer: trouble ?? [status, location].filter((part) => part !== undefined).join(' '),
  }));
}

function withoutPath(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
