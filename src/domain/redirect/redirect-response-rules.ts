import { distrustOf, dayOf, certificateProblems } from '../certificate/certificate-problems.js';
import type { Evidence, Finding } from '../finding/finding.js';
import { isIpv6 } from '../name/ip-address.js';
import { listed, shown } from '../finding/printable.js';
import type { ProbeFailure } from '../probe/probe-failure.js';
import type { RedirectFacts, RedirectHop, RedirectWalk } from './redirect-facts.js';
import { hostOf, isLoop, isUsualPort, leadOf, leavingHop } from './redirect-view.js';

/** What is wrong with one walk. */
interface Fault {
  id: Exclude<Finding['id'] & `redirect.${string}`, 'redirect.ok'> | 'cert.expired' | 'cert.untrusted';
  severity: 'block' | 'warn' | 'unknown';
  /** Continues `a → b: `. */
  text: string;
  /** Whether there was no time to ask. */
  isCutShort?: boolean;
}

/** What a redirect entry was seen to do, from http and from https; the same fault of both is told once. */
export function redirectAnswers(facts: RedirectFacts): Finding[] {
  const { from, to, status } = facts.entry;
  const faults = facts.walks.flatMap((walk) => faultsOf(walk, facts).map((fault) => ({ walk, fault })));
  const evidence = facts.walks.flatMap((walk) => walk.hops.map((hop) => hopEvidence(hop)));
  if (faults.length === 0) {
    const message = `${from} → ${to}: works from http and https, with ${status}, path and query.`;
    return [
      { id: 'redirect.ok', axis: 'redirect', severity: 'info', message, evidence, entries: [facts.entry] },
    ];
  }
  const kinds = new Map(faults.map(({ fault }) => [keyOf(fault), fault]));
  return [...kinds].map(([key, fault]) => {
    const { id, severity, text } = fault;
    const walks = faults.filter(({ fault }) => keyOf(fault) === key).map(({ walk }) => walk);
    const schemes = [...new Set(walks.map(({ scheme }) => scheme))];
    return {
      id,
      axis: 'redirect',
      severity,
      message: `${from} → ${to}, from ${listed(schemes)}: ${text}.`,
      fix: { action: 'other', text: remedyOf(fault, facts), records: [] },
      evidence: walks.flatMap((walk) => walk.hops.map((hop) => hopEvidence(hop))),
      entries: [facts.entry],
    } satisfies Finding;
  });
}

function faultsOf(walk: RedirectWalk, facts: RedirectFacts): Fault[] {
  const certificate = certificateFault(walk, facts);
  const way = isLoop(walk, facts.entry) ? [loopFault(walk)] : wayFaults(walk, facts);
  if (certificate === undefined) return way;
  return [
    certificate,
    ...(endsUnissued(walk, facts) ? way.filter(({ id }) => id !== 'redirect.missing') : way),
  ];
}

/** The visitor's way to the target, where it has an end. */
function wayFaults(walk: RedirectWalk, facts: RedirectFacts): Fault[] {
  const hop = leavingHop(walk, facts.entry);
  const lead = hop === undefined ? undefined : leadOf(hop);
  if (hop === undefined || lead === undefined) return missing(walk);
  return [
    ...statusFault(hop, facts),
    ...targetFault(lead, facts),
    ...pathFault(lead, facts),
    ...downgradeFault(walk),
  ];
}

/** Nothing leads away from `from`. */
function missing({ hops }: RedirectWalk): Fault[] {
  const last = hops.at(-1);
  if (last === undefined) return [];
  const { response: answer } = last;
  if (answer.kind !== 'response') {
    return [troubleFault(answer)];
  }
  const { status, location } = answer;
  const text =
    location === undefined
      ? `it is not redirected, but answered with status ${status}`
      : `it is not redirected, for nothing follows ${shown(location)} with status ${status}`;
  return [{ id: 'redirect.missing', severity: 'block', text }];
}

function troubleFault({ kind, detail }: ProbeFailure): Fault {
  switch (kind) {
    case 'no-answer':
      return { id: 'redirect.missing', severity: 'block', text: `nothing answers (${detail})` };
    case 'no-address':
      return { id: 'redirect.missing', severity: 'block', text: detail };
    default: {
      const text = `it could not be asked: ${detail}`;
      return { id: 'redirect.missing', severity: 'unknown', text, isCutShort: kind === 'aborted' };
    }
  }
}

function certificateFault(
  { hops }: RedirectWalk,
  { entry, checkedAt: askedAt }: RedirectFacts,
): Fault | undefined {
  const hop = hops.find((candidate) => isHttps(candidate) && hostOf(new URL(candidate.url)) === entry.from);
  return hop === undefined ? undefined : faultOfHop(hop, entry.from, askedAt);
}

/** A host without a certificate of its own is not served from https yet: that it leads nowhere says nothing more. */
function endsUnissued({ hops }: RedirectWalk, { entry }: RedirectFacts): boolean {
  const last = hops.at(-1);
  if (last === undefined || !isHttps(last) || hostOf(new URL(last.url)) !== entry.from) return false;
  return last.certificate === undefined ? last.response.kind === 'no-answer' : !last.certificate.isForHost;
}

