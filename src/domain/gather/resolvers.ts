import { lookup as systemLookup } from 'node:dns/promises';
import { InvalidInputError } from '../../errors.js';
import { addressesIn, hostsIn } from './facts/classify.js';
import { resolveNameServers } from './delegation.js';
import type { DnssecFacts, RejectedFacts, ResolverFacts, ZoneFacts } from './facts/facts.js';
import { isServerFailure, type Lookup } from './facts/lookup.js';
import type { CheckContext } from './check-context.js';
import { publicResolvers, type Resolver } from '../dns/public-resolvers.js';
import { withPort } from '../names/ip-address.js';
import { showsRecord } from './views/own-records.js';
import { formerServers } from './views/resolver-view.js';
import type { CheckOptions } from '../request/options.js';
import type { DnsServer } from '../dns/dns.js';
import { httpsResolverUrl } from '../dns/https.js';
import { parseServerAddress } from '../dns/server-address.js';

/**
 * Chooses the resolvers, in order: `resolvers`, then `doh`; if neither is set, the system's, then public ones.
 *
 * @param system Reads the system's resolvers. Called only if they are needed.
 * @throws InvalidInputError if a resolver or the URL is invalid.
 */
export async function chooseResolvers(
  options: Pick<CheckOptions, 'resolvers' | 'doh' | 'usePublic'>,
  system: () => readonly DnsServer[],
): Promise<Resolver[]> {
  const given = await Promise.all((options.resolvers ?? []).map(parseResolver));
  if (options.doh !== undefined) given.push(parseDohUrl(options.doh));
  const isGiven = given.length > 0;
  const ownServers = isGiven ? [] : system();
  const own = ownServers.map((server) => ({
    server,
    label: `system (${addressText(server)})`,
    isDefault: true,
  }));
  const builtIn = (options.usePublic ?? !isGiven) ? publicResolvers() : [];
  return distinct([...given, ...own, ...builtIn]);
}

/** DNSSEC of the signed zones. Their queries may still be in flight. */
type SignedZones = readonly DnssecFacts[] | Promise<readonly DnssecFacts[]>;

/**
 * Queries every resolver for the records that its users get.
 *
 * @param dnssec The signed zones. Without one, a SERVFAIL does not come from DNSSEC.
 */
export function queryResolvers(
  context: CheckContext,
  { name, target, dnssec }: { name: string; target: string; dnssec: SignedZones },
): Promise<ResolverFacts[]> {
  return Promise.all(
    context.resolvers.map(async (resolver) => {
      const { label, isDefault } = resolver;
      const [a, aaaa] = await Promise.all([
        context.queryReachable(resolver, name, 'A'),
        context.queryReachable(resolver, name, 'AAAA'),
      ]);
      const failed = [a, aaaa].find(isServerFailure);
      const isSigned = failed !== undefined && (await dnssec).length > 0;
      const rejected = isSigned ? await queryRejected(context, failed, target) : undefined;
      return {
        server: a.server,
        label,
        ...(isDefault === true && { isDefault }),
        ...(rejected !== undefined && { rejected }),
        a,
        aaaa,
      };
    }),
  );
}

/** Time between two queries whose TTLs are compared. TTLs are whole seconds, so a full second always shows. */
export const COUNT_DOWN_MS = 1_100;

/**
 * Adds what shows how long a resolver keeps a stale record: the NS records that it uses for the zone, its responses to
 * queries with the DO flag, those of a second later, and what former name servers return. dnsmasq and dnsdist pass queries with DO on to the cache behind
 * them. The zone exists, so no absence is cached.
 */
export async function addCacheTimes(
  context: CheckContext,
  { name, zone }: { name: string; zone: ZoneFacts },
  resolver: ResolverFacts,
): Promise<ResolverFacts> {
  const { queryResolver, pause } = context;
  const { server } = resolver;
  const queryAddresses = async (dnssec: boolean): Promise<{ a: Lookup; aaaa: Lookup }> => {
    const [a, aaaa] = await Promise.all([
      queryResolver(server, name, 'A', { dnssec }),
      queryResolver(server, name, 'AAAA', { dnssec }),
    ]);
    return { a, aaaa };
  };
  const [ns, behind, later] = await Promise.all([
    queryResolver(server, zone.name, 'NS'),
    queryAddresses(true),
    pause(COUNT_DOWN_MS).then(() => queryAddresses(false)),
  ]);
  const hosts = hostsIn(formerServers(zone, ns));
  const former = hosts.length === 0 ? [] : await queryFormerServers(context, hosts, name);
  return { ...resolver, ns, behind, later, ...(former.length > 0 && { former }) };
}

