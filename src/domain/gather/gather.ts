import type { Facts, ResolverFacts, ServerRecords, TargetFacts, ZoneView } from './facts/facts.js';
import { accessProblemAt, chooseView, throughResolver } from './access.js';
import { resolverView } from './views/resolver-view.js';
import { isRightAtAllServers } from './views/server-view.js';
import { isDenial } from './views/denials.js';
import { reservedRange } from '../names/ip-address.js';
import { followChain } from './aliases.js';
import { climbCaaTree } from './climb-caa-tree.js';
import type { CheckContext } from './check-context.js';
import { querySignatures, addMissingSoa } from './zone-records.js';
import { gatherRelatedNames } from './related-names.js';
import { addCacheTimes, queryResolvers } from './resolvers.js';
import { queryMissingAaaa, queryServers, queryTransferredAlias } from './servers.js';
import { registrableOf } from '../names/name.js';
import type { Subject } from '../request/subject.js';
import {
  addAlternativeAddresses,
  addIpv6,
  type AliasFacts,
  findTarget,
  gatherAliasEvidence,
  querySignaturesOfTarget,
} from './target.js';
import { startQueries } from './early-queries.js';
import { findZone, zoneFacts } from './zone.js';

const WITHOUT_CAA = { steps: [], owner: undefined, records: [] } as const;

/**
 * Makes all DNS queries that the diagnosis needs: authoritative servers first, resolvers only if all of these have the
 * right record. A failed lookup is a fact, so this never rejects.
 */
export async function gather(context: CheckContext, subject: Subject): Promise<Facts> {
  const facts = await gatherFrom(context, subject);
  const access = facts.access ?? (facts.servers.length > 0 ? accessProblemAt(facts.servers) : undefined);
  if (access === undefined) return facts;
  const view = await chooseView(context, access, facts);
  if (view === undefined) return { ...facts, access };
  const { label, server } = view;
  const inView = await context.run.get('view', label, () => Promise.resolve(throughResolver(context, view)));
  return { ...(await gatherFrom(inView, subject)), access: { ...access, view: { label, server } } };
}

async function gatherFrom(context: CheckContext, subject: Subject): Promise<Facts> {
  const { domain, target, plan, deployed, issuer, checksCaa } = subject;
  const name = domain.ascii;
  const queriedAt = context.clock.now();
  void startQueries(context, name, checksCaa);
  const finding = findZone(context, name, target);
  const nextType = name === registrableOf(name) ? 'AAAA' : checksCaa ? 'CAA' : undefined;
  const targeting = findTarget(context, target, nextType);
  const found = await finding;
  const { access } = found.zone;
  const unknown: Facts = {
    domain,
    target,
    plan,
    deployed,
    queriedAt,
    zone: zoneFacts(found, name, subject.kind),
    servers: [],
    platform: { a: undefined, aaaa: undefined, addresses: [], ttl: undefined },
    relatedNames: { doubled: undefined, doubledControl: undefined, chain: [] },
    caa: { ...WITHOUT_CAA, issuer },
    dnssec: [],
    resolvers: [],
    ...(access !== undefined && { access }),
  };
  if (access !== undefined || found.typedNs !== undefined) return unknown;
  const zone = await queryZone(context, subject, found.zone, { unknown, targeting });
  const { facts, resolve, byIpv4 } = zone;
  // The proof of an ALIAS takes a second longer. Resolvers need not wait for it if the record is right without it.
  if (isRightAtAllServers(facts)) void resolve();
  const alias = await zone.proving;
  const servers = await addMissingSoa(context, found.zone.name, alias.servers);
  const proved: Facts = { ...facts, servers, platform: alias.platform };
  if (!isRightAtAllServers(proved)) return queryTransferredAlias(context, proved);
  return addResolvers(context, proved, { byIpv4, resolvers: await resolve() });
}

