import { finding, type Evidence, type Finding } from '../report/finding.js';
import { isIpv6 } from '../names/ip-address.js';
import { listed, shown } from '../names/printable.js';
import type { RedirectFacts, RedirectHop } from './probe-redirects.js';
import { entryKey, parseEntry, shownHost } from './redirect-entries.js';
import type { RedirectEntry } from '../request/options.js';
import type { RedirectReport } from '../report/report.js';
import { problemsOf, type RedirectProblem } from './redirect-problems.js';

/**
 * The findings about one redirect entry. The same problem from http and https is one finding.
 *
 * - `redirect.ok`: the redirect works from http and https, with its status, path and query.
 */
export function redirectFindings(facts: RedirectFacts): Finding[] {
  const { from, to, status } = facts.entry;
  const problems = facts.walks.flatMap((walk) =>
    problemsOf(walk, facts).map((problem) => ({ walk, problem })),
  );
  if (problems.length === 0) {
    const reason = `works from http and https, with ${status}, path and query.`;
    const message = `${from} → ${to}: ${reason}`;
    const evidence = facts.walks.flatMap((walk) => walk.hops.map(hopEvidence));
    return [finding('redirect.ok', 'info', { message, reason, evidence, entries: [facts.entry] })];
  }
  const distinct = new Map(problems.map(({ problem }) => [keyOf(problem), problem]));
  return [...distinct].flatMap(([key, problem]) => {
    const walks = problems.filter((other) => keyOf(other.problem) === key).map(({ walk }) => walk);
    const schemes = [...new Set(walks.map(({ scheme }) => scheme))];
    const reason = `from ${listed(schemes)}: ${problem.text}.`;
    return [
      finding(problem.id, problem.severity, {
        axis: 'redirect',
        message: `${from} → ${to}, ${reason}`,
        reason,
        fix: fixText(problem, facts),
        evidence: walks.flatMap((walk) => walk.hops.map(hopEvidence)),
        entries: [facts.entry],
      }),
    ];
  });
}

/**
 * Lowers a missing certificate of `from`, and a target that does not serve, to `wait` while the certificate of the domain
 * is pending. All are issued in one process.
 */
export function whileCertificatePending(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) =>
    (finding.id === 'redirect.no-cert-on-from' || finding.id === 'redirect.unreachable') &&
    finding.severity === 'block'
      ? { ...finding, severity: 'wait' }
      : finding,
  );
}

function fixText(
  { id, severity, isAborted = false, remedy = [] }: RedirectProblem,
  { entry }: RedirectFacts,
): string | readonly string[] {
  const { from, to, status } = entry;
  if (isAborted) return 'Allow more time with --timeout.';
  if (id === 'redirect.loop' && severity === 'unknown') return 'Open the page in a browser to check it.';
  if (severity === 'unknown') return 'Try again later, or pass the server with --connect HOST.';
  const fixes: Readonly<Record<RedirectProblem['id'], string | readonly string[]>> = {
    'redirect.missing': [
      `In the redirects of the project, save the entry: from ${from}, to ${to}, status ${status}.`,
      `Point ${from} to the platform.`,
    ],
    'redirect.status': [
      `In the redirects of the project, set the status of ${from} → ${to} to ${status}.`,
      'Check for another redirect before it.',
    ],
    'redirect.unreachable':
      remedy.length > 0
        ? remedy
        : `At ${to}, check the DNS records and the certificate: it must serve over https first.`,
    'redirect.target': [
      `In the redirects of the project, set the target of ${from} to ${to}.`,
      'Check for another redirect before it.',
    ],
    'redirect.loop': remedy,
    'redirect.downgrade': `Redirect to https://${to}.`,
    'redirect.no-cert-on-from': [
      `In your dashboard, attach ${from} as a domain and verify it.`,
      `A redirect from https needs a certificate for ${from}.`,
    ],
    'cert.expired': [
      `In your dashboard, if the clock of this machine is right, start verification of ${from} again, once.`,
      'If no new certificate is issued, check its CAA records.',
    ],
    'cert.untrusted': [
      'If you use a proxy or CDN, set its record to "DNS only".',
      `If ${from} was verified more than 30 minutes ago, start its verification again in your dashboard.`,
    ],
    'redirect.drops-path-query': [
      'Keep path and query in the redirect.',
      `Links to pages of ${from} now lead to the wrong page.`,
    ],
  };
  return fixes[id];
}

function hopEvidence({ url, response, endpoint }: RedirectHop): Evidence {
  const text =
    response.kind === 'response'
      ? `${response.status}${response.location === undefined ? '' : ` → ${shown(response.location)}`}`
      : response.detail;
  return {
    text: `${shown(url)}: ${text}`,
    ...(endpoint !== undefined && { command: curlCommand(url, endpoint) }),
  };
}

/** A curl command for the probed address, so that curl does not query a resolver for the host. */
function curlCommand(url: string, { address, port }: NonNullable<RedirectHop['endpoint']>): string {
  const { hostname, protocol, port: urlPort } = new URL(url);
  const requestedPort = urlPort === '' ? (protocol === 'https:' ? '443' : '80') : urlPort;
  const connection = `${hostname}:${requestedPort}:${isIpv6(address) ? `[${address}]` : address}:${String(port)}`;
  return `curl -sk -o /dev/null -D - --connect-to ${quoted(connection)} ${quoted(url)}`;
}

/** Quotes a URL, which may come from a server, for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '%27')}'`;
}

function keyOf({ id, text }: RedirectProblem): string {
  return `${id} ${text}`;
}

type ObservedHop = RedirectReport['observed'][number];

/** One report for each entry, in order. Entries that could not be probed have no observations. */
export function redirectReports(
  entries: readonly RedirectEntry[],
  facts: readonly RedirectFacts[],
): RedirectReport[] {
  const byEntry = new Map(facts.map((one) => [entryKey(one.entry), one]));
  return entries.map((entry) => {
    const found = byEntry.get(entryKey(parseEntry(entry) ?? entry));
    const observed = found?.walks.flatMap(({ hops }) => hops.map(observedHop)) ?? [];
    return {
      from: shownHost(entry.from),
      to: shownHost(entry.to),
      status: entry.status,
      observed,
    };
  });
}

function observedHop({ url, response }: RedirectHop): ObservedHop {
  if (response.kind !== 'response') return { url: shown(url), trouble: response.detail };
  const { status, location } = response;
  return {
    url: shown(url),
    status,
    ...(location !== undefined && { location: shown(location) }),
  };
}
