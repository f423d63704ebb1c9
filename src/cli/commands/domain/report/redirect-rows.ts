import type { Finding, RedirectReport, Severity } from '../../../../domain/index.js';
import type { Column } from '../../../output/index.js';
import type { Page } from '../../../output/table/page.js';
import { counted } from '../../../errors/counted.js';
import { asciiOf } from '../input/names.js';

/** Columns of one row for each requested URL. */
export const REDIRECT_COLUMNS: readonly Column[] = [
  { field: 'from', header: 'from', fixed: true },
  { field: 'to', header: 'to', fixed: true },
  { field: 'status', header: 'status', fixed: true },
  { field: 'url', header: 'url' },
  { field: 'response', header: 'response' },
  { field: 'result', header: 'result', fixed: true },
  { field: 'reason', header: 'reason' },
];

const PAGE_COLUMNS: readonly Column[] = [
  { field: 'entry', header: 'entry' },
  { field: 'url', header: 'url', fixed: true },
  { field: 'response', header: 'response', fixed: true },
];

type RedirectResult = 'ok' | 'wrong' | 'pending' | 'unknown' | 'warning';

const RESULTS: readonly { severity: Severity; result: RedirectResult }[] = [
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
  return withResults(redirects, findings).flatMap(({ entry, result, problems }) => {
    const { from, to, status } = entry;
    const reason = problems.map(reasonOf).join(' ');
    return observedRows(entry).map((seen) => ({ from, to, status, ...seen, result, reason }));
  });
}

/** Counts the entries by result, such as `3 redirects: 2 work, 1 needs a fix`. */
export function redirectVerdict(redirects: readonly RedirectReport[], findings: readonly Finding[]): string {
  const results = withResults(redirects, findings);
  const counts = Object.entries(COUNTED_WORDS).flatMap(([wanted, [one, several]]) => {
    const count = results.filter(({ result }) => result === wanted).length;
    const words = count === 1 ? one : several;
    if (count === 0) return [];
    return count === redirects.length
      ? [`${count === 1 ? '' : 'all '}${words}`]
      : [`${String(count)} ${words}`];
  });
  return `${counted(redirects.length, 'redirect')}: ${counts.join(', ')}`;
}

const COUNTED_WORDS: Readonly<Record<RedirectResult, readonly [one: string, several: string]>> = {
  ok: ['works', 'work'],
  warning: ['works, with a warning', 'work, with warnings'],
  wrong: ['needs a fix', 'need a fix'],
  pending: ['pending', 'pending'],
  unknown: ['not checked', 'not checked'],
};

/** One line for each entry, with its result. */
export function redirectLines(redirects: readonly RedirectReport[], findings: readonly Finding[]): string[] {
  return withResults(redirects, findings).map(
    ({ entry: { from, to, status }, result }) =>
      `${from} → ${to} (${String(status)}): ${COUNTED_WORDS[result][0]}`,
  );
}

/** Shows the requests of each entry, without its findings. */
export function showRedirectHops(redirects: readonly RedirectReport[], page: Page): void {
  const rows = redirects.flatMap((entry) => {
    const { from, to, status } = entry;
    const text = `${from} → ${to} (${String(status)})`;
    return observedRows(entry).map((seen, index) => ({ entry: index === 0 ? text : '', ...seen }));
  });
  page.table(rows, PAGE_COLUMNS, '  ');
}

/** Each entry with its result, and its problems by severity. */
function withResults(redirects: readonly RedirectReport[], findings: readonly Finding[]) {
  const byEntry = new Map<string, Set<Finding>>();
  for (const finding of findings)
    for (const { from, to, status } of finding.entries ?? []) {
      const key = `${from} ${to} ${String(status)}`;
      byEntry.set(key, (byEntry.get(key) ?? new Set()).add(finding));
    }
  return redirects.map((entry) => {
    const { from, to, status } = entry;
    const key = `${asciiOf(from) ?? from} ${asciiOf(to) ?? to} ${String(status)}`;
    const own = [...(byEntry.get(key) ?? [])];
    const found = RESULTS.flatMap(({ severity, result }) =>
      own.filter((finding) => finding.severity === severity).map((finding) => ({ finding, result })),
    );
    const result: RedirectResult = found[0]?.result ?? (own.length > 0 ? 'ok' : 'unknown');
    return { entry, result, problems: found.map(({ finding }) => finding) };
  });
}

/** The text of a finding without the hosts, which have their own columns. */
function reasonOf({ id, message, reason = message }: Finding): string {
  return `${id}: ${reason}`;
}

function observedRows({ observed }: RedirectReport): { url: string; response: string }[] {
  if (observed.length === 0) return [{ url: '', response: 'not checked' }];
  return observed.map(({ url, status, location, trouble }) => ({
    url: withoutPath(url),
    response: trouble ?? [status, location].filter((part) => part !== undefined).join(' '),
  }));
}

function withoutPath(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
