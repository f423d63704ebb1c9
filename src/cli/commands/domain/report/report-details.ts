import { describeDuration } from '../../../../time/duration.js';
import type { Column } from '../../../output/index.js';
import type { Page } from '../../../output/table/page.js';
import type { RenderedReport } from './next-commands.js';
import { showProvider } from './provider-text.js';
import { localTime, withLocalTimes } from '../../../output/text/local-time.js';
import { showTrace } from './query-trace.js';
import { showRedirectHops } from './redirect-rows.js';

/** Adds the servers, the probes, the evidence and the queries of a report to a page. */
export function showDetails(report: RenderedReport, page: Page, now: number): void {
  showViews(report, page);
  showProvider(report, page);
  showPlatform(report, page);
  showProbes(report, page, now);
  showEvidence(report, page, now);
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

function showProbes({ certificate, redirects }: RenderedReport, page: Page, now: number): void {
  if (certificate !== undefined) {
    page.heading(`Certificate: ${certificate.status}`);
    showCertificates(certificate, page, now);
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
  now: number,
): void {
  const rows = addresses.map((address) => ({
    ...address,
    result: withLocalTimes(address.result, now),
    validTo: address.validTo === undefined ? '' : localTime(new Date(address.validTo), now),
  }));
  page.table(rows, CERTIFICATE_COLUMNS, '  ');
}

/** Shows the evidence of all problems or, without a problem, of all findings. Removes duplicates. */
function showEvidence({ findings }: RenderedReport, page: Page, now: number): void {
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
    page.text(withLocalTimes(text, now), { first: indent, rest: `${indent}  ` });
    shown = command;
  }
}
