import { queryZoneOrResolver, queryZone } from '../gather/aliases.js';
import { addressesIn } from '../facts/classify.js';
import type { Facts, ResolverFacts } from '../facts/facts.js';
import type { Finding } from '../finding/finding.js';
import type { CheckContext } from '../gather/check-context.js';
import { recordMatches } from '../views/server-view.js';
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
import { judgedServers } from '../views/server-view.js';
import { parseTarget } from '../gather/subject.js';

/** What the probes of one check add to its report. */
export interface ProbeResults extends Pick<Report, 'certificate' | 'redirects'> {
  findings: readonly Finding[];
}

export interface ProbeSettings extends CheckOptions {
  /** Whether the redirects are left alone on the wire until the record is right, as a wait does it. Default false. */
  redirectsWhenRight?: boolean;
}

/**
 * Looks at the certificate where the record is right, for before that nobody could have issued one; in a wait at the
 * redirects too, so that the same old host is not knocked at at every check. The entries themselves are judged always.
 */
export async function probeDomain(
  context: CheckContext,
  request: CheckRequest,
  facts: Facts,
  settings: ProbeSettings,
): Promise<ProbeResults> {
  const probes = settings.probes ?? (await probesFor(request, settings));
  if (probes === undefined) return { findings: [] };
  const { redirects: entries = [], certificate: isWanted = true } = request;
  const isReady = recordMatches(facts);
  if (settings.redirectsWhenRight === true && !isReady) return { findings: probes.entries?.(entries) ?? [] };
  const subject = await probeSubject(context, request, facts);
  const [certificate, redirects] = await Promise.all([
    isWanted && isReady ? probes.certificate(subject) : undefined,
    entries.length > 0 ? probes.redirects(entries, subject) : undefined,
  ]);
  return {
    ...(certificate === undefined ? {} : { certificate: certificate.report }),
    ...(redirects === undefined ? {} : { redirects: redirects.report }),
    findings: [...(certificate?.findings ?? []), ...redirectFindings(certificate, redirects)],
  };
}

/** Looks at the entries that are asked for, among all of the project. */
export async function probeEntries(
  context: CheckContext,
  request: RedirectsRequest,
  { probes: given, clock, random }: CheckOptions,
): Promise<RedirectsCheck> {
  const { redirects: all, only, attached, target, probe = {} } = request;
  const place: ProbeContext = {
    target: target === undefined ? undefined : parseTarget(target),
    addressesOf: (name) => addressesForVisitors(context, name, probe),
    probe,
    now: context.clock.now(),
    signal: context.signal,
  };
  const hosts = only?.map(spelled);
  const entries = hosts === undefined ? all : all.filter(({ from }) => hosts.includes(spelled(from)));
  const { createProbes } = await import('./probes.js');
  const probes = given ?? createProbes({ clock, random, attached, redirects: all });
  const { report, findings } = await probes.redirects(entries, place);
  return { redirects: report, findings: findings.map(printableFinding) };
}

/** In the one spelling of DNS; what is no name, as it stands. */
function spelled(host: string): string {
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

/** Probes of our own, for a request that asks to look beyond DNS. Loaded only then, with TLS and HTTP. */
async function probesFor(
  { certificate, probe: target, redirects = [] }: CheckRequest,
  { clock, random }: CheckOptions,
): Promise<DomainProbes | undefined> {
  const isAsked = certificate === true || target !== undefined || redirects.length > 0;
  return isAsked ? (await import('./probes.js')).createProbes({ clock, random }) : undefined;
}

async function probeSubject(
  context: CheckContext,
  request: CheckRequest,
  facts: Facts,
): Promise<ProbeSubject> {
  const { signal, clock } = context;
  const { probe = {}, verifiedAt } = request;
  const domain = facts.domain.ascii;
  const addressesOf = (name: string): Promise<FoundAddresses> => addressesForVisitors(context, name, probe);
  const own = await ownAddressesForVisitors(facts, addressesOf);
  return {
    domain,
    target: facts.target,
    addresses: own.addresses,
    addressesOf: (name) => (name === domain ? Promise.resolve(own) : addressesOf(name)),
    probe,
    verifiedAt,
    now: clock.now(),
    signal,
  };
}

/**
 * The project's own hosts may be yet to come: no resolver is to hear of them, for it would remember their absence. A host
 * that the caller told to connect to is there.
 */
function addressesForVisitors(
  context: CheckContext,
  name: string,
  { connect }: ProbeTarget,
): Promise<FoundAddresses> {
  const ask = name === connect?.toLowerCase() ? queryZoneOrResolver : queryZone;
  return findAddresses(context, name, ask);
}

/**
 * What visitors get, also where that is still the old address; where no resolver was asked, what the domain's own servers
 * lead to. The target's addresses only where the record is right, for else the domain leads elsewhere.
 */
async function ownAddressesForVisitors(
  facts: Facts,
  addressesOf: (name: string) => Promise<FoundAddresses>,
): Promise<FoundAddresses> {
  const seen = addressesBy(facts.resolvers);
  if (seen.length > 0) return { outcome: 'found', addresses: seen };
  if (recordMatches(facts)) {
    const { addresses } = facts.platform;
    return { outcome: addresses.length > 0 ? 'found' : 'unknown', addresses };
  }
  const judged = judgedServers(facts);
  const own = addressesBy(judged);
  if (own.length > 0) return { outcome: 'found', addresses: own };
  const leadsOn = judged.some(({ cname }) => cname.outcome === 'value');
  // Without servers nobody is asked: what the parent said is known.
  if (leadsOn || facts.servers.length === 0) return addressesOf(facts.domain.ascii);
  const isAllTold = judged.flatMap(({ a, aaaa }) => [a, aaaa]).every(isKnown);
  return { outcome: judged.length > 0 && isAllTold ? 'missing' : 'unknown', addresses: [] };
}

function addressesBy(views: readonly Pick<ResolverFacts, 'a' | 'aaaa'>[]): string[] {
  return [...new Set(views.flatMap(({ a, aaaa }) => addressesIn([...a.records, ...aaaa.records])))];
}
