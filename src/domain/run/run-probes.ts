import { queryZoneOrResolver, queryZone } from '../gather/aliases.js';
import { addressesIn } from '../facts/classify.js';
import type { Facts, ResolverFacts } from '../facts/facts.js';
import type { Finding } from '../finding/finding.js';
import type { CheckContext } from '../gather/check-context.js';
import { isRightAtAllServers } from '../views/server-view.js';
import { isKnown } from '../facts/lookup.js';
import { parseDomainName } from '../name/name.js';
import { findAddresses } from '../gather/name-addresses.js';
import type {
  CheckOptions,
  CheckRequest,
  DomainProbes,
  FoundAddresses,
  Probed,
  ProbeContext,
  ProbeSubject,
  ProbeTarget,
  RedirectsCheck,
  RedirectsRequest,
} from '../report/options.js';
import { printableFinding } from '../finding/printable-finding.js';
import type { CertificateReport, RedirectReport, Report } from '../report/report.js';
import { whileCertificatePending } from '../redirect/redirect-findings.js';
import type { Verification } from '../verdict/wait.js';
import { decisiveServers } from '../views/server-view.js';
import { parseTarget } from '../gather/subject.js';

/** The results that the probes of one check add to its report. */
export interface ProbeResults extends Pick<Report, 'certificate' | 'redirects' | 'platform'> {
  findings: readonly Finding[];
}

/** A request, and when its domain was verified. */
export interface DatedRequest {
  request: CheckRequest;
  verification: Verification;
}

export interface ProbeSettings extends CheckOptions {
  /**
   * Whether to probe the redirects only if the record is right, as in a watch.
   *
   * @default false
   */
  redirectsWhenRight?: boolean;
}

/**
 * Probes the certificate if the record is right or the platform serves the domain, because no certificate can be issued
 * before. A watch probes the redirects only then too, so that its checks do not request the old host each time. Always
 * checks the entries as data.
 */
export async function probeDomain(
  context: CheckContext,
  { request, verification }: DatedRequest,
  facts: Facts,
  settings: ProbeSettings,
): Promise<ProbeResults> {
  const probes = settings.probes ?? (await probesFor(request, settings));
  if (probes === undefined) return { findings: [] };
  const { redirects: entries = [], certificate: isWanted = true } = request;
  const subject = await probeSubject(context, { request, verification }, facts);
  const isRight = isRightAtAllServers(facts);
  const mayEnd = settings.redirectsWhenRight === true && !isRight;
  const platform = request.probe?.platform === true ? await probes.platform?.(subject) : undefined;
  const compared = platform === undefined ? {} : { platform: platform.report };
  const isReady = isRight || platform?.report.result === 'served';
  if (mayEnd && !isReady) {
    return { ...compared, findings: [...(platform?.findings ?? []), ...(probes.entries?.(entries) ?? [])] };
  }
  const [certificate, redirects] = await Promise.all([
    isWanted && isReady ? probes.certificate(subject) : undefined,
    entries.length > 0 ? probes.redirects(entries, subject) : undefined,
  ]);
  return {
    ...(certificate === undefined ? {} : { certificate: certificate.report }),
    ...(redirects === undefined ? {} : { redirects: redirects.report }),
    ...compared,
    findings: [
      ...(platform?.findings ?? []),
      ...(certificate?.findings ?? []),
      ...redirectFindings(certificate, redirects),
    ],
  };
}

/** Probes the requested entries, and checks them against all entries of the project. */
export async function probeEntries(
  context: CheckContext,
  request: RedirectsRequest,
  { probes: given, clock, random }: CheckOptions,
): Promise<RedirectsCheck> {
  const { redirects: all, only, attached, target, probe = {} } = request;
  const probeContext: ProbeContext = {
    target: target === undefined ? undefined : parseTarget(target),
    addressesOf: (name) => addressesForVisitors(context, name, probe),
    probe,
    now: new Date(context.clock.now()),
    signal: context.signal,
  };
  const hosts = only?.map(asciiHost);
  const entries = hosts === undefined ? all : all.filter(({ from }) => hosts.includes(asciiHost(from)));
  const { createProbes } = await import('./probes.js');
  const probes = given ?? createProbes({ clock, random, attached, redirects: all });
  const { report, findings } = await probes.redirects(entries, probeContext);
  return { redirects: report, findings: findings.map(printableFinding) };
}