/** One that expired or is not trusted was issued once: unlike one that is lacking, it is wrong whatever is yet to come. */
function faultOfHop(
  { response: answer, certificate }: RedirectHop,
  from: string,
  askedAt: number,
): Fault | undefined {
  const block = (id: Fault['id'], text: string): Fault => ({ id, severity: 'block', text });
  if (certificate === undefined) {
    if (answer.kind !== 'no-answer') return undefined;
    return block('redirect.no-cert-on-from', `https does not answer (${answer.detail})`);
  }
  const [fault] = certificateProblems(certificate, askedAt);
  switch (fault) {
    case undefined:
    case 'no-tls':
      return undefined;
    case 'expired':
      return block('cert.expired', `the certificate of ${from} expired on ${dayOf(certificate.validTo)}`);
    case 'untrusted': {
      const reason = distrustOf(certificate, askedAt) ?? '';
      return block('cert.untrusted', `the certificate of ${from} is not trusted: ${reason}`);
    }
    case 'wrong-name': {
      const names = certificate.names.length > 0 ? certificate.names : [certificate.subject];
      const text = `${from} has no certificate of its own, but shows one for ${listed(names, 4)}`;
      return block('redirect.no-cert-on-from', text);
    }
  }
}

function loopFault({ hops }: RedirectWalk): Fault {
  return {
    id: 'redirect.loop',
    severity: 'block',
    text: `it leads in a circle, or to no end within ${hops.length} ${hops.length === 1 ? 'step' : 'steps'}`,
  };
}

function statusFault({ response: answer }: RedirectHop, { entry }: RedirectFacts): Fault[] {
  if (answer.kind !== 'response' || answer.status === entry.status) return [];
  const text = `the status is ${answer.status} and should be ${entry.status}`;
  return [{ id: 'redirect.status', severity: 'block', text }];
}

function targetFault(lead: URL, { entry, ports }: RedirectFacts): Fault[] {
  if (hostOf(lead) === entry.to && isUsualPort(lead, ports)) return [];
  const text = `it leads to ${shown(lead.host)} and should lead to ${entry.to}`;
  return [{ id: 'redirect.target', severity: 'block', text }];
}

function pathFault(lead: URL, { path }: RedirectFacts): Fault[] {
  const asked = new URL(path, lead);
  const token = asked.searchParams.get('probe');
  const lost = [
    ...(withoutFinalSlash(lead.pathname) === asked.pathname ? [] : ['the path']),
    ...(lead.searchParams.get('probe') === token ? [] : ['the query']),
  ];
  if (lost.length === 0) return [];
  return [{ id: 'redirect.drops-path-query', severity: 'warn', text: `it drops ${listed(lost)}` }];
}

function downgradeFault({ hops }: RedirectWalk): Fault[] {
  if (!hops.some((hop) => isHttps(hop) && leadOf(hop)?.protocol === 'http:')) return [];
  return [{ id: 'redirect.downgrade', severity: 'warn', text: 'it leads from https to http' }];
}

function remedyOf({ id, severity, isCutShort = false }: Fault, { entry }: RedirectFacts): string {
  const { from, to, status } = entry;
  if (isCutShort) return 'Allow more time with --timeout.';
  if (severity === 'unknown') return 'Try again later, or tell where to connect with --connect HOST.';
  const remedies: Readonly<Record<Fault['id'], string>> = {
    'redirect.missing': `See that ${from} points to the platform and that its entry is saved: from ${from}, to ${to}, status ${status}.`,
    'redirect.status': `Set the entry's status to ${status}, and look for another redirect in front of it.`,
    'redirect.target': `Set the entry's target to ${to}, and look for another redirect in front of it.`,
    'redirect.loop': `Remove what sends visitors of ${to} back, be it an entry or the site itself.`,
    'redirect.downgrade': `Let it lead to https://${to}.`,
    'redirect.no-cert-on-from': `Attach ${from} as a domain and verify it: a host that redirects from https needs a certificate of its own.`,
    'cert.expired': `Trigger verification of ${from} again in your dashboard. If no new certificate comes, look at its CAA records.`,
    'cert.untrusted': `Trigger verification of ${from} again in your dashboard for a new certificate. If a proxy or CDN stands in front, set its record to DNS only.`,
    'redirect.drops-path-query': `Links to pages below ${from} now end at the wrong page: let the redirect keep path and query.`,
  };
  return remedies[id];
}

function hopEvidence({ url, response: answer, endpoint: door }: RedirectHop): Evidence {
  const text =
    answer.kind === 'response'
      ? `${answer.status}${answer.location === undefined ? '' : ` → ${shown(answer.location)}`}`
      : answer.detail;
  return {
    text: `${shown(url)}: ${text}`,
    ...(door !== undefined && { command: curlCommand(url, door) }),
  };
}

/** Goes where the probe went. Without that, curl would ask the user's own resolver for a host that may be yet to come. */
function curlCommand(url: string, { address, port }: NonNullable<RedirectHop['endpoint']>): string {
  const { hostname, protocol, port: named } = new URL(url);
  const usual = named === '' ? (protocol === 'https:' ? '443' : '80') : named;
  const way = quoted(`${hostname}:${usual}:${isIpv6(address) ? `[${address}]` : address}:${String(port)}`);
  return `curl -sk -o /dev/null -D - --connect-to ${way} ${quoted(url)}`;
}

/** The line is there to be pasted into a shell, and the URL may be a server's. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '%27')}'`;
}

function isHttps({ url }: RedirectHop): boolean {
  return url.startsWith('https:');
}

function withoutFinalSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function keyOf({ id, text }: Fault): string {
  return `${id} ${text}`;
}
