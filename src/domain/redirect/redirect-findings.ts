import {
  type CertificateProblem,
  certificateProblems,
  dayOf,
  distrustOf,
} from '../certificate/certificate-problems.js';
import type { Evidence, Finding } from '../finding/finding.js';
import { isIpv6 } from '../name/ip-address.js';
import { listed, shown } from '../finding/printable.js';
import type { ProbeFailure } from '../probe/probe-failure.js';
import type { RedirectFacts } from './probe-redirects.js';
import {
  hostOf,
  isLoop,
  isProbedPort,
  leavingHop,
  type RedirectHop,
  redirectUrl,
  type RedirectWalk,
} from './redirect-walk.js';

/** A problem of one walk. */
interface Problem {
  id: Exclude<Finding['id'] & `redirect.${string}`, 'redirect.ok'> | 'cert.expired' | 'cert.untrusted';
  severity: 'block' | 'warn' | 'unknown';
  /** Continues `a → b: `. */
  text: string;
  /** Whether the time limit ended the request. */
  isAborted?: boolean;
}

/** The findings about one redirect entry. The same problem from http and https is one finding. */
export function redirectFindings(facts: RedirectFacts): Finding[] {
  const { from, to, status } = facts.entry;
  const problems = facts.walks.flatMap((walk) =>
    problemsOf(walk, facts).map((problem) => ({ walk, problem })),
  );
  if (problems.length === 0) {
    const message = `${from} → ${to}: works from http and https, with ${status}, path and query.`;
    const evidence = facts.walks.flatMap((walk) => walk.hops.map(hopEvidence));
    return [
      { id: 'redirect.ok', axis: 'redirect', severity: 'info', message, evidence, entries: [facts.entry] },
    ];
  }
  const distinct = new Map(problems.map(({ problem }) => [keyOf(problem), problem]));
  return [...distinct].map(([key, problem]) => {
    const walks = problems.filter((other) => keyOf(other.problem) === key).map(({ walk }) => walk);
    const schemes = [...new Set(walks.map(({ scheme }) => scheme))];
    return {
      id: problem.id,
      axis: 'redirect',
      severity: problem.severity,
      message: `${from} → ${to}, from ${listed(schemes)}: ${problem.text}.`,
      fix: { action: 'other', text: fixText(problem, facts), records: [] },
      evidence: walks.flatMap((walk) => walk.hops.map(hopEvidence)),
      entries: [facts.entry],
    } satisfies Finding;
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

function problemsOf(walk: RedirectWalk, facts: RedirectFacts): Problem[] {
  const certificate = certificateProblem(walk, facts);
  const problems = isLoop(walk, facts.entry) ? [loopProblem(walk)] : redirectProblems(walk, facts);
  if (certificate === undefined) return problems;
  const others = endsWithoutCertificate(walk, facts)
    ? problems.filter(({ id }) => id !== 'redirect.missing')
    : problems;
  return [certificate, ...others];
}

function redirectProblems(walk: RedirectWalk, facts: RedirectFacts): Problem[] {
  const hop = leavingHop(walk, facts.entry);
  const target = hop === undefined ? undefined : redirectUrl(hop);
  if (hop === undefined || target === undefined) return missingProblem(walk);
  return [
    ...statusProblem(hop, facts),
    ...targetProblem(target, facts),
    ...unreachableProblem(walk, facts),
    ...pathProblem(target, facts),
    ...downgradeProblem(walk),
  ];
}

/** The problem of a walk in which no hop redirects away from `from`. */
function missingProblem({ hops }: RedirectWalk): Problem[] {
  const last = hops.at(-1);
  if (last === undefined) return [];
  const { response } = last;
  if (response.kind !== 'response') return [failureProblem(response)];
  const { status, location } = response;
  const text =
    location === undefined
      ? `it does not redirect; the response has status ${status}`
      : `it does not redirect: status ${status} with ${shown(location)} is not a redirect that browsers follow`;
  return [{ id: 'redirect.missing', severity: 'block', text }];
}

function failureProblem({ kind, detail }: ProbeFailure): Problem {
  switch (kind) {
    case 'refused':
      return { id: 'redirect.missing', severity: 'block', text: `no response (${detail})` };
    case 'no-address':
      return { id: 'redirect.missing', severity: 'block', text: detail };
    default: {
      const text = `it could not be checked: ${detail}`;
      return { id: 'redirect.missing', severity: 'unknown', text, isAborted: kind === 'aborted' };
    }
  }
}

function certificateProblem(
  { hops }: RedirectWalk,
  { entry, checkedAt }: RedirectFacts,
): Problem | undefined {
  const hop = hops.find((candidate) => isHttps(candidate) && hostOf(new URL(candidate.url)) === entry.from);
  return hop === undefined ? undefined : hopCertificateProblem(hop, entry.from, checkedAt);
}

/** Whether the walk ends at `from` without its certificate. Then a missing redirect is no problem of its own. */
function endsWithoutCertificate({ hops }: RedirectWalk, { entry }: RedirectFacts): boolean {
  const last = hops.at(-1);
  if (last === undefined || !isHttps(last) || hostOf(new URL(last.url)) !== entry.from) return false;
  return last.certificate === undefined ? last.response.kind === 'refused' : !last.certificate.isForHost;
}

/** The certificate problem of `from`. An expired or untrusted certificate is never pending: it was issued before. */
function hopCertificateProblem(
  { response, certificate }: RedirectHop,
  from: string,
  checkedAt: number,
): Problem | undefined {
  const block = (id: Problem['id'], text: string): Problem => ({ id, severity: 'block', text });
  if (certificate === undefined) {
    if (response.kind !== 'refused') return undefined;
    return block('redirect.no-cert-on-from', `https does not respond (${response.detail})`);
  }
  const [problem] = certificateProblems(certificate, checkedAt);
  switch (problem) {
    case undefined:
    case 'no-tls':
      return undefined;
    case 'expired':
      return block('cert.expired', `the certificate of ${from} expired on ${dayOf(certificate.validTo)}`);
    case 'untrusted': {
      const reason = distrustOf(certificate, checkedAt) ?? '';
      return block('cert.untrusted', `the certificate of ${from} is not trusted: ${reason}`);
    }
    case 'wrong-name': {
      const names = certificate.names.length > 0 ? certificate.names : [certificate.subject];
      const text = `${from} has no certificate of its own; it uses one for ${listed(names, 4)}`;
      return block('redirect.no-cert-on-from', text);
    }
  }
}

function loopProblem({ hops }: RedirectWalk): Problem {
  return {
    id: 'redirect.loop',
    severity: 'block',
    text: `it forms a loop, or does not end within ${hops.length} ${hops.length === 1 ? 'redirect' : 'redirects'}`,
  };
}

function statusProblem({ response }: RedirectHop, { entry }: RedirectFacts): Problem[] {
  if (response.kind !== 'response' || response.status === entry.status) return [];
  const text = `the status is ${response.status} and should be ${entry.status}`;
  return [{ id: 'redirect.status', severity: 'block', text }];
}

/** The problem of a redirect whose target does not serve: no address, no valid certificate, no response or an error. */
function unreachableProblem({ hops }: RedirectWalk, { entry, checkedAt }: RedirectFacts): Problem[] {
  const last = hops.at(-1);
  if (last === undefined || hostOf(new URL(last.url)) !== entry.to) return [];
  const { response, certificate } = last;
  const block = (text: string): Problem[] => [
    { id: 'redirect.unreachable', severity: 'block', text: `${entry.to} does not serve: ${text}` },
  ];
  const [problem] = certificate === undefined ? [] : certificateProblems(certificate, checkedAt);
  if (problem !== undefined) return block(CERTIFICATE_TEXTS[problem]);
  if (response.kind === 'response') return response.status >= 500 ? block(`status ${response.status}`) : [];
  if (response.kind === 'refused' || response.kind === 'no-address') return block(response.detail);
  const text = `${entry.to} could not be checked: ${response.detail}`;
  return [{ id: 'redirect.unreachable', severity: 'unknown', text, isAborted: response.kind === 'aborted' }];
}

const CERTIFICATE_TEXTS: Readonly<Record<CertificateProblem, string>> = {
  'no-tls': 'no TLS',
  'wrong-name': 'its certificate is for another name',
  untrusted: 'its certificate is not trusted',
  expired: 'its certificate has expired',
};

function targetProblem(target: URL, { entry, ports }: RedirectFacts): Problem[] {
  if (hostOf(target) === entry.to && isProbedPort(target, ports)) return [];
  const text = `it redirects to ${shown(target.host)} and should redirect to ${entry.to}`;
  return [{ id: 'redirect.target', severity: 'block', text }];
}

function pathProblem(target: URL, { path }: RedirectFacts): Problem[] {
  const requested = new URL(path, target);
  const token = requested.searchParams.get('probe');
  const lost = [
    ...(withoutFinalSlash(target.pathname) === requested.pathname ? [] : ['the path']),
    ...(target.searchParams.get('probe') === token ? [] : ['the query']),
  ];
  if (lost.length === 0) return [];
  return [{ id: 'redirect.drops-path-query', severity: 'warn', text: `it drops ${listed(lost)}` }];
}

function downgradeProblem({ hops }: RedirectWalk): Problem[] {
  if (!hops.some((hop) => isHttps(hop) && redirectUrl(hop)?.protocol === 'http:')) return [];
  return [{ id: 'redirect.downgrade', severity: 'warn', text: 'it redirects from https to http' }];
}

function fixText({ id, severity, isAborted = false }: Problem, { entry }: RedirectFacts): string {
  const { from, to, status } = entry;
  if (isAborted) return 'Allow more time with --timeout.';
  if (severity === 'unknown') return 'Try again later, or pass the server with --connect HOST.';
  const fixes: Readonly<Record<Problem['id'], string>> = {
    'redirect.missing': `Point ${from} to the platform, and save its entry: from ${from}, to ${to}, status ${status}.`,
    'redirect.status': `Set the status of the entry to ${status}. Check for another redirect before it.`,
    'redirect.unreachable': `Make ${to} serve over https first: check its DNS records and its certificate.`,
    'redirect.target': `Set the target of the entry to ${to}. Check for another redirect before it.`,
    'redirect.loop': `Remove the redirect from ${to} back to ${from}. It may be another entry or part of the site.`,
    'redirect.downgrade': `Redirect to https://${to}.`,
    'redirect.no-cert-on-from': `Attach ${from} as a domain and verify it. A redirect from https needs a certificate for ${from}.`,
    'cert.expired': `Start verification of ${from} again in your dashboard. If no new certificate is issued, check its CAA records.`,
    'cert.untrusted': `Start verification of ${from} again in your dashboard to get a new certificate. If you use a proxy or CDN, set its record to DNS only.`,
    'redirect.drops-path-query': `Keep path and query in the redirect. Links to pages of ${from} now lead to the wrong page.`,
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

function isHttps({ url }: RedirectHop): boolean {
  return url.startsWith('https:');
}

function withoutFinalSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function keyOf({ id, text }: Problem): string {
  return `${id} ${text}`;
}
