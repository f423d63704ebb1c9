import { queryZoneOrResolver, queryZone } from '../gather/aliases.js';
import { addressesIn } from '../gather/facts/classify.js';
import type { Facts, ResolverFacts } from '../gather/facts/facts.js';
import type { Finding } from '../report/finding.js';
import type { FindServingTarget } from '../request/subject.js';
import type { CheckContext } from '../gather/check-context.js';
import { isRightAtAllServers } from '../gather/views/server-view.js';
import { isKnown } from '../gather/facts/lookup.js';
import { parseDomainName } from '../request/parse-domain-name.js';
import { findAddresses } from '../gather/aliases.js';
import type {
  CertificateCheck,
  CertificateRequest,
  CheckOptions,
  CheckRequest,
  RedirectsCheck,
  RedirectsRequest,
} from '../request/options.js';
import type {
  ProbeTarget,
  FoundAddresses,
  Probed,
  ProbeContext,
  ProbeSubject,
} from '../request/probe-context.js';
import { withPrintableTexts } from '../report/finding.js';
import type { CertificateReport, RedirectReport, Report } from '../report/report.js';
import { whileCertificatePending } from '../probe/redirect-findings.js';
import type { Verification } from '../diagnose/wait.js';
import { decisiveServers } from '../gather/views/server-view.js';
import { parseTarget } from '../request/subject.js';
import type { ProbeOptions, Probes } from './probes.js';

/** The results that the probes of one check add to its report. */
export interface ProbeResults extends Pick<Report, 'certificate' | 'redirects' | 'platform'> {
  findings: readonly Finding[];
}

/** A request, and when its domain was verified. */
export interface DatedRequest {
  request: CheckRequest;
  verification: Verification;
}

/** Creates the probes at the first call. */
export type LoadProbes = () => Promise<Probes>;

/** Returns a function that loads TLS and HTTP at its first call. */
export function probeLoader(options: ProbeOptions): LoadProbes {
  let probes: Promise<Probes> | undefined;
  return () => (probes ??= import('./probes.js').then(({ createProbes }) => createProbes(options)));
}

/** Whether a request needs probes. */
export function needsProbes({ certificate, probe, redirects = [] }: CheckRequest): boolean {
  return certificate === true || probe !== undefined || redirects.length > 0;
}

export interface ProbeSettings {
  /** `undefined` if the request needs none. */
  probes: Probes | undefined;
  /**
   * Whether to probe the redirects only if the record is right, as in a watch.
   *
   * @default false
   */
  redirectsWhenRight?: boolean | undefined;
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
  { probes, redirectsWhenRight = false }: ProbeSettings,
): Promise<ProbeResults> {
  if (probes === undefined) return { findings: [] };
  const { redirects: entries = [], certificate: isWanted = true } = request;
  const subject = await probeSubject(context, { request, verification }, facts);
  const isRight = isRightAtAllServers(facts);
  const platform = request.probe?.platform === true ? await probes.platform(subject) : undefined;
  const compared = platform === undefined ? {} : { platform: platform.report };
  const isReady = isRight || platform?.report.result === 'served';
  if (redirectsWhenRight && !isReady) {
    return { ...compared, findings: [...(platform?.findings ?? []), ...probes.entries(entries)] };
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

/**
 * Returns a function that finds addresses with the target's certificate. `undefined` if certificates are not probed, or only
 * at the address of `connect`.
 */
export function servingTargetFinder(
  context: CheckContext,
  probe: ProbeTarget = {},
  target: string,
  probes: Probes | undefined,
): FindServingTarget | undefined {
  if (probes === undefined || probe.connect !== undefined) return undefined;
  const probeContext = probeContextFor(context, { target, probe }, () =>
    Promise.resolve({ outcome: 'unknown', addresses: [] }),
  );
  return (addresses) => probes.target(probeContext, addresses);
}

/** Probes the requested entries, and checks them against all entries of the project. */
export async function probeEntries(
  context: CheckContext,
  { redirects: all, only, attached, target, probe = {} }: RedirectsRequest,
  options: CheckOptions,
): Promise<RedirectsCheck> {
  const host = target === undefined ? undefined : parseTarget(target);
  const probeContext = probeContextFor(context, { target: host, probe }, (name) =>
    addressesForVisitors(context, name, probe),
  );
  const hosts = only?.map(asciiHost);
  const entries = hosts === undefined ? all : all.filter(({ from }) => hosts.includes(asciiHost(from)));
  const probes = await probeLoader({ ...options, attached, projectRedirects: all })();
  const { report, findings } = await probes.redirects(entries, probeContext);
  return { redirects: report, findings: withPrintableTexts(findings) };
}

/** Finds the addresses of a domain, and probes the certificate at each. */
export async function probeOwnCertificate(
  context: CheckContext,
  { target, probe = {}, verifiedAt, verifiedAtSource }: CertificateRequest,
  domain: string,
  loadProbes: LoadProbes,
): Promise<CertificateCheck> {
  const addressesOf = (name: string): Promise<FoundAddresses> => findAddresses(context, name);
  const found = probe.connect === undefined ? await addressesOf(domain) : undefined;
  const ofTarget = target === undefined ? undefined : await addressesForVisitors(context, target, probe);
  if (found !== undefined && found.outcome !== 'found') return { found, findings: [] };
  const { report, findings } = await (
    await loadProbes()
  ).certificate({
    ...probeContextFor(context, { target, probe }, addressesOf),
    domain,
    addresses: found?.addresses ?? [],
    verifiedAt: verifiedAt === undefined ? undefined : new Date(verifiedAt),
    verifiedAtSource,
    isAtTarget:
      ofTarget?.outcome === 'found'
        ? found?.addresses.every((one) => ofTarget.addresses.includes(one))
        : undefined,
  });
  return { ...(found !== undefined && { found }), certificate: report, findings };
}

function probeContextFor(
  { clock, signal }: CheckContext,
  about: Pick<ProbeContext, 'target' | 'probe'>,
  addressesOf: ProbeContext['addressesOf'],
): ProbeContext {
  return { ...about, addressesOf, now: new Date(clock.now()), signal };
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

async function probeSubject(
  context: CheckContext,
  { request, verification }: DatedRequest,
  facts: Facts,
): Promise<ProbeSubject> {
  const { probe = {} } = request;
  const domain = facts.domain.ascii;
  const addressesOf = (name: string): Promise<FoundAddresses> => addressesForVisitors(context, name, probe);
  const own = await ownAddressesForVisitors(facts, addressesOf);
  return {
    ...probeContextFor(context, { target: facts.target, probe }, (name) =>
      name === domain ? Promise.resolve(own) : addressesOf(name),
    ),
    domain,
    addresses: own.addresses,
    ...verification,
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
 * Finds the addresses that visitors of the domain get. These may still be the old ones. They come from the resolvers or,
 * if these were not queried, from the domain's own servers. Uses the target's addresses only if the record is right.
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
