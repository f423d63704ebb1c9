import type { Finding, ProbeTarget, RedirectEntry, VerdictExitCode } from '../../../domain/index.js';
import type { WebOptions } from '../../../mock/index.js';
import type { Session } from '../../session/action.js';
import type { Page } from '../../output/table/page.js';
import { UsageError } from '../../errors/usage-error.js';
import type { DnsAccess } from './dns-access.js';
import type { ProbeOptions } from './input/domain-flags.js';
import { asciiOf } from './input/names.js';
import { withLocalTimes } from '../../output/text/local-time.js';

/** @throws UsageError for a port with --mock, but without a server at that port. */
export function checkProbeFlags({ connect, httpsPort, httpPort }: ProbeOptions, { global }: Session): void {
  const flag = httpsPort !== undefined ? '--https-port' : httpPort !== undefined ? '--http-port' : undefined;
  if (!global.mock || connect !== undefined || flag === undefined) return;
  throw new UsageError(
    `${flag} can't be combined with --mock, which has its own web servers`,
    'Remove it, or also pass your server with --connect.',
  );
}

/** Which web servers of the mock a command opens: none if it connects to another server. */
export function mockWeb(
  { connect }: ProbeOptions,
  redirects: readonly RedirectEntry[] = [],
): WebOptions | undefined {
  return connect === undefined ? { redirects: servableEntries(redirects) } : undefined;
}

/** The entries that a server can have: valid, and one a host. The check of the entries reports the others. */
function servableEntries(redirects: readonly RedirectEntry[]): readonly RedirectEntry[] {
  const hosts = new Set<string>();
  return redirects.filter(({ from, to, status }) => {
    const host = asciiOf(from);
    if (host === undefined || asciiOf(to) === undefined || hosts.has(host)) return false;
    hosts.add(host);
    return [301, 302, 303, 307, 308].includes(status);
  });
}

/** Adds the authority of the mock's web servers to those that a probe trusts. */
export function withMockAuthority(probe: ProbeTarget, { web }: DnsAccess): ProbeTarget {
  if (web === undefined) return probe;
  return { ...probe, ca: probe.ca === undefined ? web.authority : `${probe.ca}\n${web.authority}` };
}

/** The exit codes of {@link probeExitCode}, for help pages. */
export const PROBE_EXIT_CODES = `Exit codes:
- 0: no problem
- 1: a problem, or no address
- 2: a name, flag or setting is invalid; nothing was requested
- 8: pending, such as a certificate that is not issued yet
- 9: could not check`;

/** Returns 0 (ok), 1 (a problem), 8 (pending) or 9 (unknown). */
export function probeExitCode(findings: readonly Finding[]): VerdictExitCode {
  const has = (severity: Finding['severity']): boolean =>
    findings.some((finding) => finding.severity === severity);
  if (has('block')) return 1;
  if (has('wait')) return 8;
  return has('unknown') || findings.length === 0 ? 9 : 0;
}

/** Adds the findings of a probe to a page. `now`: milliseconds since the epoch, for local times. */
export function showFindings(findings: readonly Finding[], page: Page, now: number): void {
  for (const { message, fix, id } of findings) {
    page.text(`${withLocalTimes(message, now)} [${id}]`, { first: '  - ', rest: '    ' });
    if (fix !== undefined) page.text(withLocalTimes(fix.text, now), { first: '    ' });
  }
}
