import { certificateProblems, type CertificateProblem, distrustOf } from './certificate-problems.js';
import { timeText } from '../gather/views/estimate.js';
import type { Finding } from '../report/finding.js';
import { listed, shown } from '../names/printable.js';
import type { ProbeFailure } from './probe-failure.js';
import type { RedirectFacts } from './probe-redirects.js';
import { hostOf } from './request-http.js';
import {
  isLoop,
  isProbedPort,
  leavingHop,
  type RedirectHop,
  redirectUrl,
  type RedirectWalk,
} from './probe-redirects.js';

/** A problem of one walk. */
export interface RedirectProblem {
  id: Exclude<Finding['id'] & `redirect.${string}`, 'redirect.ok'> | 'cert.expired' | 'cert.untrusted';
  severity: 'block' | 'warn' | 'unknown';
  /** Continues `a → b: `. */
  text: string;
  /** Whether the time limit ended the request. */
  isAborted?: boolean;
  /** How to fix it, if that depends on more than the id. */
  remedy?: readonly string[];
}

/** The problems of one walk, most important first. */
export function problemsOf(walk: RedirectWalk, facts: RedirectFacts): RedirectProblem[] {
  const certificate = certificateProblem(walk, facts);
  const problems = isLoop(walk, facts.entry) ? [loopProblem(walk)] : redirectProblems(walk, facts);
  if (certificate === undefined) return problems;
  const others = endsWithoutCertificate(walk, facts)
    ? problems.filter(({ id }) => id !== 'redirect.missing')
    : problems;
  return [certificate, ...others];
}

function redirectProblems(walk: RedirectWalk, facts: RedirectFacts): RedirectProblem[] {
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

/** `redirect.missing`: no response redirects away from `from`. */
function missingProblem({ hops }: RedirectWalk): RedirectProblem[] {
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

function failureProblem({ kind, detail }: ProbeFailure): RedirectProblem {
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
): RedirectProblem | undefined {
  const hop = hops.find((candidate) => isHttps(candidate) && hostOf(new URL(candidate.url)) === entry.from);
  return hop === undefined ? undefined : hopCertificateProblem(hop, entry.from, checkedAt);
}

/** Whether the walk ends at `from` without its certificate. Then a missing redirect is no problem of its own. */
function endsWithoutCertificate({ hops }: RedirectWalk, { entry }: RedirectFacts): boolean {
  const last = hops.at(-1);
  if (last === undefined || !isHttps(last) || hostOf(new URL(last.url)) !== entry.from) return false;
  return last.certificate === undefined ? last.response.kind === 'refused' : !last.certificate.isForHost;
}

/**
 * `redirect.no-cert-on-from`: `from` has no certificate, so its redirect from https fails. An expired or untrusted
 * certificate is `cert.expired` or `cert.untrusted`. It is never pending: it was issued before.
 */
function hopCertificateProblem(
  { response, certificate }: RedirectHop,
  from: string,
  checkedAt: number,
): RedirectProblem | undefined {
  const block = (id: RedirectProblem['id'], text: string): RedirectProblem => ({
    id,
    severity: 'block',
    text,
  });
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
      return block('cert.expired', `the certificate of ${from} expired at ${timeText(certificate.validTo)}`);
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

/**
 * `redirect.loop`: the redirects have no end. Names the host that closes the loop, because it must change. `unknown` if a
 * cookie may end them.
 */
function loopProblem({ hops }: RedirectWalk): RedirectProblem {
  const last = hops.at(-1);
  const target = last === undefined ? undefined : redirectUrl(last);
  const host = last === undefined ? '' : hostOf(new URL(last.url));
  const next = target === undefined ? host : hostOf(target);
  if (next === host && hops.some((hop) => setsCookie(hop) && hostOf(new URL(hop.url)) === host)) {
    // The probe sends no cookie back, and browsers do.
    const text = `it could not be checked: ${host} sets a cookie and redirects to itself`;
    return { id: 'redirect.loop', severity: 'unknown', text };
  }
  const text = next === host ? `${host} redirects to itself` : `${host} redirects back to ${next}`;
  const remedy =
    next === host
      ? [`At ${host}, remove the redirect to itself, in its site or in a proxy before it.`]
      : [
          `At ${host}, remove the redirect to ${next}.`,
          'It is another entry, or part of the site. Or remove this entry.',
        ];
  return { id: 'redirect.loop', severity: 'block', text, remedy };
}

function setsCookie({ headers }: RedirectHop): boolean {
  return headers?.['set-cookie'] !== undefined;
}

/** `redirect.status`: the status is not the one of the entry. */
function statusProblem({ response }: RedirectHop, { entry }: RedirectFacts): RedirectProblem[] {
  if (response.kind !== 'response' || response.status === entry.status) return [];
  const text = `the status is ${response.status} and should be ${entry.status}`;
  return [{ id: 'redirect.status', severity: 'block', text }];
}

/** `redirect.unreachable`: the target does not serve: no address, no valid certificate, no response or an error. */
function unreachableProblem({ hops }: RedirectWalk, { entry, checkedAt }: RedirectFacts): RedirectProblem[] {
  const last = hops.at(-1);
  if (last === undefined || hostOf(new URL(last.url)) !== entry.to) return [];
  const { response, certificate } = last;
  const block = (text: string, remedy: readonly string[] = []): RedirectProblem[] => [
    { id: 'redirect.unreachable', severity: 'block', text: `${entry.to} does not serve: ${text}`, remedy },
  ];
  const [problem] = certificate === undefined ? [] : certificateProblems(certificate, checkedAt);
  if (problem !== undefined) return block(CERTIFICATE_TEXTS[problem]);
  if (response.kind === 'response') {
    const { status } = response;
    return status < 500
      ? []
      : block(`status ${status}`, [`At ${entry.to}, check the site: it returns an error.`]);
  }
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

/** `redirect.target`: the redirect leads to another host than `to`. */
function targetProblem(target: URL, { entry, ports }: RedirectFacts): RedirectProblem[] {
  if (hostOf(target) === entry.to && isProbedPort(target, ports)) return [];
  const text = `it redirects to ${shown(target.host)} and should redirect to ${entry.to}`;
  return [{ id: 'redirect.target', severity: 'block', text }];
}

/** `redirect.drops-path-query`: the redirect loses the path or the query of the request. */
function pathProblem(target: URL, { path }: RedirectFacts): RedirectProblem[] {
  const requested = new URL(path, target);
  const token = requested.searchParams.get('probe');
  const lost = [
    ...(withoutFinalSlash(target.pathname) === requested.pathname ? [] : ['the path']),
    ...(target.searchParams.get('probe') === token ? [] : ['the query']),
  ];
  if (lost.length === 0) return [];
  return [{ id: 'redirect.drops-path-query', severity: 'warn', text: `it drops ${listed(lost)}` }];
}

/** `redirect.downgrade`: a redirect leads from https to http. */
function downgradeProblem({ hops }: RedirectWalk): RedirectProblem[] {
  if (!hops.some((hop) => isHttps(hop) && redirectUrl(hop)?.protocol === 'http:')) return [];
  return [{ id: 'redirect.downgrade', severity: 'warn', text: 'it redirects from https to http' }];
}

function isHttps({ url }: RedirectHop): boolean {
  return url.startsWith('https:');
}

function withoutFinalSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