/** The ASCII form of a host; an invalid name unchanged. */
function asciiHost(host: string): string {
  const parsed = parseDomainName(host);
  return parsed.ok ? parsed.name.ascii : host;
}

function redirectFindings(
  certificate: Probed<CertificateReport> | undefined,
  redirects: Probed<readonly RedirectReport[]> | undefined,
): readonly Finding[] {
  const findings = redirects?.findings ?? [];
  return certificate?.report.status === 'pending' ? whileCertificatePending(findings) : findings;
}

/** Creates the default probes if the request needs them. Loads TLS and HTTP only then. */
export async function probesFor(
  { certificate, probe: target, redirects = [] }: CheckRequest,
  { clock, random }: CheckOptions,
): Promise<DomainProbes | undefined> {
  const isNeeded = certificate === true || target !== undefined || redirects.length > 0;
  return isNeeded ? (await import('./probes.js')).createProbes({ clock, random }) : undefined;
}

async function probeSubject(
  context: CheckContext,
  { request, verification }: DatedRequest,
  facts: Facts,
): Promise<ProbeSubject> {
  const { signal, clock } = context;
  const { probe = {} } = request;
  const domain = facts.domain.ascii;
  const addressesOf = (name: string): Promise<FoundAddresses> => addressesForVisitors(context, name, probe);
  const own = await ownAddressesForVisitors(facts, addressesOf);
  return {
    domain,
    target: facts.target,
    addresses: own.addresses,
    addressesOf: (name) => (name === domain ? Promise.resolve(own) : addressesOf(name)),
    probe,
    ...verification,
    now: new Date(clock.now()),
    signal,
  };
}

/**
 * Finds the addresses of a host. Queries a resolver only for the host in `connect`, which exists: a resolver would
 * cache the absence of a new host of the project.
 */
function addressesForVisitors(
  context: CheckContext,
  name: string,
  { connect }: ProbeTarget,
): Promise<FoundAddresses> {
  const query = name === connect?.toLowerCase() ? queryZoneOrResolver : queryZone;
  return findAddresses(context, name, query);
}

/**
 * Finds the addresses that visitors of the domain get, which may still be the old ones: from the resolvers or, if these
 * were not queried, from the domain's own servers. Uses the target's addresses only if the record is right.
 */
async function ownAddressesForVisitors(
  facts: Facts,
  addressesOf: (name: string) => Promise<FoundAddresses>,
): Promise<FoundAddresses> {
  const cached = addressesOfViews(facts.resolvers);
  if (cached.length > 0) return { outcome: 'found', addresses: cached };
  if (isRightAtAllServers(facts)) {
    const { addresses } = facts.platform;
    return { outcome: addresses.length > 0 ? 'found' : 'unknown', addresses };
  }
  const decisive = decisiveServers(facts);
  const own = addressesOfViews(decisive);
  if (own.length > 0) return { outcome: 'found', addresses: own };
  const hasAlias = decisive.some(({ cname }) => cname.outcome === 'value');
  // Without servers this makes no query: the parent's response is known.
  if (hasAlias || facts.servers.length === 0) return addressesOf(facts.domain.ascii);
  const areAllKnown = decisive.flatMap(({ a, aaaa }) => [a, aaaa]).every(isKnown);
  return { outcome: decisive.length > 0 && areAllKnown ? 'missing' : 'unknown', addresses: [] };
}

function addressesOfViews(views: readonly Pick<ResolverFacts, 'a' | 'aaaa'>[]): string[] {
  return [...new Set(views.flatMap(({ a, aaaa }) => addressesIn([...a.records, ...aaaa.records])))];
}
