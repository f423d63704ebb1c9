import { describeDuration } from '../../../../time/duration.js';
import type { Column } from '../../../output/index.js';
import type { Page } from '../../../output/table/page.js';
import type { RenderedReport } from './next-commands.js';
import { evidenceOf } from './findings.js';
import { showRedirectHops } from './redirect-rows.js';

/** Adds the servers, the probes, the evidence and the queries of a report to a page. */
export function showDetails(report: RenderedReport, page: Page): void {
  showViews(report, page);
  showProvider(report, page);
  showPlatform(report, page);
  showProbes(report, page);
  showEvidence(report, page);
  showTrace(report, page);
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
  { field: 'response', header: 'response' },
  { field: 'serial', header: 'serial', align: 'right' },
  { field: 'records', header: 'records' },
  { field: 'ttl', header: 'ttl', align: 'right' },
];

const RESOLVER_COLUMNS: readonly Column[] = [
  { field: 'resolver', header: 'resolver', fixed: true },
  { field: 'response', header: 'response' },
  { field: 'records', header: 'records' },
  { field: 'remaining', header: 'caches', fixed: true },
];

/** One record a line. */
function recordsCell(records: readonly string[]): readonly string[] {
  return records.length === 0 ? ['none'] : records;
}

/** Shows the services of the domain, with the sources of what is known about them. */
function showProvider({ provider }: RenderedReport, page: Page): void {
  if (provider === undefined) return;
  page.heading('Services');
  const services = { 'DNS provider': provider.dns, Parking: provider.parking, 'CDN or proxy': provider.cdn };
  for (const [title, service] of Object.entries(services)) {
    if (service === undefined) continue;
    page.text(`${title}: ${service.name} (list of ${service.date})`, { first: '  ' });
    for (const source of service.sources) page.text(source, { first: '    ' });
  }
}

/** The responses of the domain and of the target to the same request. */
function showPlatform({ platform, domain }: RenderedReport, page: Page): void {
  if (platform === undefined) return;
  page.heading(`Platform: ${platform.result}`);
  const rows = [
    ...platform.domain.map((site) => ({ ...site, host: domain.ascii })),
    ...platform.target.map((site) => ({ ...site, host: 'target' })),
  ].map(({ host, address, status, trouble, fingerprint }) => ({
    host,
    address,
    response: trouble ?? `HTTP ${String(status ?? '')}`,
    certificate: fingerprint?.slice(0, FINGERPRINT_SHOWN) ?? '',
  }));
  page.table(rows, SITE_COLUMNS, '  ');
}

/** Eight of 32 bytes, enough to compare by eye. JSON has all. */
const FINGERPRINT_SHOWN = 23;

const SITE_COLUMNS: readonly Column[] = [
  { field: 'host', header: 'host' },
  { field: 'address', header: 'address', fixed: true },
  { field: 'response', header: 'response' },
  { field: 'certificate', header: 'certificate', fixed: true },
];

function showProbes({ certificate, redirects }: RenderedReport, page: Page): void {
  if (certificate !== undefined) {
    page.heading(`Certificate: ${certificate.status}`);
    showCertificates(certificate, page);
  }
  if (redirects === undefined) return;
  page.heading('Redirects');
  showRedirectHops(redirects, page);
}

/** The certificate of each address. */
export const CERTIFICATE_COLUMNS: readonly Column[] = [
  { field: 'address', header: 'address', fixed: true },
  { field: 'result', header: 'result' },
  { field: 'issuer', header: 'issuer' },
  { field: 'validTo', header: 'valid to', fixed: true },
];

/** Shows the certificate of each address, with local times. */
export function showCertificates(
  { addresses }: NonNullable<RenderedReport['certificate']>,
  page: Page,
): void {
  const rows = addresses.map((address) => ({
    ...address,
    result: page.localTimes(address.result),
    validTo: page.localTimes(address.validTo ?? ''),
  }));
  page.table(rows, CERTIFICATE_COLUMNS, '  ');
}

function showEvidence({ findings }: RenderedReport, page: Page): void {
  const proofs = evidenceOf(findings);
  if (proofs.length === 0) return;
  page.heading('Evidence');
  let shown: string | undefined;
  for (const { text, command } of proofs) {
    if (command !== undefined && command !== shown) page.command(command, '  ');
    // Evidence without a command is not indented below one.
    const indent = command === undefined ? '  ' : '    ';
    page.text(text, { first: indent, rest: `${indent}  ` });
    shown = command;
  }
}

type TracedQuery = NonNullable<RenderedReport['trace']>[number];

/** The query comes last, because only long names need to wrap: a row fits 80 columns. */
const QUERY_COLUMNS: readonly Column[] = [
  { field: 'time', header: 'time', fixed: true, align: 'right' },
  { field: 'transport', header: 'via', fixed: true },
  { field: 'rcode', header: 'response' },
  { field: 'flag', header: 'aa', fixed: true },
  { field: 'query', header: 'query' },
];

/** Adds every DNS query of a report to a page, in the order of the responses. */
function showTrace({ trace = [] }: RenderedReport, page: Page): void {
  if (trace.length === 0) return;
  page.heading('Queries');
  page.table(trace.map(queryRow), QUERY_COLUMNS, '  ');
}

function queryRow(query: TracedQuery): Record<string, unknown> {
  const { elapsedMs, transport, rcode, isAuthoritative, name, type, extendedErrors } = query;
  return {
    time: `${String(elapsedMs)} ms`,
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
