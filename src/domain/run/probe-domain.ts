import type { Verification } from '../diagnose/wait.js';
import { findAddresses, findAddressesAndAliases, queryZone, queryZoneOrResolver } from '../gather/aliases.js';
import type { CheckContext } from '../gather/check-context.js';
import { addressesIn } from '../gather/facts/classify.js';
import type { Facts, ResolverFacts } from '../gather/facts/facts.js';
import { isKnown } from '../gather/facts/lookup.js';
import { resolverView } from '../gather/views/resolver-view.js';
import { decisiveServers, isRightAtAllServers } from '../gather/views/server-view.js';
import type { Probe, ProbeRequest, ProbeResults } from '../probe/probe-request.js';
import { withPrintableTexts } from '../report/finding.js';
import type {
  CertificateCheck,
  CertificateRequest,
  CheckOptions,
  CheckRequest,
  FoundAddresses,
  ProbeOptions,
  RedirectsCheck,
  RedirectsRequest,
} from '../request/options.js';
import { parseDomainName } from '../request/parse-domain-name.js';
import { type FindServingTarget, parseTarget } from '../request/subject.js';

/** Returns a probe that loads TLS and HTTP at its first call. */
export function lazyProbe(options: CheckOptions): Probe {
  let loaded: Promise<Probe> | undefined;
  return async (request) => {
    loaded ??= import('../probe/probe.js').then(({ createProbe }) => createProbe(options));
    return (await loaded)(request);
  };
}

/** Whether a request needs probes. */
export function needsProbes({ certificate, probe, redirects = [] }: CheckRequest): boolean {
  return certificate === true || probe !== undefined || redirects.length > 0;
}

/**
 * Probes the certificate if the record is right or the platform serves the domain, because no certificate can be issued
 * before. Always checks the redirect entries as data.
 *
 * @param redirectsWhenRight Whether to request the redirects only then too, as in a watch, so that its checks do not
 * request the old host each time.
 */
export async function probeDomain(
  context: CheckContext,
  { redirects: entries = [], certificate: isWanted = true, probe: options = {} }: CheckRequest,
  verification: Verification,
  facts: Facts,
  probe: Probe,
  redirectsWhenRight: boolean,
): Promise<ProbeResults> {
  const domain = facts.domain.ascii;
  const addressesOf = (name: string): Promise<FoundAddresses> => addressesForVisitors(context, name, options);
  const own = await ownAddressesForVisitors(facts, addressesOf);
  const site = { domain, addresses: own.addresses, ...verification };
  const request = probeRequest(context, facts.target, options, (name) =>
    name === domain ? Promise.resolve(own) : addressesOf(name),
  );
  const compared: ProbeResults =
    options.platform === true ? await probe({ ...request, platform: site }) : { findings: [] };
  const isReady = isRightAtAllServers(facts) || compared.platform?.result === 'served';
  const probed = await probe({
    ...request,
    certificate:
      isWanted && isReady ? { ...site, isAtTarget: isRightAtAllServers(facts) || undefined } : undefined,
    ...(entries.length > 0 && { [isReady || !redirectsWhenRight ? 'redirects' : 'entries']: entries }),
  });
  return { ...compared, ...probed, findings: [...compared.findings, ...probed.findings] };
}

/** Returns a function that finds addresses with the target's certificate. */
export function servingTargetFinder(
  context: CheckContext,
  target: string,
  options: ProbeOptions,
  probe: Probe,
): FindServingTarget {
  const request = probeRequest(context, target, options, () =>
    Promise.resolve({ outcome: 'unknown', addresses: [] }),
  );
  return async (addresses) => {
    const { certificate } = await probe({ ...request, certificate: { domain: target, addresses } });
    const serving = certificate?.addresses.filter(({ result }) => result === 'ok') ?? [];
    return serving.map(({ address }) => address);
  };
}

/** Probes the requested entries, and checks them against all entries of the project. */
export async function probeEntries(
  context: CheckContext,
  { redirects: all, only, attached, target, probe: options = {} }: RedirectsRequest,
  checkOptions: CheckOptions,
): Promise<RedirectsCheck> {
  const platform = target === undefined ? undefined : parseTarget(target);
  const hosts = only && new Set(only.map(asciiHost));
  const entries = hosts === undefined ? all : all.filter(({ from }) => hosts.has(asciiHost(from)));
  const probe = lazyProbe({ ...checkOptions, attached, projectRedirects: all });
  const request = probeRequest(context, platform, options, (name) =>
    addressesForVisitors(context, name, options),
  );
  const { redirects = [], findings } = await probe({ ...request, redirects: entries });
  return { redirects, findings: withPrintableTexts(findings) };
}

