import type { Facts, ResolverFacts, ServerRecords, TargetFacts } from '../facts/facts.js';
import { accessProblemAt, chooseView, throughResolver } from './access.js';
import { resolverView } from '../views/resolver-view.js';
import { isRightAtAllServers } from '../views/server-view.js';
import { isDenial } from '../views/own-records.js';
import { reservedRange } from '../name/ip-address.js';
import { gatherAliasEvidence } from './alias-evidence.js';
import { followChain } from './aliases.js';
import { climbCaaTree } from './caa.js';
import type { CheckContext } from './check-context.js';
import { querySignatures, addMissingSoa } from './zone-records.js';
import { gatherRelatedNames } from './related-names.js';
import { addNameServers, queryResolvers } from './resolvers.js';
import { queryMissingAaaa, queryServers } from './servers.js';
import type { Subject } from './subject.js';
import { addAlternativeAddresses, addIpv6, findTarget, querySignaturesOfTarget } from './target.js';
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
  const { domain, target, plan, deployed, issuer, isThorough, checksCaa, findServingTarget } = subject;
  const name = domain.ascii;
  const queriedAt = context.clock.now();
  const finding = findZone(context, name, target);
  const targeting = findTarget(context, target);
  const found = await finding;
  const zone = zoneFacts(found, name, subject.kind);
  const { access } = found.zone;
  const unknown: Facts = {
    domain,
    target,
    plan,
    deployed,
    queriedAt,
    zone,
    servers: [],
    platform: { a: undefined, aaaa: undefined, addresses: [], ttl: undefined },
    relatedNames: { doubled: undefined, doubledControl: undefined, chain: [] },
    caa: { ...WITHOUT_CAA, issuer },
    dnssec: [],
    resolvers: [],
    ...(access !== undefined && { access }),
  };
  if (access !== undefined || found.typedNs !== undefined) return unknown;
  const byIpv4 = await targeting;
  const firstServers = await queryServers(context, { zone: found.zone, name, isThorough });
  const isIpv4Enough = zone.kind === 'subdomain' && isShownByIpv4(firstServers, byIpv4);
  const byBoth = isIpv4Enough ? byIpv4 : await addIpv6(context, target, byIpv4);
  const known =
    zone.kind === 'apex' ? await addAlternativeAddresses(context, target, byBoth, firstServers) : byBoth;
  const wanted = zone.kind === 'apex' ? 'A' : 'CNAME';
  const [alias, chain, relatedNames, caa, ...signatures] = await Promise.all([
    gatherAliasEvidence(context, firstServers, { target, platform: known, findServingTarget }),
    followChain(context, firstServers, target),
    gatherRelatedNames(context, zone.name, name, { servers: firstServers, isThorough, target }),
    checksCaa ? climbCaaTree(context, found.zone, name, { servers: firstServers, isThorough }) : WITHOUT_CAA,
    querySignatures(context, found.zone, { name, type: wanted, owner: 'domain' }),
    querySignaturesOfTarget(context, target),
  ]);
  const servers = await addMissingSoa(context, found.zone.name, alias.servers);
  const facts: Facts = {
    ...unknown,
    servers,
    platform: alias.platform,
    relatedNames: { ...relatedNames, ...chain },
    caa: { ...caa, issuer },
    dnssec: signatures.flat(),
  };
  if (!isRightAtAllServers(facts)) return facts;
  const resolvers = await queryResolvers(context, { name, target, dnssec: facts.dnssec });
  const needsIpv6 = isIpv4Enough && !resolvers.every(({ aaaa }) => aaaa.chain.length > 0);
  // A resolver that denies the name may have it from a server.
  const isDenied = resolvers.some(({ a, aaaa }) => [a, aaaa].some(isDenial));
  const seen = zone.kind === 'apex' ? resolvers : [];
  const resolved = {
    ...facts,
    servers: isDenied ? await queryMissingAaaa(context, servers) : servers,
    platform: needsIpv6
      ? await addIpv6(context, target, byIpv4)
      : await addAlternativeAddresses(context, target, alias.platform, seen),
    resolvers,
    // Cached records expire from the resolvers' responses on, and a check for an ALIAS took seconds before.
    queriedAt: context.clock.now(),
  };
  const isStale = (resolver: ResolverFacts): boolean => 'remaining' in resolverView(resolved, resolver);
  if (!resolved.resolvers.some(isStale)) return resolved;
  return {
    ...resolved,
    resolvers: await addNameServers(context, zone.name, resolved.resolvers, isStale),
  };
}

/** Whether the target's IPv4 addresses are enough: an alias leads there, and some visitors can reach them. */
function isShownByIpv4(servers: readonly ServerRecords[], { addresses }: TargetFacts): boolean {
  const isAlias = servers.every(({ cname }) => cname.outcome === 'value');
  return isAlias && addresses.some((address) => reservedRange(address) === undefined);
}
