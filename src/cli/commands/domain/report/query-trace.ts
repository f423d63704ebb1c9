import type { Column } from '../../../output/index.js';
import type { Page } from '../../../output/table/page.js';
import type { RenderedReport } from './next-commands.js';

type TracedQuery = NonNullable<RenderedReport['trace']>[number];

/** The query comes last, because only long names need to wrap: a row fits 80 columns. */
const COLUMNS: readonly Column[] = [
  { field: 'time', header: 'time', fixed: true, align: 'right' },
  { field: 'transport', header: 'via', fixed: true },
  { field: 'rcode', header: 'response' },
  { field: 'flag', header: 'aa', fixed: true },
  { field: 'query', header: 'query' },
];

/** Adds every DNS query of a report to a page, in the order of the responses. */
export function showTrace({ trace = [] }: RenderedReport, page: Page): void {
  if (trace.length === 0) return;
  page.heading('Queries');
  page.table(trace.map(rowOf), COLUMNS, '  ');
}

function rowOf(query: TracedQuery): Record<string, unknown> {
  const { elapsedMs, transport, rcode, isAuthoritative, name, type, extendedErrors } = query;
  return {
    time: `${String(Math.round(elapsedMs))} ms`,
    transport,
    rcode,
    flag: isAuthoritative ? 'aa' : '',
    query: [
      `${name} ${type} @${serverText(query)}`,
      ...extendedErrors.map(({ code, text }) => `EDE ${String(code)}${text === '' ? '' : `: ${text}`}`),
    ],
  };
}

function serverText({ server, address }: TracedQuery): string {
  return server === address ? address : `${server} (${address})`;
}
