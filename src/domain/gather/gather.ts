import { repeatAddressQueries, queryServers } from './servers.js';
import { climbCaaTree } from './caa.js';
import { followChain } from './alias-chain.js';
import type { Facts } from '../facts/facts.js';
import type { CheckContext } from './check-context.js';
import { recordMatches } from '../views/looks-right.js';
import { gatherRelatedNames } from './related-names.js';
import { findTarget, addAlternativeAddresses } from './target.js';
import { queryResolvers } from './resolvers.js';
import type { Subject } from './subject.js';
import { findZone, zoneFacts } from './zone.js';

/**
 * Asks everything that a verdict needs. Authoritative servers first; resolvers hear of the domain only when all of these
 * have it right. A look-up that failed is a fact: never rejects.
 */
export async function gather(context: CheckContext, subject: Subject): Promise<Facts> {
  const { domain, target, plan, deployed, issuer } = subject;
  const name = domain.ascii;
  const askedAt = context.clock.now();
  const [place, found] = await Promise.all([findZone(context, name), findTarget(context, target)]);
  const zone = zoneFacts(place, name, subject.kind);
  const first = await queryServers(context, place.zone, name);
  const platform =
    zone.kind === 'apex' ? await addAlternativeAddresses(context, target, found, first) : found;
  const [servers, chain, around, caa] = await Promise.all([
    repeatAddressQueries(context, first, platform),
    followChain(context, first, target),
    gatherRelatedNames(context, zone.name, name, first),
    climbCaaTree(context, place.zone, name, first),
  ]);
  const facts: Facts = {
    domain,
    target,
    plan,
    deployed,
    queriedAt: askedAt,
    zone,
    servers,
    platform,
    relatedNames: { ...around, ...chain },
    caa: { ...caa, issuer },
    resolvers: [],
  };
  if (!recordMatches(facts)) return facts;
  const resolvers = await queryResolvers(context, name);
  // What resolvers remember runs out from their answers on, and an ALIAS has cost seconds before.
  return { ...facts, resolvers, queriedAt: context.clock.now() };
}