/** Queries the name servers before a change for the domain. They may have another copy of the zone. */
async function queryFormerServers(
  context: CheckContext,
  hosts: readonly string[],
  name: string,
): Promise<Lookup[]> {
  const { servers } = await resolveNameServers(context, hosts, []);
  return Promise.all(
    servers.flatMap((server) => [
      context.queryServer(server, name, 'A'),
      context.queryServer(server, name, 'AAAA'),
    ]),
  );
}

/** Time between two tests of a resolver, in milliseconds. Most passing failures end within it. */
const RETEST_MS = 2_000;

/**
 * Finds out why a resolver returned SERVFAIL: whether it rejects signatures, and whether those of the target. Tests it
 * twice, because one failure may pass.
 */
async function queryRejected(context: CheckContext, failed: Lookup, target: string): Promise<RejectedFacts> {
  const { server, question } = failed;
  const query = (checkingDisabled: boolean): Promise<Lookup> =>
    context.queryResolver(server, question.name, question.type, {
      checkingDisabled,
      // systemd-resolved ignores CD without DO.
      dnssec: checkingDisabled,
    });
  const tests = [{ checked: failed, unchecked: await query(true) }];
  const isRejection = tests.every(({ unchecked }) => showsRecord(unchecked));
  if (isRejection) {
    await context.pause(RETEST_MS);
    const checked = await query(false);
    tests.push({ checked, unchecked: await query(true) });
  }
  return { tests, target: await context.queryResolver(server, target, 'A') };
}

/** The addresses of the target at all resolvers. The target exists, so no resolver caches its absence. */
export async function resolveTarget(context: CheckContext, target: string): Promise<string[]> {
  const lookups = await Promise.all(
    context.resolvers.flatMap((resolver) => [
      context.queryReachable(resolver, target, 'A'),
      context.queryReachable(resolver, target, 'AAAA'),
    ]),
  );
  return [...new Set(lookups.flatMap(({ records }) => addressesIn(records)))];
}

/** Parses `HOST`, `HOST:PORT`, `IPV6` or `[IPV6]:PORT`. The system resolves a host name. */
async function parseResolver(text: string): Promise<Resolver> {
  const server = parseServerAddress(text);
  if (server !== undefined) return { server, label: addressText(server) };
  const [, host, portText = '53'] = /^(?=[\d.-]*[a-z])([a-z\d.-]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const port = Number(portText);
  if (host === undefined || port < 1 || port > 0xffff) {
    throw new InvalidInputError(`Invalid resolver: ${JSON.stringify(text)}`, {
      field: 'resolvers',
      hint: 'Use an address such as 9.9.9.9, 127.0.0.1:5353 or [::1]:5353.',
    });
  }
  try {
    const { address } = await systemLookup(host);
    return { server: { address, port, transport: 'dns', host }, label: text };
  } catch (error) {
    throw new InvalidInputError(`Resolver ${JSON.stringify(host)} has no address`, {
      field: 'resolvers',
      cause: error,
      hint: "Use the resolver's IP address.",
    });
  }
}

function parseDohUrl(url: string): Resolver {
  const parsed = httpsResolverUrl(url);
  if (parsed === undefined) {
    // The URL may contain a password, so it is not repeated.
    const shown = url.includes('@') ? 'it contains a user name or password' : JSON.stringify(url);
    throw new InvalidInputError(`Invalid DNS over HTTPS URL: ${shown}`, {
      field: 'doh',
      hint: 'Use a URL such as https://dns.example/dns-query.',
    });
  }
  const port = Number(parsed.port || (parsed.protocol === 'https:' ? 443 : 80));
  return { server: { address: parsed.href, port, transport: 'https' }, label: parsed.host };
}

function addressText({ address, port }: DnsServer): string {
  return port === 53 ? address : withPort(address, port);
}

function distinct(resolvers: readonly Resolver[]): Resolver[] {
  const byServer = new Map<string, Resolver>();
  for (const resolver of resolvers) {
    const key = `${resolver.server.transport} ${resolver.server.address} ${String(resolver.server.port)}`;
    if (!byServer.has(key)) byServer.set(key, resolver);
  }
  return [...byServer.values()];
}