/** Finds the addresses of a domain, and probes the certificate at each. */
export async function probeOwnCertificate(
  context: CheckContext,
  { target, probe: options = {}, verifiedAt, verifiedAtSource }: CertificateRequest,
  domain: string,
  probe: Probe,
): Promise<CertificateCheck> {
  const addressesOf = (name: string): Promise<FoundAddresses> => findAddresses(context, name);
  const own = options.connect === undefined ? await findAddressesAndAliases(context, domain) : undefined;
  const found = own?.found;
  const ofTarget = target === undefined ? undefined : await addressesForVisitors(context, target, options);
  if (found !== undefined && found.outcome !== 'found') return { found, findings: [] };
  const results = await probe({
    ...probeRequest(context, target, options, addressesOf),
    certificate: {
      domain,
      addresses: found?.addresses ?? [],
      verifiedAt: verifiedAt === undefined ? undefined : new Date(verifiedAt),
      verifiedAtSource,
      isAtTarget: isAtTarget(own, target, ofTarget),
    },
  });
  return { ...(found !== undefined && { found }), ...results };
}

/** Whether a domain leads to the target. The addresses of a target may differ between two queries, so an alias decides. */
function isAtTarget(
  own: Awaited<ReturnType<typeof findAddressesAndAliases>> | undefined,
  target: string | undefined,
  ofTarget: FoundAddresses | undefined,
): boolean | undefined {
  if (own === undefined || ofTarget?.outcome !== 'found') return undefined;
  const leadsThere = own.aliases.some((name) => name === target?.toLowerCase());
  return leadsThere || own.found.addresses.every((address) => ofTarget.addresses.includes(address));
}

function probeRequest(
  { clock, signal }: CheckContext,
  target: string | undefined,
  probe: ProbeOptions,
  addressesOf: ProbeRequest['addressesOf'],
): ProbeRequest {
  return { target, probe, addressesOf, now: new Date(clock.now()), signal };
}

/** The ASCII form of a host; an invalid name unchanged. */
function asciiHost(host: string): string {
  const parsed = parseDomainName(host);
  return parsed.ok ? parsed.name.ascii : host;
}

/**
 * Finds the addresses of a host. Queries a resolver only for the host in `connect`, which exists: a resolver would
 * cache the absence of a new host of the project.
 */
function addressesForVisitors(
  context: CheckContext,
  name: string,
  { connect }: ProbeOptions,
): Promise<FoundAddresses> {
  const query = name === connect?.toLowerCase() ? queryZoneOrResolver : queryZone;
  return findAddresses(context, name, query);
}

/**
 * Finds the addresses that visitors of the domain get. If the record is right, these are the addresses at the resolvers
 * that have it, otherwise the target's: an old address in a cache says nothing about the platform. If the record is wrong,
 * they come from the resolvers, or from the domain's own servers if these were not queried.
 */
async function ownAddressesForVisitors(
  facts: Facts,
  addressesOf: (name: string) => Promise<FoundAddresses>,
): Promise<FoundAddresses> {
  if (isRightAtAllServers(facts)) {
    const right = facts.resolvers.filter((resolver) => resolverView(facts, resolver).kind === 'right');
    const visited = addressesOfViews(right);
    // The facts may have only the IPv4 addresses of the target.
    const addresses = visited.length > 0 ? visited : await targetAddresses(facts, addressesOf);
    return { outcome: addresses.length > 0 ? 'found' : 'unknown', addresses };
  }
  const cached = addressesOfViews(facts.resolvers);
  if (cached.length > 0) return { outcome: 'found', addresses: cached };
  const decisive = decisiveServers(facts);
  const own = addressesOfViews(decisive);
  if (own.length > 0) return { outcome: 'found', addresses: own };
  const hasAlias = decisive.some(({ cname }) => cname.outcome === 'value');
  // Without servers this makes no query: the parent's response is known.
  if (hasAlias || facts.servers.length === 0) return addressesOf(facts.domain.ascii);
  const areAllKnown = decisive.flatMap(({ a, aaaa }) => [a, aaaa]).every(isKnown);
  return { outcome: decisive.length > 0 && areAllKnown ? 'missing' : 'unknown', addresses: [] };
}

async function targetAddresses(
  { platform, target }: Facts,
  addressesOf: (name: string) => Promise<FoundAddresses>,
): Promise<string[]> {
  const { addresses } = await addressesOf(target);
  return [...new Set([...platform.addresses, ...addresses])];
}

function addressesOfViews(views: readonly Pick<ResolverFacts, 'a' | 'aaaa'>[]): string[] {
  return [...new Set(views.flatMap(({ a, aaaa }) => addressesIn([...a.records, ...aaaa.records])))];
}