/** What the servers of the zone and of the target return. */
interface Queried {
  /** Without the proof of an ALIAS. */
  facts: Facts;
  proving: Promise<AliasFacts>;
  /** Queries the resolvers, once. */
  resolve: () => Promise<ResolverFacts[]>;
  /** The target's addresses, if IPv4 is enough. */
  byIpv4: TargetFacts | undefined;
}

async function queryZone(
  context: CheckContext,
  { domain, target, issuer, isThorough, checksCaa, findServingTarget }: Subject,
  view: ZoneView,
  { unknown, targeting }: { unknown: Facts; targeting: Promise<TargetFacts> },
): Promise<Queried> {
  const name = domain.ascii;
  const { zone } = unknown;
  const isApex = zone.kind === 'apex';
  const signing = Promise.all([
    querySignatures(context, view, { name, type: isApex ? 'A' : 'CNAME', owner: 'domain' }),
    querySignaturesOfTarget(context, target),
  ]).then((zones) => zones.flat());
  let resolving: Promise<ResolverFacts[]> | undefined;
  const resolve = (): Promise<ResolverFacts[]> =>
    (resolving ??= queryResolvers(context, { name, target, dnssec: signing }));
  const [servers, platform] = await Promise.all([
    queryServers(context, { zone: view, name, isThorough }),
    targeting,
  ]);
  const isIpv4Enough = !isApex && isShownByIpv4(servers, platform);
  const byBoth = isIpv4Enough ? platform : await addIpv6(context, target, platform);
  const known = isApex ? await addAlternativeAddresses(context, target, byBoth, servers) : byBoth;
  const proving = gatherAliasEvidence(context, servers, { target, platform: known, findServingTarget });
  const [chain, relatedNames, caa, dnssec] = await Promise.all([
    followChain(context, servers, target),
    gatherRelatedNames(context, zone.name, name, { servers, isThorough, target }),
    checksCaa ? climbCaaTree(context, view, name, { servers, isThorough }) : WITHOUT_CAA,
    signing,
  ]);
  const facts: Facts = {
    ...unknown,
    servers: await addMissingSoa(context, view.name, servers),
    platform: known,
    relatedNames: { ...relatedNames, ...chain },
    caa: { ...caa, issuer },
    dnssec,
  };
  return { facts, proving, resolve, byIpv4: isIpv4Enough ? platform : undefined };
}

/** Adds the responses of the resolvers, and what explains them. */
async function addResolvers(
  context: CheckContext,
  facts: Facts,
  { byIpv4, resolvers }: Pick<Queried, 'byIpv4'> & { resolvers: readonly ResolverFacts[] },
): Promise<Facts> {
  const { zone, target, servers, platform } = facts;
  const lacksIpv6 = byIpv4 !== undefined && !resolvers.every(({ aaaa }) => aaaa.chain.length > 0);
  // A resolver that denies the name may have it from a server.
  const isDenied = resolvers.some(({ a, aaaa }) => [a, aaaa].some(isDenial));
  const seen = zone.kind === 'apex' ? resolvers : [];
  const resolved = {
    ...facts,
    servers: isDenied ? await queryMissingAaaa(context, servers) : servers,
    platform: lacksIpv6
      ? await addIpv6(context, target, byIpv4)
      : await addAlternativeAddresses(context, target, platform, seen),
    resolvers,
    // Cached records expire from the resolvers' responses on, and a check for an ALIAS took a second before.
    queriedAt: context.clock.now(),
  };
  const names = { name: facts.domain.ascii, zone };
  const timed = resolvers.map(async (resolver) =>
    'remaining' in resolverView(resolved, resolver) ? addCacheTimes(context, names, resolver) : resolver,
  );
  return { ...resolved, resolvers: await Promise.all(timed) };
}

/** Whether the target's IPv4 addresses are enough: an alias leads there, and some visitors can reach them. */
function isShownByIpv4(servers: readonly ServerRecords[], { addresses }: TargetFacts): boolean {
  const isAlias = servers.every(({ cname }) => cname.outcome === 'value');
  return isAlias && addresses.some((address) => reservedRange(address) === undefined);
}
